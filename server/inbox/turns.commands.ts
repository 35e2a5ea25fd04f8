import type { Output } from '@qatra/contract/endpoint'
import { inboxSettingsIn } from '@qatra/contract/whatsapp/inbox/settings'
import type { getDuty } from '@qatra/contract/whatsapp/inbox/work'
import { sql } from 'drizzle-orm'
import { officeHoursIn, officeStateAt } from '../calendar/office-hours.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import * as conversations from '../conversations/conversations.commands.ts'
import { findRungVendorIds, isInReach } from '../conversations/policy.ts'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { emit } from '../jobs/domain-events.ts'
import { listAnswerersOf } from './people.queries.ts'
import { isGone, isOnDuty, mayAlarm, ownerBy, type RuleFacts } from './rules.ts'
import { answererTurns } from './tables.ts'

type Office = Pick<Catalogue, 'settings' | 'holidays'>

// A vendor or area is that of the order it is about, else what the customer is choosing or ordered last.
const waitingSql = statement(
  'turn-waiting',
  `select t.labels, now() as now, coalesce(h.vendor_id, s.current_vendor_id, l.vendor_id) as "vendorId",
     coalesce(h.area_id, u.delivery_area_id, l.area_id) as "areaId"
   from whatsapp_conversation_threads t join contacts c on c.id = t.contact_id
   left join users u on u.phone = c.phone and u.erased_at is null
   left join orders h on h.id = t.handoff_order_id
   left join bot_sessions s on s.contact_id = c.id
   left join lateral (select o.vendor_id, o.area_id from orders o where o.user_id = u.id
     order by o.created_at desc limit 1) l on true
   where t.contact_id = $1 and t.assigned_to is null and t.handoff_at is not null and t.done_at is null
     and coalesce(t.snoozed_until <= now(), true)
   for update of t`,
)
const givenSql = statement(
  'turn-given',
  `insert into answerer_turns (user_id, last_given_at) values ($1, clock_timestamp())
   on conflict (user_id) do update set last_given_at = excluded.last_given_at`,
)

/** Gives a conversation that waits and is nobody's to the next in turn, by the rules of the office. */
export async function giveInTurn(ctx: JobContext, contactId: number, { settings }: Pick<Office, 'settings'>) {
  const { rules, waitMinutes } = inboxSettingsIn(settings)
  if (rules.length === 0) return
  // Two conversations at once come to two people.
  await takeLock(ctx.db, 'inbox-turns')
  const [facts] = await run<RuleFacts & { now: Date }>(ctx.db, waitingSql, [contactId])
  if (!facts) return
  const vendorIds = await findRungVendorIds(ctx.db, contactId)
  const people = await listAnswerersOf(ctx)
  const onDuty = people.filter((one) => isInReach(one, vendorIds) && isOnDuty(one, facts.now, waitMinutes))
  const userId = ownerBy(rules, facts, onDuty)
  if (userId === null) return
  await conversations.assignConversation(ctx, contactId, userId)
  await run(ctx.db, givenSql, [userId])
  await record(ctx, contactId, { from: null, to: userId })
}

const record = (ctx: JobContext, contactId: number, change: { from: number | null; to: number | null }) => {
  const action = change.to === null ? 'released' : 'assigned'
  return emit(
    { ...ctx, authors: { changedBy: null, onBehalfOf: null }, client: { ip: null, userAgent: null } },
    {
      name: `conversation.${action}`,
      action,
      resource: 'conversation',
      id: contactId,
      changes: [{ field: 'assignedTo', ...change }],
    },
  )
}

const ownedSql = statement(
  'turn-owned',
  `select contact_id as "contactId", assigned_to as "userId", now() as now from whatsapp_conversation_threads
   where assigned_to is not null and handoff_at is not null and done_at is null
     and coalesce(snoozed_until <= now(), true)
   order by handoff_at, id for update`,
)

/** Conversations that wait for somebody who is gone return to the queue, to the next in turn if there is one. */
export async function releaseOfGone(ctx: JobContext, office: Office): Promise<void> {
  const { waitMinutes } = inboxSettingsIn(office.settings)
  await takeLock(ctx.db, 'inbox-turns')
  const owned = await run<{ contactId: number; userId: number; now: Date }>(ctx.db, ownedSql)
  if (owned.length === 0) return
  const people = new Map((await listAnswerersOf(ctx)).map((one) => [one.id, one]))
  for (const { contactId, userId, now } of owned) {
    const person = people.get(userId)
    if (person && !isGone(person, now, waitMinutes)) continue
    await conversations.assignConversation(ctx, contactId, null)
    await record(ctx, contactId, { from: userId, to: null })
    await giveInTurn(ctx, contactId, office)
  }
}

/** Tells staff of customers who have waited longer than the office allows, in its hours. */
export async function alarmOfLate(ctx: JobContext, { settings, holidays }: Office, now: Date): Promise<void> {
  const { waitMinutes } = inboxSettingsIn(settings)
  const hours = officeHoursIn(settings)
  if (hours && !mayAlarm(officeStateAt(hours, holidays, now).since, now, waitMinutes)) return
  await conversations.alarmOfLate(ctx, waitMinutes)
}

/** Whether new conversations come to the caller in turn. */
export async function readDuty(ctx: Ctx): Promise<Output<typeof getDuty>> {
  const { id } = userOf(ctx)
  const [row] = await ctx.db
    .select({ awaySince: answererTurns.awaySince })
    .from(answererTurns)
    .where(sql`${answererTurns.userId} = ${id}`)
  return { isAway: row !== undefined && row.awaySince !== null }
}

export async function changeDuty(ctx: Ctx, isAway: boolean): Promise<Output<typeof getDuty>> {
  const awaySince = isAway ? sql`coalesce(${answererTurns.awaySince}, now())` : null
  await ctx.db
    .insert(answererTurns)
    .values({ userId: userOf(ctx).id, awaySince: isAway ? sql`now()` : null })
    .onConflictDoUpdate({ target: answererTurns.userId, set: { awaySince } })
  return { isAway }
}
