import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import type { Events } from '../jobs/events.ts'
import { whatsappAccountNotices as notices } from './tables.ts'

/** Stores what the provider reported, once. True if a person should look at it. */
export async function saveAccountNotice(ctx: JobContext, job: Events['account.reported']): Promise<boolean> {
  const { webhookEventId, field, name: event, severity, tier, text, at } = job
  const isFlagged = job.isFlagged === null ? null : job.isFlagged === 1
  const values = { webhookEventId, field, event, severity, tier, text, isFlagged, at: new Date(at) }
  const stored = await ctx.db.insert(notices).values(values).onConflictDoNothing().returning({ id: notices.id })
  if (stored.length === 0) return false
  await publish(ctx, 'connection.changed', {})
  const isAlarm = severity !== 'info'
  if (isAlarm) await publish(ctx, 'account.alarm', {})
  return isAlarm
}
