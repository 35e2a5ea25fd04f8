import { useSyncExternalStore } from 'react'

const queries = { phone: '(width < 48rem)', desk: '(width >= 68.75rem)' }

function watch(query: string) {
  return (listener: () => void) => {
    const list = window.matchMedia(query)
    list.addEventListener('change', listener)
    return () => list.removeEventListener('change', listener)
  }
}
const watchers = { phone: watch(queries.phone), desk: watch(queries.desk) }

/** Whether the screen is a phone's, or wide enough for a panel beside its list. */
export const useScreen = (kind: keyof typeof queries) =>
  useSyncExternalStore(watchers[kind], () => window.matchMedia(queries[kind]).matches)
