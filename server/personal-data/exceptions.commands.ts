import { desc, eq, inArray, sql } from 'drizzle-orm'
import { sessions } from '../auth/tables.ts'
import { templateCampaigns, templateSends } from '../campaigns/tables.ts'
import { customerImportRows, customerImports } from '../customers/tables.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { byOrder, byWhom, type Person } from '../database/personal-data.ts'
import { emit } from '../jobs/domain-events.ts'
import { orderAuditHistory } from '../orders/tables.ts'
import { pushSubscriptions } from '../push/tables.ts'
import { anonymiseUser } from '../users/commands.ts'
import { readUser } from '../users/queries.ts'
import { users } from '../users/tables.ts'

/** A change of driver names only staff. */
export async function orderHistoryOf({ db }: Ctx, person: Person) {
  const rows = await db
    .select()
    .from(orderAuditHistory)
    .where(byOrder(orderAuditHistory.orderId)(person))
    .orderBy(desc(orderAuditHistory.id))
    .limit(person.maxRows)
  return rows
    .filter(({ fieldChanged }) => fieldChanged !== 'assignedDriverId')
    .map(({ changedBy, onBehalfOf: _, ...row }) => ({ ...row, by: byWhom(changedBy, person) }))
}

export const customerImportsOf = ({ db }: Ctx, { id, maxRows }: Person) =>
  db
    .select({
      createdAt: customerImports.createdAt,
      undoneAt: customerImports.undoneAt,
      vendorId: customerImports.vendorId,
      name: customerImportRows.name,
      address: customerImportRows.address,
      addressParts: customerImportRows.addressParts,
      areaId: customerImportRows.areaId,
      consent: customerImportRows.consent,
      consentWords: customerImportRows.consentWords,
      tags: customerImportRows.tags,
    })
    .from(customerImportRows)
    .innerJoin(customerImports, eq(customerImports.id, customerImportRows.importId))
    .where(eq(customerImportRows.userId, id))
    .orderBy(desc(customerImportRows.importId))
    .limit(maxRows)

export const campaignSendsOf = ({ db }: Ctx, { phone, maxRows }: Person) =>
  db
    .select({
      templateName: templateCampaigns.templateName,
      language: templateCampaigns.language,
      sentLanguage: templateSends.language,
      variables: templateSends.variables,
      status: templateSends.status,
      sentAt: templateSends.sentAt,
      deliveredAt: templateSends.deliveredAt,
      readAt: templateSends.readAt,
      clickedAt: templateSends.clickedAt,
      createdAt: templateSends.createdAt,
    })
    .from(templateSends)
    .innerJoin(templateCampaigns, eq(templateCampaigns.id, templateSends.campaignId))
    .where(eq(templateSends.recipientPhone, phone))
    .orderBy(desc(templateSends.id))
    .limit(maxRows)

export function campaignsWithout({ db }: Ctx, { phone, maxRows }: Person) {
  const { id, templateName, removedRecipients } = templateCampaigns
  return db
    .select({
      campaignId: id,
      templateName,
      own: sql`jsonb_path_query_array(${removedRecipients}, '$[*] ? (@.phone == $phone)', ${JSON.stringify({ phone })}::jsonb)`,
    })
    .from(templateCampaigns)
    .where(sql`${removedRecipients} @> ${JSON.stringify([{ phone }])}::jsonb`)
    .limit(maxRows)
}

/** The push service alone: with the whole address and the keys others could write to the device. */
export async function notificationDevicesOf({ db }: Ctx, { id, maxRows }: Person) {
  const ofPerson = inArray(
    pushSubscriptions.sessionId,
    db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, id)),
  )
  const newest = desc(pushSubscriptions.createdAt)
  const devices = await db.select().from(pushSubscriptions).where(ofPerson).orderBy(newest).limit(maxRows)
  return devices.map(({ endpoint, createdAt }) => ({ service: new URL(endpoint).host, createdAt }))
}

/** Without browser, name and reason of an admin who impersonated the person; the fact and its time are included. */
export async function sessionsOf({ db }: Ctx, { id, maxRows }: Person) {
  const newest = desc(sessions.createdAt)
  const own = await db.select().from(sessions).where(eq(sessions.userId, id)).orderBy(newest).limit(maxRows)
  return own.map(({ impersonatorId, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
    by: impersonatorId === null ? 'person' : 'staff',
    userAgent: impersonatorId === null ? userAgent : null,
    createdAt,
    lastSeenAt,
    expiresAt,
  }))
}

export async function userOfPerson(ctx: Ctx, { id }: Person) {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, id))
  if (!row) return []
  const { isActive, deliveryAreaId, telegramName, consentSource, consentAt, lastLoginAt, lastActiveAt, updatedAt } = row
  const more = {
    isActive,
    deliveryAreaId,
    telegramName,
    consentSource,
    consentAt,
    lastLoginAt,
    lastActiveAt,
    updatedAt,
  }
  return [{ ...(await readUser(ctx, row)), ...more }]
}

export async function eraseUser(ctx: Ctx, { id }: Person): Promise<void> {
  await emit(ctx, { name: 'user.erased', action: 'deleted', resource: 'user', id })
  await anonymiseUser(ctx, id)
}

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
 * Their own actions, and the fact and time of staff actions on the account or in their name. Omits address, browser,
 * name and reason of staff, and the people that the person impersonated.
 */
export async function auditOf({ db }: Ctx, { id, maxRows }: Person) {
  const rows = await run<AuditRow>(db, auditSql, [id, maxRows])
  return rows.map((row) => {
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
  })
}
