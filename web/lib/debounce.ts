import { useEffect, useRef, useState } from 'react'

/** Calls `callback` with the last arguments, once `ms` have passed without another call. */
export function debounce<A extends unknown[]>(callback: (...args: A) => void, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => clearTimeout(timer)
  const call = (...args: A) => {
    cancel()
    timer = setTimeout(() => callback(...args), ms)
  }
  return Object.assign(call, { cancel })
}

/** Debounces the callback of the latest render. Unmounting cancels it. */
export function useDebounce<A extends unknown[]>(callback: (...args: A) => void, ms: number) {
  const latest = useRef(callback)
  latest.current = callback
  const [debounced] = useState(() => debounce((...args: A) => latest.current(...args), ms))
  useEffect(() => debounced.cancel, [debounced])
  return debounced
}

/** The value that last stayed unchanged for `ms`, and a function that sets it at once. */
export function useDebouncedValue<T>(value: T, ms: number) {
  const [settled, setSettled] = useState(value)
  const settle = useDebounce((next: T) => setSettled(() => next), ms)
  useEffect(() => settle(value), [value, settle])
  return [settled, setSettled] as const
}
