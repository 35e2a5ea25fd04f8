import type { addBottleEntry } from '@qatra/contract/bottles-admin'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { type Fils, fils, fromBhd, shareOf, timesFils, vatContained, zeroFils } from '@qatra/contract/lib/money'
import { STANDARD_VAT } from '@qatra/contract/lib/vat'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { postBottles } from '../bottles/commands.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { firstOpenDay } from '../ledger/commands.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { readSeller } from '../orders/receipt/queries.ts'
import { readMovements, requireHolder } from './bottle-entries.queries.ts'

const placeSql = statement(
  'bottle-address',
  `select exists (select from addresses a where a.id = $3 and a.user_id = $2 and (
     exists (select from bottle_balances b where b.vendor_id = $1 and b.customer_id = $2 and b.address_id = a.id)
     or exists (select from orders o where o.vendor_id = $1 and o.user_id = $2 and o.address = a.address))) as "isKnown"`,
)

/** Serializes entries of one customer, so that no deposit is forfeited twice; in the order in which `bottles.sql` locks. */
const lockSql = statement(
  'bottle-balance-lock',
  `with holder as materialized (select from customer_totals where user_id = $2 and vendor_id = $1 for no key update),
   locked as materialized (select deposit from bottle_balances where (select count(*) from holder) >= 0
     and vendor_id = $1 and customer_id = $2 and bottle_type_id = $3 order by id for update)
   select coalesce(sum(deposit), 0)::float8 as held from locked`,
)

const lostSql = statement(
  'bottle-lost',
  `select -coalesce(sum(amount), 0)::int as count, -coalesce(sum(due), 0)::float8 as forfeited, coalesce(sum(vat), 0)::float8 as vat
   from ledger_entries where ledger = 'bottles' and kind = 'lost' and vendor_id = $1 and holder_id = $2 and bottle_type_id = $3
     and key <> $4`,
)

type Entry = Parsed<typeof addBottleEntry>['body']

interface Lost {
  vendorId: number
  customerId: number
  typeId: number
  /** Negative for bottles that were found again. */
  count: number
  /** Of one bottle. */
  deposit: Fils
  held: number
  key: string
}
interface Forfeit {
  forfeited: Fils
  vat: Fils
}

/**
 * What the deposit of lost bottles becomes, with the VAT in it; negative for bottles that were found again, whose share of all
 * that was forfeited returns. @throws INVALID_BODY if more are found than were lost
 */
async function forfeitOf(
  ctx: Ctx,
  catalogue: Pick<Catalogue, 'settings'>,
  { vendorId, customerId, typeId, count, deposit, held, key }: Lost,
): Promise<Forfeit> {
  if (count > 0) {
    const forfeited = fils(Math.min(timesFils(deposit, count), Math.max(0, held)))
    const hasVat = forfeited > 0 && Boolean((await readSeller(ctx, catalogue, vendorId)).vatNumber)
    return { forfeited, vat: hasVat ? vatContained(forfeited, STANDARD_VAT) : zeroFils }
  }
  const [lost] = await run<{ count: number } & Forfeit>(ctx.db, lostSql, [vendorId, customerId, typeId, key])
  if (!lost || 0 - count > lost.count) throw invalidFields(ctx, { count: 'validation.number' })
  const part = { count, of: lost.count }
  return { forfeited: shareOf(lost.forfeited, part), vat: shareOf(lost.vat, part) }
}

/**
 * Bottles that the office enters by hand. Lost ones take their deposit with them, as far as one is held: it is income, with
 * the VAT that is contained in it if the seller of its receipts is registered. Found again, they bring back their share.
 * @throws FORBIDDEN, BOTTLE_TYPE_NOT_FOUND, CUSTOMER_NOT_FOUND, IDEMPOTENCY_KEY_REUSED
 */
export async function enterBottles(
  ctx: Ctx,
  catalogue: Pick<Catalogue, 'settings'>,
  entry: Entry,
): Promise<Output<typeof addBottleEntry>> {
  const { customerId, typeId, addressId = null, kind, reason } = entry
  if (
    (kind === 'lost' || kind === 'correction') &&
    !isAuthorized({ allow: 'admin', permissions: ['bottles.write-off'] }, ctx.actor.user)
  )
    throw new AppError('FORBIDDEN')
  if (kind !== 'correction' && kind !== 'lost' && entry.count < 0)
    throw invalidFields(ctx, { count: 'validation.number' })
  if (kind !== 'opening' && entry.deposit) throw invalidFields(ctx, { deposit: 'validation.invalid' })
  const { vendorId, deposit } = await requireHolder(ctx, entry)
  if (addressId !== null) {
    const [place] = await run<{ isKnown: boolean }>(ctx.db, placeSql, [vendorId, customerId, addressId])
    if (!place?.isKnown) throw invalidFields(ctx, { addressId: 'validation.invalid' })
  }
  const key = `entry:${vendorId}:${customerId}:${typeId}:${entry.key}`
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(ctx.now))
  const [{ held } = { held: 0 }] = await run<{ held: number }>(ctx.db, lockSql, [vendorId, customerId, typeId])
  const count = kind === 'returned' || kind === 'lost' ? 0 - entry.count : entry.count
  const of = { vendorId, customerId, typeId }
  const lost =
    kind === 'lost'
      ? await forfeitOf(ctx, catalogue, { ...of, count: entry.count, deposit: fils(deposit), held, key })
      : null
  const isNew = await postBottles(ctx, [
    {
      vendorId,
      customerId,
      typeId,
      addressId,
      kind,
      count,
      day,
      key,
      due: kind === 'opening' ? fromBhd(entry.deposit ?? 0) : 0 - (lost?.forfeited ?? 0),
      vat: lost?.vat ?? null,
      notes: reason,
      happenedAt: ctx.now,
    },
  ])
  if (isNew)
    await emit(ctx, {
      name: 'customer.bottles-entered',
      action: 'bottles-entered',
      resource: 'customer',
      id: customerId,
      vendorId,
      changes: [
        { field: 'bottleEntry', from: null, to: kind },
        { field: 'count', from: null, to: count },
      ],
    })
  const { balance, items } = await readMovements(ctx, entry)
  const [posted] = await run<{ id: number }>(ctx.db, postedSql, [key])
  const written = items.find(({ id }) => id === posted?.id)
  if (!written) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return { entry: written, balance }
}

const postedSql = statement('bottle-entry-id', `select id from ledger_entries where ledger = 'bottles' and key = $1`)
