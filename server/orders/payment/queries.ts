import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { OrderPayments, Payment } from '@qatra/contract/orders/payments'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { balancesOf, moneyOf } from '../../ledger/queries.ts'
import { managedBy } from '../policy.ts'
import { balanceOf, requireOrderRow } from '../queries.ts'
import type { HeldEntry } from './rules.ts'

interface PaymentRow extends Omit<Payment, 'amount' | 'holder' | 'at' | 'recordedBy'> {
  amount: Fils
  holder: Payment['holder']['kind']
  holderId: number | null
  holderName: string | null
  happenedAt: Date
  authorId: number | null
  authorName: string | null
}

/** The key is shown as the client sent it, without the parts that `driverKey` and `officeKey` put before it. */
const paymentsSql = statement(
  'order-payments',
  `select entry.id, entry.means, entry.amount, entry.holder, entry.holder_id as "holderId", holder.name as "holderName",
     entry.reference, regexp_replace(entry.key, '^([0-9]+|office):[0-9]+:', '') as key, entry.happened_at as "happenedAt",
     entry.day::text as date, entry.created_by as "authorId", author.name as "authorName", entry.notes as reason
   from (select entry.* ${moneyOf('$1')}) entry
   left join users holder on holder.id = entry.holder_id
   left join users author on author.id = entry.created_by
   order by entry.id`,
)

/** Oldest first. */
export async function readPayments({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<Payment[]> {
  const rows = await run<PaymentRow>(db, paymentsSql, [orderId])
  return rows.map(({ holder: kind, holderId, holderName, authorId, authorName, amount, happenedAt, ...payment }) => ({
    ...payment,
    amount: toBhd(amount),
    holder: { kind, id: holderId, name: holderName },
    at: happenedAt.toISOString(),
    recordedBy: authorId === null ? null : { id: authorId, name: authorName },
  }))
}

export async function listPayments(ctx: Ctx, typedId: string): Promise<OrderPayments> {
  const order = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const [entries, received] = await Promise.all([readPayments(ctx, order.id), balancesOf(ctx, [order.id])])
  return { entries, due: balanceOf(order, received.get(order.id) ?? 0) }
}

const heldSql = statement(
  'order-money-held',
  `select entry.id, entry.holder, entry.holder_id as "holderId", entry.means, entry.amount::float8 as amount,
     entry.day::text as day, exists (select from ledger_entries r where r.ledger = 'money'
       and r.key in ('reversed:' || entry.id, 'refunded:' || entry.id)) as "isReversed"
   ${moneyOf('$1')} order by entry.id desc`,
)

/** Entries of an order that the caller has locked, newest first. */
export const readHeld = ({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<HeldEntry[]> =>
  run<HeldEntry>(db, heldSql, [orderId])
