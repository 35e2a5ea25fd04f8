import { addDays } from '@qatra/contract/calendar'
import { getDeliveryDays } from '@qatra/contract/vendors'
import type { QueryClient } from '@tanstack/react-query'
import { read } from '../lib/api-client.ts'

/** @param at default: now; an instant before the cut-off gives the days that are open to the office */
export const daysQuery = (vendorId: number, at?: string) =>
  read(getDeliveryDays, { query: { vendorId: String(vendorId), ...(at ? { at } : {}) } })

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
