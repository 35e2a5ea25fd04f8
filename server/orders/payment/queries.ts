import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type Fils, fils, toBhd } from '@qatra/contract/lib/money'
import type { Double, OrderPayments, Payment, PaymentMeans, RefundLimit } from '@qatra/contract/orders/payments'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { authorsOf } from '../../jobs/domain-events.ts'
import { balancesOf, moneyOf } from '../../ledger/queries.ts'
import type { Business } from '../../vendors/queries.ts'
import { managedBy } from '../policy.ts'
import { balanceOf, requireOrderRow } from '../queries.ts'
import { doubleOf, type HeldEntry, limitOf } from './rules.ts'

interface PaymentRow extends Omit<Payment, 'amount' | 'holder' | 'at' | 'recordedBy'> {
  amount: Fils
  holder: Payment['holder']['kind']
  holderId: number | null
  holderName: string | null
  happenedAt: Date
  authorId: number | null
  authorName: string | null
}

/** Another order of the vendor that had this reference by these means, in an entry before `id`. */
const usedBefore = (id: string, means: string, reference: string) =>
  `(select other.order_id from ledger_entries other where other.vendor_id = o.vendor_id and other.reference = ${reference}
      and other.means = ${means} and other.order_id <> o.id and other.id < ${id} order by other.id limit 1)`

/** The key is shown as the client sent it, without the parts that `driverKey` and `officeKey` put before it. */
const paymentsSql = statement(
  'order-payments',
  `select entry.id, entry.means, entry.amount, entry.holder, entry.holder_id as "holderId", holder.name as "holderName",
     entry.reference, regexp_replace(entry.key, '^([0-9]+|office):[0-9]+:', '') as key, entry.happened_at as "happenedAt",
     entry.day::text as date, entry.created_by as "authorId", author.name as "authorName", entry.notes as reason,
     case when $2::boolean then ${usedBefore('entry.id', 'entry.means', 'entry.reference')} end as "usedBefore"
   from (select entry.* ${moneyOf('$1')}) entry
   join orders o on o.id = entry.order_id
   left join users holder on holder.id = entry.holder_id
   left join users author on author.id = entry.created_by
   order by entry.id`,
)

/** Drivers and sales agents do not see orders of others. */
const seesOthers = ({ user }: Ctx['actor']) => isAuthorized({ allow: 'admin' }, user)

/** Oldest first. */
export async function readPayments({ db, actor }: Pick<Ctx, 'db' | 'actor'>, orderId: string): Promise<Payment[]> {
  const rows = await run<PaymentRow>(db, paymentsSql, [orderId, seesOthers(actor)])
  return rows.map(({ holder: kind, holderId, holderName, authorId, authorName, amount, happenedAt, ...payment }) => ({
    ...payment,
    amount: toBhd(amount),
    holder: { kind, id: holderId, name: holderName },
    at: happenedAt.toISOString(),
    recordedBy: authorId === null ? null : { id: authorId, name: authorName },
  }))
}

const saleDaySql = statement(
  'order-sale-day',
  `select day::text from ledger_entries where order_id = $1 and ledger = 'sales' and kind = 'delivered' order by id desc limit 1`,
)

/** The day on which the last delivery counts. */
export async function findSaleDay({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<string | null> {
  const [row] = await run<{ day: string }>(db, saleDaySql, [orderId])
  return row?.day ?? null
}

const usedBeforeSql = statement(
  'order-reference-used',
  `select ${usedBefore('2147483647', '$2', '$3')} as id from orders o where o.id = $1`,
)

export async function listPayments(
  ctx: Ctx,
  typedId: string,
  { means = 'cash', reference }: { means?: PaymentMeans | undefined; reference?: string | null | undefined },
): Promise<OrderPayments> {
  const order = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const [entries, received, [used]] = await Promise.all([
    readPayments(ctx, order.id),
    balancesOf(ctx, [order.id]),
    reference && seesOthers(ctx.actor)
      ? run<{ id: string | null }>(ctx.db, usedBeforeSql, [order.id, means, reference])
      : [],
  ])
  return { entries, due: balanceOf(order, received.get(order.id) ?? 0), usedBefore: used?.id ?? null }
}

const nameOf = (column: string) => `(select u.name from users u where u.id = entry.${column})`
const heldSql = statement(
  'order-money-held',
  `select entry.order_id as "orderId", entry.id, entry.kind, entry.delivery, entry.holder, entry.holder_id as "holderId",
     ${nameOf('holder_id')} as "holderName", entry.created_by as "authorId", ${nameOf('created_by')} as "authorName",
     entry.means, entry.amount::float8 as amount, entry.day::text as day,
     exists (select from ledger_entries r where r.ledger = 'money'
       and r.key in ('reversed:' || entry.id, 'refunded:' || entry.id, 'doubled:' || entry.id)) as "isReversed"
   ${moneyOf('any($1::text[])')} order by entry.id desc`,
)

export interface RecordedEntry extends HeldEntry {
  orderId: string
  holderName: string | null
  authorId: number | null
  authorName: string | null
}

/** Entries of these orders, newest first. */
export const readHeld = ({ db }: Pick<Ctx, 'db'>, orderIds: readonly string[]): Promise<RecordedEntry[]> =>
  run<RecordedEntry>(db, heldSql, [orderIds])

/** Whether the actor takes it back as an own mistake of the same day. */
export const isOwnMistake = (ctx: Pick<Ctx, 'actor' | 'now'>, { kind, authorId, day }: RecordedEntry): boolean =>
  kind === 'payment' && authorId === authorsOf(ctx).changedBy && day === bahrainDate(ctx.now)

/** Those of these orders whose money may be recorded twice. @param orders with what is owed for them, and was received, in fils */
export async function readDoubles(
  ctx: Ctx,
  orders: readonly { id: string; total: number; received: number }[],
): Promise<Map<string, Double>> {
  if (orders.length === 0 || !seesOthers(ctx.actor)) return new Map()
  const ids = orders.map(({ id }) => id)
  const held = Map.groupBy(await readHeld(ctx, ids), ({ orderId }) => orderId)
  const sumOf = (entries: readonly RecordedEntry[]) => toBhd(fils(entries.reduce((sum, { amount }) => sum + amount, 0)))
  return new Map(
    orders.flatMap((order) => {
      const found = doubleOf(held.get(order.id) ?? [], order)
      const [recorded, reported] = [found?.office[0], found?.driver[0]]
      if (!found || !recorded || !reported) return []
      const office = { name: recorded.authorName, amount: sumOf(found.office), isOwn: isOwnMistake(ctx, recorded) }
      return [[order.id, { office, driver: { name: reported.holderName, amount: sumOf(found.driver) } }] as const]
    }),
  )
}

/** Who of the office takes and pays: during impersonation the person who really does it. */
export const officePerson = (ctx: Ctx) => authorsOf(ctx).changedBy ?? userOf(ctx).id

/**
 * Refunds, records that were taken back and write-offs, by the day of recording, since one may name an earlier time, at most
 * 14 days back; without one's own mistakes.
 */
const refundedSql = statement(
  'office-refunded',
  `select coalesce(sum(abs(amount)), 0)::float8 as refunded from ledger_entries
   where ledger = 'money' and vendor_id = $1 and day >= $2::date - 15 and (kind in ('payment', 'refunded') and amount < 0 or kind = 'written-off')
     and (created_at at time zone 'Asia/Bahrain')::date = $2::date and created_by = $3 and key not like 'reversed:%'`,
)

/** What the actor may pay back and write off today at the vendor, and has; null without a limit. */
export async function readRefundLimit(
  ctx: Ctx,
  vendorId: number,
  business: Pick<Business, 'limits'>,
): Promise<RefundLimit | null> {
  const limit = limitOf(ctx.actor, business)
  if (limit === undefined) return null
  const values = [vendorId, bahrainDate(ctx.now), officePerson(ctx)]
  const [row] = await run<{ refunded: number }>(ctx.db, refundedSql, values)
  return { limit, refunded: row?.refunded ?? 0 }
}
