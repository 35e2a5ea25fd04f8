import type { TimelineEntry } from '@qatra/contract/orders-admin'
import { isAuthorized } from '@qatra/contract/permissions'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { managedBy } from '../policy.ts'
import { requireOrderRow } from '../queries.ts'

interface Row {
  id: number
  action: string
  changed_at: Date
  field_changed: string | null
  old_value: string | null
  new_value: string | null
  notes: string | null
  by_id: number | null
  by_name: string | null
  by_role: string | null
  for_id: number | null
  for_name: string | null
  for_role: string | null
  from_name: string | null
  to_name: string | null
}

const isDriver = `h.field_changed = 'assignedDriverId'`
const timelineSql = statement(
  'order-timeline',
  `select h.id, h.action, h.changed_at, h.field_changed, h.old_value, h.new_value, h.notes,
     b.id as by_id, b.name as by_name, b.role as by_role, f.id as for_id,
     case when f.id = o.user_id then o.customer_name else f.name end as for_name,
     case when f.id = o.user_id then 'customer' else f.role end as for_role,
     (select coalesce(d.name, d.phone) from users d where ${isDriver} and d.id = h.old_value::integer) as from_name,
     (select coalesce(d.name, d.phone) from users d where ${isDriver} and d.id = h.new_value::integer) as to_name
   from order_audit_history h
   join orders o on o.id = h.order_id
   left join users b on b.id = h.changed_by
   left join users f on f.id = h.on_behalf_of
   where h.order_id = $1 and (h.action <> 'note' or $2)
   order by h.id desc
   limit 500`,
)

/** Newest first. Shows the customer's name from the order, not from the account. Drivers and sales agents get no notes. */
export async function readTimeline(ctx: Ctx, typedId: string): Promise<TimelineEntry[]> {
  const { id } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const mayReadNotes = isAuthorized({ allow: 'admin', permissions: ['orders.read'] }, ctx.actor.user)
  const rows = await run<Row>(ctx.db, timelineSql, [id, mayReadNotes])
  return rows.map((row) => ({
    id: row.id,
    at: row.changed_at.toISOString(),
    action: row.action,
    field: row.field_changed,
    from: row.old_value,
    to: row.new_value,
    notes: row.notes,
    by: personOf(row.by_id, row.by_name, row.by_role),
    onBehalfOf: personOf(row.for_id, row.for_name, row.for_role),
    fromName: row.from_name,
    toName: row.to_name,
  }))
}

const personOf = (id: number | null, name: string | null, role: string | null) =>
  id === null ? null : { id, name, role: role ?? 'customer' }
