import { addDays } from '@qatra/contract/calendar'
import { getDeliveryDays } from '@qatra/contract/vendors'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { read } from '../lib/api-client.ts'

/** @param at default: now; an instant before the cut-off gives the days that are open to staff */
export const daysQuery = (vendorId: number, at?: string) =>
  read(getDeliveryDays, { query: { vendorId: String(vendorId), ...(at ? { at } : {}) } })

/**
 * The first open day of a vendor, and the chosen one; the first one if none was chosen or the chosen one, of an earlier
 * draft, is no longer open.
 * @param fallback the first day, until the open days have been loaded
 */
export function useChosenDay(vendorId: number | null, wanted: string | null, fallback: string | undefined) {
  const { data: days } = useQuery({ ...daysQuery(vendorId ?? 0), enabled: vendorId !== null })
  const promised = days?.[0]?.date ?? fallback
  const isOpen = !days || days.some(({ date }) => date === wanted)
  return { promised, chosen: (isOpen ? wanted : null) ?? promised }
}

/** The days of a request: a chosen one, or else the promised day that the page shows. */
export function dayOf({ chosen, promised }: ReturnType<typeof useChosenDay>) {
  if (chosen !== promised) return { deliveryDate: chosen }
  return promised === undefined ? {} : { expectedDate: promised }
}

/** Writes the days of a refusal (`DATE_CHANGED`, `DATE_NOT_AVAILABLE`) into the cache; refetches if it has none. */
export function cacheDays(queries: QueryClient, { queryKey }: ReturnType<typeof daysQuery>, days: unknown) {
  if (Array.isArray(days)) {
    queries.setQueryData(
      queryKey,
      days.map((date) => ({ date: String(date), windows: [] })),
    )
  } else void queries.invalidateQueries({ queryKey })
}

/** All days from the first to the last open one; the closed ones between them have `isOpen` false. */
export function withClosedDays(open: readonly string[]): { date: string; isOpen: boolean }[] {
  const last = open.at(-1) ?? ''
  const days: { date: string; isOpen: boolean }[] = []
  for (let date = open[0]; date !== undefined && date <= last; date = addDays(date, 1))
    days.push({ date, isOpen: open.includes(date) })
  return days
}
