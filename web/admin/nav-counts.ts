import { useSyncExternalStore } from 'react'

let counts: Readonly<Record<string, number>> = {}
const listeners = new Set<() => void>()

/** How many things wait behind an entry of the navigation, such as new orders; 0 shows nothing. */
export function setNavCount(path: `/admin/${string}`, count: number) {
  if ((counts[path] ?? 0) === count) return
  counts = { ...counts, [path]: count }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useNavCounts = () => useSyncExternalStore(subscribe, () => counts)
