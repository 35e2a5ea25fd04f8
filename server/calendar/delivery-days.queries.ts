import { shareLock, takeLock } from '../database/advisory-lock.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { allInOrder } from '../database/transaction.ts'
import type { DeliveryTerms } from './delivery-days.ts'

/**
 * Excludes the closing of a day until the transaction ends. Taken before a day is promised: an order is either committed
 * before the closure, whose job then finds it, or the order's transaction reads the closure.
 */
export const lockCalendar = ({ db }: { db: Db }) => shareLock(db, 'calendar')

/** Waits for all transactions that promise a day. */
export const lockCalendarToClose = ({ db }: { db: Db }) => takeLock(db, 'calendar')

/** Days without delivery of a vendor; `vendor` is a SQL expression. */
export const closedDaysSql = (vendor: string) =>
  `(select coalesce(json_agg(h.day), '[]') from holidays h
    where h.day >= (now() at time zone 'Asia/Bahrain')::date and (h.vendor_id is null or h.vendor_id = ${vendor}))`

const termsSql = statement(
  'delivery-terms',
  `select v.cut_off as "cutOff", ${closedDaysSql('v.id')} as "closedDays" from vendors v where v.id = $1`,
)

/** Locks the calendar, then reads, in one round trip. */
export async function readDeliveryTerms({ db }: Pick<Ctx, 'db'>, vendorId: number): Promise<DeliveryTerms> {
  const [, [terms]] = await allInOrder([lockCalendar({ db }), run<DeliveryTerms>(db, termsSql, [vendorId])])
  return terms ?? { cutOff: null, closedDays: [] }
}
