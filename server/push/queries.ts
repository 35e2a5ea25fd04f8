import type { Output } from '@qatra/contract/endpoint'
import type { getPush } from '@qatra/contract/notifications/push'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { Device } from './gateway.ts'
import { pushSubscriptions } from './tables.ts'

/**
 * FROM and WHERE of a user's devices: signed in, by themselves. While an admin impersonates the user, the admin's session
 * is a row of that user too.
 */
export const devicesOf = (userId: string) => `
  from push_subscriptions p join sessions s on s.id = p.session_id
  where s.user_id = ${userId} and s.impersonator_id is null and s.expires_at > now()`

/** The newest; nobody reads news on more. */
const MAX_DEVICES = 10

const devicesSql = statement(
  'push-devices',
  `select p.endpoint, p.p256dh, p.auth ${devicesOf('$1')} order by p.created_at desc limit ${MAX_DEVICES}`,
)

export const listDevices = (db: Db, userId: number): Promise<Device[]> => run<Device>(db, devicesSql, [userId])

export async function readPush({ db, client }: Ctx, publicKey: string): Promise<Output<typeof getPush>> {
  const found = await db
    .select({ at: pushSubscriptions.createdAt })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sessionId, client.sessionId ?? ''))
  return { isOn: found.length > 0, publicKey }
}
