import { useEffect } from 'react'

const listeners = new Set<() => void>()

/** Something arrived that a desk may show: whoever hears of it from the server says so here. */
export function tellArrival() {
  for (const listener of listeners) listener()
}

export function useArrivalNews(heard: () => void) {
  useEffect(() => {
    listeners.add(heard)
    return () => {
      listeners.delete(heard)
    }
  }, [heard])
}
