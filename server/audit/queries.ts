import { AUDIT_COUNTED_AHEAD, type AuditEntry, type listAudit, MOST_AUDIT_ROWS } from '@qatra/contract/audit'
import { addDays, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { parseOrderId } from '@qatra/contract/orders/order-id'
import type { Actor } from '@qatra/contract/users/actor'
import { type SQL, sql } from 'drizzle-orm'
import { inReach } from '../conversations/policy.ts'
import { contacts } from '../conversations/tables.ts'
import { customerNameFor, hasNameKnownTo } from '../customers/policy.ts'
import type { Ctx } from '../database/context.ts'
import { redact } from '../lib/redact.ts'
import { dayOfCell, type Table, tableOf, timeCell } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { containing, searchedFor } from '../users/admin.queries.ts'
import { vendorInReach } from '../vendors/policy.ts'

export type Filters = Omit<Parsed<typeof listAudit>['query'], 'page' | 'limit'>

/** The three histories, each mapped to the same columns. */
const histories = {
  log: {
    from: sql`audit_log h`,
    columns: sql`'log-' || h.id as id, h.created_at as at, h.id as n, h.action, h.resource, h.resource_id, h.vendor_id,
      h.user_id as author, h.on_behalf_of, h.key_id, h.old_values, h.new_values, null::text as field, null::text as old_value,
      null::text as new_value, null::text as notes, h.ip_address, h.user_agent`,
    at: sql`h.created_at`,
    author: sql`h.user_id`,
    vendor: sql`h.vendor_id`,
    resourceId: sql`h.resource_id`,
  },
  order: {
    from: sql`order_audit_history h join orders o on o.id = h.order_id`,
    columns: sql`'order-' || h.id as id, h.changed_at as at, h.id as n, h.action, 'order' as resource,
      h.order_id as resource_id, o.vendor_id, h.changed_by as author, h.on_behalf_of, h.key_id, null::jsonb as old_values,
      null::jsonb as new_values, h.field_changed as field, h.old_value, h.new_value, h.notes, null::text as ip_address,
      null::text as user_agent`,
    at: sql`h.changed_at`,
    author: sql`h.changed_by`,
    vendor: sql`o.vendor_id`,
    resourceId: sql`h.order_id`,
  },
  product: {
    from: sql`product_audit_history h left join products p on p.id = h.product_id`,
    columns: sql`'product-' || h.id as id, h.changed_at as at, h.id as n, h.action, 'product' as resource,
      h.product_id::text as resource_id, p.vendor_id, h.changed_by as author, h.on_behalf_of, h.key_id, null::jsonb as old_values,
      null::jsonb as new_values, h.field_changed as field, h.old_value, h.new_value, h.notes, null::text as ip_address,
      null::text as user_agent`,
    at: sql`h.changed_at`,
    author: sql`h.changed_by`,
    vendor: sql`p.vendor_id`,
    resourceId: sql`h.product_id::text`,
  },
} as const
type History = (typeof histories)[keyof typeof histories]

function historiesFor(resource: string | undefined): History[] {
  if (resource === undefined) return Object.values(histories)
  if (resource === 'order' || resource === 'product') return [histories[resource]]
  return [histories.log]
}

const listed = (values: readonly (string | number)[]) =>
  sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`

/** Subjects of a search: people by name or phone, or the id of a resource. */
async function searchSubjects({ db, actor }: Ctx, search: string | undefined) {
  const sought = search === undefined ? '' : searchedFor(search)
  if (search === undefined || sought === '') return null
  // By name, a vendor's staff find only colleagues and customers whose account name the vendor knows.
  const vendor = vendorInReach(actor)
  const mayFind =
    vendor === null || /^\d+$/.test(sought)
      ? sql``
      : sql` and (vendor_id = ${vendor} or ${hasNameKnownTo({ id: sql`users.id`, name: sql`users.name` }, vendor)})`
  const found = await db.execute<{ id: number }>(
    sql`select id from users where search_text like ${containing(sought)}${mayFind} limit 100`,
  )
  const ids = [search.trim(), parseOrderId(search)].filter((id) => id !== null)
  return { people: found.rows.map(({ id }) => id), ids: [...new Set(ids)] }
}
type SearchSubjects = Awaited<ReturnType<typeof searchSubjects>>

interface Bounds {
  actor: Actor
  vendor: number | null
  sought: SearchSubjects
  /** Excludes later entries, so that pages do not shift while they are read. */
  until: Date | undefined
}

function conditions(history: History, filters: Filters, { vendor, sought, until, actor }: Bounds) {
  const { userId, resource, action, from, to } = filters
  const parts: SQL[] = []
  if (vendor !== null) parts.push(sql`${history.vendor} = ${vendor}`)
  // Conversations follow their own policy.
  if (vendor !== null && history === histories.log)
    parts.push(sql`(h.resource <> 'conversation' or exists (select from ${contacts}
      where ${contacts.id}::text = h.resource_id and ${inReach(actor)}))`)
  if (until !== undefined) parts.push(sql`${history.at} <= ${until.toISOString()}`)
  if (history === histories.log && resource !== undefined) parts.push(sql`h.resource = ${resource}`)
  if (action !== undefined) parts.push(sql`h.action = ${action}`)
  if (from !== undefined) parts.push(sql`${history.at} >= ${startOfBahrainDay(from).toISOString()}`)
  if (to !== undefined) parts.push(sql`${history.at} < ${startOfBahrainDay(addDays(to, 1)).toISOString()}`)
  if (userId !== undefined) parts.push(sql`(${history.author} = ${userId} or h.on_behalf_of = ${userId})`)
  if (sought) {
    const ofPeople = sought.people.length
      ? sql` or ${history.author} in ${listed(sought.people)} or h.on_behalf_of in ${listed(sought.people)}`
      : sql``
    parts.push(sql`(${history.resourceId} in ${listed(sought.ids)}${ofPeople})`)
  }
  return parts.length ? sql`where ${sql.join(parts, sql` and `)}` : sql``
}

interface Row extends Omit<AuditEntry, 'at' | 'changes'>, Record<string, unknown> {
  at: string
  oldValues: Record<string, unknown> | null
  newValues: Record<string, unknown> | null
  field: string | null
  oldValue: string | null
  newValue: string | null
}
type Change = Pick<Row, 'oldValues' | 'newValues' | 'field' | 'oldValue' | 'newValue'>

function changesOf({ oldValues, newValues, field, oldValue, newValue }: Change): AuditEntry['changes'] {
  if (field !== null) return [{ field, from: redact(field, oldValue) ?? null, to: redact(field, newValue) ?? null }]
  const fields = new Set([...Object.keys(oldValues ?? {}), ...Object.keys(newValues ?? {})])
  return [...fields].map((name) => ({
    field: name,
    from: redact(name, oldValues?.[name]) ?? null,
    to: redact(name, newValues?.[name]) ?? null,
  }))
}

function describe({ oldValues, newValues, field, oldValue, newValue, ...entry }: Row, { user }: Actor): AuditEntry {
  return {
    ...entry,
    at: new Date(entry.at).toISOString(),
    changes: changesOf({ oldValues, newValues, field, oldValue, newValue }),
    ipAddress: user?.role === 'super_admin' ? entry.ipAddress : null,
    userAgent: user?.role === 'super_admin' ? entry.userAgent : null,
  }
}

async function readWindow(
  ctx: Ctx,
  filters: Filters,
  { skip, take, until }: { skip: number; take: number; until?: Date },
) {
  const vendor = vendorInReach(ctx.actor, filters.vendorId || null)
  const sought = await searchSubjects(ctx, filters.search)
  const each = historiesFor(filters.resource).map((history) => ({
    history,
    where: conditions(history, filters, { vendor, sought, until, actor: ctx.actor }),
  }))
  const union = sql.join(
    each.map(
      ({ history, where }) =>
        sql`(select ${history.columns} from ${history.from} ${where} order by ${history.at} desc, h.id desc limit ${skip + take})`,
    ),
    sql` union all `,
  )
  const counts = sql.join(
    each.map(
      ({ history, where }) =>
        sql`(select count(*)::integer from (select from ${history.from} ${where} limit ${skip + take + AUDIT_COUNTED_AHEAD}) c)`,
    ),
    sql` + `,
  )
  const own = vendorInReach(ctx.actor)
  const subject = customerNameFor({ id: sql`s.id`, name: sql`s.name` }, own)
  const title = customerNameFor({ id: sql`r.id`, name: sql`r.name` }, own)
  const rows = ctx.db.execute<Row>(sql`
    select a.id, a.at, a.action, a.resource, a.resource_id as "resourceId", a.vendor_id as "vendorId",
      a.old_values as "oldValues", a.new_values as "newValues", a.field, a.old_value as "oldValue",
      a.new_value as "newValue", a.notes, a.ip_address as "ipAddress", a.user_agent as "userAgent",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'phone', u.phone) end as "user",
      case when s.id is not null then json_build_object('id', s.id, 'phone', s.phone,
        'name', case when s.vendor_id = ${own} then s.name else ${subject} end) end as "onBehalfOf",
      case when k.id is not null then json_build_object('id', k.id, 'name', k.name) end as key,
      coalesce(p.name, v.name, case when r.vendor_id = ${own} then r.name else ${title} end) as title,
      coalesce(p.name_ar, v.name_ar) as "titleAr"
    from (select * from (${union}) w order by at desc, n desc, id limit ${take} offset ${skip}) a
    left join users u on u.id = a.author
    left join users s on s.id = a.on_behalf_of
    left join api_keys k on k.id = a.key_id
    left join products p on a.resource = 'product' and p.id::text = a.resource_id
    left join vendors v on a.resource = 'vendor' and v.id::text = a.resource_id
    left join users r on a.resource in ('user', 'customer') and r.id = case when a.resource_id ~ '^[0-9]{1,9}$' then a.resource_id::integer end
    order by a.at desc, a.n desc, a.id`)
  return { rows, total: () => ctx.db.execute<{ total: number }>(sql`select ${counts} as total`) }
}

export async function listHistory(
  ctx: Ctx,
  { page, limit, ...filters }: Parsed<typeof listAudit>['query'],
): Promise<Output<typeof listAudit>> {
  const skip = (page - 1) * limit
  // Limits paging; filters by day and person reach older rows.
  const take = Math.max(0, Math.min(limit, MOST_AUDIT_ROWS - skip))
  const window = await readWindow(ctx, filters, { skip: take > 0 ? skip : 0, take })
  const [rows, counted] = await Promise.all([window.rows, window.total()])
  const items = rows.rows.map((row) => describe(row, ctx.actor))
  return {
    items,
    page,
    limit,
    total: Math.min(counted.rows[0]?.total ?? 0, MOST_AUDIT_ROWS, skip + limit + AUDIT_COUNTED_AHEAD),
  }
}

const BATCH = 500

/** The newest matching entries, as of the time of the call; read while the file is sent. */
export async function* readHistory(ctx: Ctx, filters: Filters): AsyncGenerator<AuditEntry> {
  for (let skip = 0; skip < MOST_AUDIT_ROWS; skip += BATCH) {
    const window = await readWindow(ctx, filters, { skip, take: BATCH, until: ctx.now })
    const { rows } = await window.rows
    for (const row of rows) yield describe(row, ctx.actor)
    if (rows.length < BATCH) return
  }
}

const nameOf = (person: AuditEntry['user']) =>
  person && `${person.name ?? ''} ${person.phone.replace(/^\+/, '')}`.trim()
const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export function exportHistory(ctx: Ctx, filters: Filters, lang: Lang): Table {
  const t = translatorFor(lang)
  return tableOf({
    lang,
    rows: readHistory(ctx, filters),
    columns: {
      day: ({ at }) => dayOfCell(at),
      time: ({ at }) => timeCell(at),
      who: ({ user, key }) => [nameOf(user), key && `(API: ${key.name})`].filter(Boolean).join(' '),
      behalf: ({ onBehalfOf }) => nameOf(onBehalfOf),
      action: ({ action }) => action,
      resource: ({ resource }) => resource,
      resourceId: ({ resourceId }) => resourceId,
      changes: ({ changes }) =>
        changes.map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`).join('; '),
      notes: ({ notes }) => notes,
      ip: ({ ipAddress }) => ipAddress,
    },
    titleOf: (column) => t(`auditFile.${column}`),
  })
}
