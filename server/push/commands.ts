import type { PushSubscriptionInput } from '@qatra/contract/notifications/push'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import { applyReceipt } from '../conversations/commands.ts'
import { takeTextLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { isPushEndpoint } from './endpoints.ts'
import { pushSubscriptions } from './tables.ts'

/** Stores the device's subscription. An address that another session had, of an earlier sign-in, moves to this one. */
export async function subscribe(
  ctx: Ctx,
  { pushServiceUrl }: Pick<Config, 'pushServiceUrl'>,
  { endpoint, keys: { p256dh, auth } }: PushSubscriptionInput,
): Promise<null> {
  if (!isPushEndpoint(endpoint, pushServiceUrl)) throw new AppError('PUSH_SERVICE_UNKNOWN')
  const { sessionId } = ctx.client
  if (sessionId === null) throw new AppError('SIGNED_OUT')
  // Two sessions that name one address at once would violate its uniqueness.
  await takeTextLock(ctx.db, 'push-endpoint', endpoint)
  await ctx.db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.sessionId, sessionId)))
  const device = { endpoint, p256dh, auth }
  await ctx.db
    .insert(pushSubscriptions)
    .values({ sessionId, ...device })
    .onConflictDoUpdate({ target: pushSubscriptions.sessionId, set: { ...device, createdAt: sql`now()` } })
  return null
}

export async function unsubscribe({ db, client }: Ctx): Promise<null> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, client.sessionId ?? ''))
  return null
}

/** Removes a subscription that its push service does not know any more. */
export async function deleteEndpoint(db: Db, endpoint: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint))
}

const ownSql = statement(
  'push-own',
  `select 1 from whatsapp_messages where id = $1 and channel = 'push' and to_number = $2`,
)

/** The device has shown the notification. Ids of other people's messages are ignored. */
export async function confirm(ctx: Ctx, id: number): Promise<null> {
  const own = await run(ctx.db, ownSql, [id, userOf(ctx).phone])
  if (own.length > 0)
    await applyReceipt(ctx, { messageId: null, reference: String(id), status: 'delivered', at: ctx.now })
  return null
}
