import { eq } from 'drizzle-orm'
import { run, statement } from '../database/db.ts'
import { byWhom, type PersonalData } from '../database/personal-data.ts'
import { emit, eraseAuditTrail } from '../jobs/domain-events.ts'
import { listAddressRows } from './address-book.queries.ts'
import { anonymiseUser } from './commands.ts'
import { readUser } from './queries.ts'
import { users } from './tables.ts'

// Materialized, so that the planner does not scan the whole log backwards because of the limit.
const auditSql = statement(
  'audit-of-person',
  `with own as materialized (
     select * from audit_log where user_id = $1 or on_behalf_of = $1 or (resource = 'user' and resource_id = $1::text)
   ) select * from own order by id desc limit $2`,
)

interface AuditRow {
  user_id: number | null
  on_behalf_of: number | null
  action: string
  resource: string
  resource_id: string | null
  old_values: unknown
  new_values: unknown
  ip_address: string | null
  user_agent: string | null
  created_at: Date
}

/**
 * An audit entry for the person: their own actions, and the fact and time of staff actions on the account or in their
 * name. Omits address, browser, name and reason of staff, and the people that the person impersonated.
 */
function entryFor(id: number, row: AuditRow) {
  const by = byWhom(row.user_id, { id })
  const isOwn = by === 'person'
  const isAboutSelf = row.resource === 'user' && row.resource_id === String(id)
  const isForOther = isOwn && row.on_behalf_of !== null
  return {
    by,
    inTheNameOf: row.on_behalf_of === id ? 'person' : null,
    action: row.action,
    resource: row.resource,
    resourceId: isForOther ? null : row.resource_id,
    oldValues: isOwn && isAboutSelf ? row.old_values : null,
    newValues: isOwn && isAboutSelf ? row.new_values : null,
    ipAddress: isOwn ? row.ip_address : null,
    userAgent: isOwn ? row.user_agent : null,
    createdAt: row.created_at,
  }
}

/** Last in the list, since the other features find their rows by the account. */
export const userPersonalData: PersonalData = {
  tables: {
    users: { exported: 'user', erased: 'everything but the id taken out' },
    addresses: { exported: 'addresses', erased: 'deleted' },
    audit_log: { exported: 'audit', erased: 'address and browser taken out; who did what and when stays' },
  },
  async export(ctx, { id, maxRows }) {
    const { db } = ctx
    const [row] = await db.select().from(users).where(eq(users.id, id))
    const audit = await run<AuditRow>(db, auditSql, [id, maxRows])
    return {
      user: row
        ? [
            {
              ...(await readUser(ctx, row)),
              isActive: row.isActive,
              deliveryAreaId: row.deliveryAreaId,
              telegramName: row.telegramName,
              consentSource: row.consentSource,
              consentAt: row.consentAt,
              lastLoginAt: row.lastLoginAt,
              lastActiveAt: row.lastActiveAt,
              updatedAt: row.updatedAt,
            },
          ]
        : [],
      addresses: (await listAddressRows(ctx, id, maxRows)).map(({ userId: _, ...address }) => address),
      audit: audit.map((row) => entryFor(id, row)),
    }
  },
  async erase(ctx, { id }) {
    await emit(ctx, { name: 'user.erased', action: 'deleted', resource: 'user', id })
    await anonymiseUser(ctx, id)
    await eraseAuditTrail(ctx, id)
  },
}
