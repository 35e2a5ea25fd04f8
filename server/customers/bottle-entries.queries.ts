import type { ContactBottles, listBottleEntries } from '@qatra/contract/bottles-admin'
import type { Output } from '@qatra/contract/endpoint'
import { type Fils, fils } from '@qatra/contract/lib/money'
import { eq, sql } from 'drizzle-orm'
import { bottleTypes } from '../bottles/tables.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { managesVendor, vendorInReach } from '../vendors/policy.ts'
import { bhd, creditOf } from './bottles.queries.ts'

/** @throws BOTTLE_TYPE_NOT_FOUND, CUSTOMER_NOT_FOUND if the customer is not the vendor's */
export async function requireHolder(
  ctx: Ctx,
  { typeId, customerId }: { typeId: number; customerId: number },
): Promise<{ vendorId: number; deposit: Fils }> {
  const [type] = await ctx.db
    .select({ vendorId: bottleTypes.vendorId, deposit: sql<Fils>`${bottleTypes.deposit}`.mapWith(Number) })
    .from(bottleTypes)
    .where(eq(bottleTypes.id, typeId))
  if (!type || !managesVendor(ctx.actor, type.vendorId)) throw new AppError('BOTTLE_TYPE_NOT_FOUND')
  const [known] = await run<{ isKnown: boolean }>(ctx.db, holderSql, [customerId, type.vendorId])
  if (!known?.isKnown) throw new AppError('CUSTOMER_NOT_FOUND')
  return { ...type, deposit: fils(type.deposit) }
}

const holderSql = statement(
  'bottle-holder',
  `select exists (select from customer_totals where user_id = $1 and vendor_id = $2)
     or exists (select from bottle_balances where customer_id = $1 and vendor_id = $2) as "isKnown"`,
)

const movementsSql = statement(
  'bottle-movements',
  `select e.id, e.kind, e.amount::int as count, coalesce(e.due, 0)::float8 as deposit, coalesce(e.vat, 0)::float8 as vat,
     (sum(e.amount) over (order by e.id))::int as after, e.day::text as day, e.order_id as "orderId", e.notes as reason,
     u.name as by
   from ledger_entries e left join users u on u.id = e.created_by
   where e.ledger = 'bottles' and e.vendor_id = $1 and e.holder_id = $2 and e.bottle_type_id = $3 order by e.id desc limit 50`,
)
const balanceSql = statement(
  'bottle-balance',
  `select coalesce(sum(count), 0)::int as count, coalesce(sum(deposit), 0)::float8 as deposit from bottle_balances
   where vendor_id = $1 and customer_id = $2 and bottle_type_id = $3`,
)

/** @throws BOTTLE_TYPE_NOT_FOUND, CUSTOMER_NOT_FOUND */
export async function readMovements(
  ctx: Ctx,
  about: { customerId: number; typeId: number },
): Promise<Output<typeof listBottleEntries>> {
  const { vendorId, deposit: each } = await requireHolder(ctx, about)
  const keys = [vendorId, about.customerId, about.typeId]
  const [balance] = await run<{ count: number; deposit: number }>(ctx.db, balanceSql, keys)
  const items = await run<Output<typeof listBottleEntries>['items'][number]>(ctx.db, movementsSql, keys)
  const { count = 0, deposit = 0 } = balance ?? {}
  return {
    balance: { count, depositHeld: bhd(deposit), credit: creditOf({ count, deposit }, each) },
    items: items.map((item) => ({ ...item, deposit: bhd(item.deposit), vat: bhd(item.vat) })),
  }
}

const ofPhoneSql = statement(
  'bottles-of-phone',
  `select t.vendor_id as "vendorId", v.name as "vendorName", v.name_ar as "vendorNameAr", t.id as "typeId", t.name,
     t.name_ar as "nameAr", t.deposit::float8 as each, sum(b.count)::int as count, sum(b.deposit)::float8 as deposit,
     coalesce(json_agg(json_build_object('address', a.address, 'count', b.count) order by b.count desc, b.id)
       filter (where b.count <> 0), '[]') as places
   from bottle_balances b join bottle_types t on t.id = b.bottle_type_id join vendors v on v.id = t.vendor_id
   left join addresses a on a.id = b.address_id
   where b.customer_id = (select id from users where phone = $1 and erased_at is null)
     and ($2::integer is null or b.vendor_id = $2)
   group by t.id, v.id having sum(b.count) <> 0 or sum(b.deposit) <> 0 order by t.vendor_id, t.id`,
)

/** What the customer of a conversation has, at the vendors in the actor's reach. */
export async function listBottlesOf({ db, actor }: Ctx, phone: string): Promise<ContactBottles[]> {
  type Row = Omit<ContactBottles, 'depositHeld' | 'credit'> & { each: number; deposit: number }
  const rows = await run<Row>(db, ofPhoneSql, [phone, vendorInReach(actor)])
  return rows.map(({ each, deposit, ...row }) => ({
    ...row,
    depositHeld: bhd(deposit),
    credit: creditOf({ deposit, count: row.count }, each),
  }))
}
