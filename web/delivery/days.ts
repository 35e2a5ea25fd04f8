import { addDays } from '@qatra/contract/calendar/calendar'
import { includesSlot, type PromiseFields, sameSlot, slotOf, slotOn } from '@qatra/contract/calendar/slot'
import { type DeliveryDay, getDeliveryDays, type UnavailableDay } from '@qatra/contract/vendors/vendors'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { read } from '../lib/api-client.ts'

/** @param at default: now; an instant before the cut-off gives the days that are open to staff */
export const deliveryDaysQuery = (vendorId: number, at?: string) =>
  read(getDeliveryDays, { query: { vendorId: String(vendorId), ...(at ? { at } : {}) } })

/**
 * The first open slot of a vendor, and the chosen one; the first one if none was chosen or the chosen one, of an earlier
 * draft, is no longer open.
 * @param wanted the day in the form
 * @param vendor whose promise is the first slot until the open days have been loaded
 */
export function useChosenSlot(vendorId: number | null, wanted: string | null, vendor: PromiseFields | null) {
  const { data: days } = useQuery({ ...deliveryDaysQuery(vendorId ?? 0), enabled: vendorId !== null })
  const slots = days?.map(({ date }) => slotOn(date))
  const promised = slots?.[0] ?? (vendor && slotOf(vendor))
  const asked = wanted === null ? null : slotOn(wanted)
  const isOpen = asked !== null && (!slots || includesSlot(slots, asked))
  return { promised, chosen: isOpen ? asked : promised }
}

/** The fields of a request: a chosen slot, or else the promised one that the page shows. */
export function choiceFields({ chosen, promised }: ReturnType<typeof useChosenSlot>) {
  if (!sameSlot(chosen, promised)) return { deliveryDate: chosen?.date }
  return promised === null ? {} : { expectedDate: promised.date }
}

/**
 * Shows the days of a refusal (`DATE_CHANGED`, `DATE_NOT_AVAILABLE`) at once. It names no reasons of closed days, so the days
 * are refetched.
 */
export function cacheDays(
  queries: QueryClient,
  { queryKey }: ReturnType<typeof deliveryDaysQuery>,
  days?: readonly string[],
) {
  if (days) {
    queries.setQueryData(
      queryKey,
      days.map((date) => ({ date, windows: [], closedBefore: [] })),
    )
  }
  void queries.invalidateQueries({ queryKey })
}

export type OpenDay = Pick<DeliveryDay, 'date' | 'closedBefore'>
type ShownDay =
  | { date: string; isOpen: true }
  | { date: string; isOpen: false; reason: UnavailableDay['reason'] | null }

/** The open days with the closed ones before and between them. */
export function withClosedDays(open: readonly OpenDay[]): ShownDay[] {
  const reasons = new Map(open.flatMap(({ closedBefore }) => closedBefore.map(({ date, reason }) => [date, reason])))
  const isOpen = new Set(open.map(({ date }) => date))
  const [first, last] = [open[0]?.closedBefore[0]?.date ?? open[0]?.date, open.at(-1)?.date ?? '']
  const days: ShownDay[] = []
  for (let date = first; date !== undefined && date <= last; date = addDays(date, 1))
    days.push(isOpen.has(date) ? { date, isOpen: true } : { date, isOpen: false, reason: reasons.get(date) ?? null })
  return days
}

/** Closed days except Fridays; neighbours with one reason are one entry. */
export function closedSpans(open: readonly OpenDay[]): (UnavailableDay & { until: string })[] {
  return open.flatMap(({ closedBefore }) => {
    const spans: (UnavailableDay & { until: string })[] = []
    for (const day of closedBefore) {
      const last = spans.at(-1)
      if (day.reason === 'friday') continue
      if (last?.reason === day.reason && last.name === day.name) last.until = day.date
      else spans.push({ ...day, until: day.date })
    }
    return spans
  })
}
