import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { debounce, useDebounce, useDebouncedValue } from './debounce.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('debounce', () => {
  it('calls once with the last arguments after the delay', () => {
    const callback = vi.fn()
    const later = debounce(callback, 100)
    later('a')
    vi.advanceTimersByTime(99)
    later('b')
    vi.advanceTimersByTime(99)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    vi.advanceTimersByTime(1000)
    expect(callback.mock.calls).toEqual([['b']])
  })

  it('does not call after cancel', () => {
    const callback = vi.fn()
    const later = debounce(callback, 100)
    later()
    later.cancel()
    vi.advanceTimersByTime(1000)
    expect(callback).not.toHaveBeenCalled()
  })
})

describe('useDebounce', () => {
  it('calls the callback of the latest render, and none after unmounting', () => {
    const [first, second] = [vi.fn(), vi.fn()]
    const { result, rerender, unmount } = renderHook(({ callback }) => useDebounce(callback, 100), {
      initialProps: { callback: first },
    })
    result.current('a')
    rerender({ callback: second })
    vi.advanceTimersByTime(100)
    expect([first.mock.calls, second.mock.calls]).toEqual([[], [['a']]])
    result.current('b')
    unmount()
    vi.advanceTimersByTime(1000)
    expect(second).toHaveBeenCalledTimes(1)
  })
})

describe('useDebouncedValue', () => {
  it('returns the value once it has rested, or at once when it is set', () => {
    const { result, rerender } = renderHook(({ value }) => useDebouncedValue(value, 100), {
      initialProps: { value: 'a' },
    })
    rerender({ value: 'b' })
    act(() => void vi.advanceTimersByTime(99))
    expect(result.current[0]).toBe('a')
    act(() => void vi.advanceTimersByTime(1))
    expect(result.current[0]).toBe('b')
    rerender({ value: 'c' })
    act(() => result.current[1]('c'))
    expect(result.current[0]).toBe('c')
  })
})
