import type { TimelineEntry } from '@qatra/contract/orders/admin'
import { isAuthorized } from '@qatra/contract/users/permissions'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { managedBy } from '../policy.ts'
import { requireOrderRow } from '../queries.ts'

const isDriver = `h.field_changed = 'assignedDriverId'`
/** A moved delivery is one line, also where a shipped order goes back to in-progress with it. */
const timelineSql = statement(
  'order-timeline',
  `select h.id, h.action, h.changed_at as at, h.field_changed as field, h.old_value as "from", h.new_value as "to", h.notes,
     case when b.id is not null then json_build_object('id', b.id, 'name', b.name, 'role', b.role) end as "by",
     case when f.id = o.user_id then json_build_object('id', f.id, 'name', o.customer_name, 'role', 'customer')
       when f.id is not null then json_build_object('id', f.id, 'name', f.name, 'role', f.role) end as "onBehalfOf",
     (select coalesce(d.name, d.phone) from users d where ${isDriver} and d.id = h.old_value::integer) as "fromName",
     (select coalesce(d.name, d.phone) from users d where ${isDriver} and d.id = h.new_value::integer) as "toName"
   from order_audit_history h
   join orders o on o.id = h.order_id
   left join users b on b.id = h.changed_by
   left join users f on f.id = h.on_behalf_of
   where h.order_id = $1 and h.changed_at >= $3::timestamptz - interval '1 day' and (h.action <> 'note' or $2)
     and not (h.field_changed = 'status' and h.old_value = 'shipped' and h.new_value = 'in-progress'
       and exists (select from order_audit_history m
         where m.order_id = h.order_id and m.changed_at = h.changed_at and m.field_changed = 'promisedDate'))
   order by h.id desc
   limit 500`,
)

/** Newest first. Shows the customer's name from the order, not from the account. Drivers and sales agents get no notes. */
export async function readTimeline(ctx: Ctx, typedId: string): Promise<TimelineEntry[]> {
  const { id, createdAt } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const mayReadNotes = isAuthorized({ allow: 'admin', permissions: ['orders.read'] }, ctx.actor.user)
  const rows = await run<Omit<TimelineEntry, 'at'> & { at: Date }>(ctx.db, timelineSql, [id, mayReadNotes, createdAt])
  return rows.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }))
}
