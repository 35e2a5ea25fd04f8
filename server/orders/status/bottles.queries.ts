import { givenName } from '@qatra/contract/lib/given-name'
import { fils, toBhd } from '@qatra/contract/lib/money'
import type { DoorCount } from '@qatra/contract/my-bottles'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'

const countsSql = statement(
  'order-bottle-counts',
  `with o as (
     select id, status, (select greatest(1, count(*)) from order_audit_history h
       where h.order_id = orders.id and h.field_changed = 'status' and h.new_value = 'delivered') as delivery
     from orders where id = $1
   ), own as (
     select bottle_type_id as type_id, max(bottle_deposit) as deposit, sum(empties) as counted,
       sum(least(coalesce(ordered_empties, empties), quantity)) as expected
     from order_items where order_id = $1 and bottle_deposit is not null group by 1
   ), moved as (
     select e.bottle_type_id as type_id, sum(e.amount) as kept, coalesce(-sum(e.amount) filter (where e.kind = 'returned'), 0) as returned,
       sum(e.due) as due, max(e.notes) as notes, max(e.created_by) as by, min(e.happened_at) as at
     from o join ledger_entries e on e.order_id = o.id and e.delivery = o.delivery
     where o.status = 'delivered' and e.ledger = 'bottles' and e.kind in ('delivered', 'returned') group by 1
   )
   select t.id as "typeId", t.name, t.name_ar as "nameAr", coalesce(own.deposit, t.deposit)::float8 as deposit,
     coalesce(own.expected, 0)::int as expected, coalesce(own.counted, 0)::int as counted, moved.kept::int as kept,
     moved.returned::int as returned, moved.due::float8 as due, moved.notes, moved.at,
     u.role = 'driver' as "isDriver", u.name as "byName"
   from own full join moved using (type_id) join bottle_types t on t.id = type_id left join users u on u.id = moved.by
   order by t.id`,
)

interface Row extends Pick<DoorCount, 'typeId' | 'name' | 'nameAr' | 'expected' | 'returned'> {
  deposit: number
  /** Empties that lower the order's deposit. */
  counted: number
  kept: number | null
  due: number | null
  notes: string | null
  at: Date | null
  isDriver: boolean | null
  byName: string | null
}

/** Of bottles that give nothing back, in the notes of what came back. */
const uselessIn = (notes: string | null, what: 'broken' | 'foreign') =>
  Number(new RegExp(`\\b${what}=(\\d+)`).exec(notes ?? '')?.[1] ?? 0)

/** Empties of an order by type: expected, and what was counted at its last delivery unless that was taken back. */
export async function readDoorCounts({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<DoorCount[]> {
  const rows = await run<Row>(db, countsSql, [orderId])
  return rows.map(({ deposit, counted, kept, due, notes, at, isDriver, byName, ...row }) => {
    const each = fils(deposit)
    return {
      ...row,
      broken: uselessIn(notes, 'broken'),
      foreign: uselessIn(notes, 'foreign'),
      charged: toBhd(fils((row.expected - counted) * each)),
      credit: kept === null ? 0 : toBhd(fils((due ?? 0) - kept * each)),
      by: at && {
        isDriver: isDriver ?? false,
        firstName: (isDriver && givenName(byName ?? '')) || null,
      },
      at: at?.toISOString() ?? null,
    }
  })
}
