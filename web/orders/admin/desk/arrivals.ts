import { createEvent } from '../../../lib/event.ts'

/** A live event may add a row to the list. */
export const arrival = createEvent()

/** An order can be committed this long after its `createdAt`. */
const MARGIN_MS = 15_000

/** New orders that no list of this desk has shown yet. */
export interface Arrivals {
  /** The server's time of the first list, or of the last one in which the new orders were shown. */
  from: string | null
  /** The server's time of the list on screen. */
  listed: string | null
  shown: ReadonlySet<string>
  arrived: number
  ids: readonly string[]
}

interface List {
  now: string
  items: readonly { id: string }[]
}

export const none: Arrivals = { from: null, listed: null, shown: new Set(), arrived: 0, ids: [] }

/** Marks the rows of the list on screen as shown. */
export function withList(state: Arrivals, { now, items }: List): Arrivals {
  return {
    ...state,
    from: state.from ?? now,
    listed: now,
    shown: new Set([...state.shown, ...items.map(({ id }) => id)]),
  }
}

/** Stores the server's answer for orders since `since(state)`. */
export const counted = (
  state: Arrivals,
  { arrived, arrivedIds }: { arrived: number; arrivedIds: readonly string[] },
): Arrivals => ({
  ...state,
  arrived,
  ids: arrivedIds,
})

/** Time from which an order is new. A cached list may be older than the first one, so the earlier of both. */
export function since({ from, listed }: Arrivals): string | null {
  if (from === null || listed === null) return null
  const earlier = Math.min(Date.parse(from), Date.parse(listed))
  return new Date(earlier - MARGIN_MS).toISOString()
}

/** The list was opened for the new orders; missing ones have changed status since. `now` is its time, once known. */
export const opened = (state: Arrivals, now: string | null): Arrivals => ({
  from: now,
  listed: now ?? state.listed,
  shown: new Set([...state.shown, ...state.ids]),
  arrived: 0,
  ids: [],
})

export function heldOf({ ids, arrived, shown }: Arrivals): { ids: readonly string[]; count: number } {
  const missing = ids.filter((id) => !shown.has(id))
  return { ids: missing, count: Math.max(0, arrived - (ids.length - missing.length)) }
}
