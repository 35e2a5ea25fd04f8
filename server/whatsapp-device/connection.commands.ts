import type { Connection } from '@qatra/contract/whatsapp/connection/connection'
import { sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { emit, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { seal } from '../lib/secrets.ts'
import { QR_OWNER, qrKey, readConnection } from './connection.queries.ts'
import { whatsappAuth, whatsappConnection } from './tables.ts'

/**
 * Deletes the linked device's keys; its process shows a new code when it sees the request. Also replaces a dead
 * session.
 * @throws NOTHING_TO_RESET if the provider manages the connection
 */
export async function resetConnection(ctx: Ctx, config: Config): Promise<Connection> {
  const before = await readConnection(ctx, config)
  if (!before.mayReset) throw new AppError('NOTHING_TO_RESET')
  if (before.provider === 'web') {
    const initial = {
      state: 'loading' as const,
      sealedQr: null,
      qrExpiresAt: null,
      phone: null,
      error: null,
      connectedAt: null,
      resetAskedAt: sql`now()`,
      updatedAt: sql`now()`,
    }
    await ctx.db.delete(whatsappAuth)
    await ctx.db
      .insert(whatsappConnection)
      .values({ id: 1, ...initial })
      .onConflictDoUpdate({ target: whatsappConnection.id, set: initial })
  }
  await emit(ctx, {
    name: 'connection.reset',
    action: 'reset',
    resource: 'connection',
    id: before.provider,
    changes: [{ field: 'state', from: before.state, to: before.provider === 'web' ? 'loading' : before.state }],
  })
  await publish(ctx, 'connection.changed', {})
  return readConnection(ctx, config)
}

type DeviceState = 'loading' | 'qr' | 'connected' | 'error' | 'qr_expired'
/** Lifetime of a QR code, even if the library made no new one. */
const QR_SECONDS = 60

const saveStateSql = statement(
  'device-state',
  `insert into whatsapp_connection as c (id, state, sealed_qr, qr_expires_at, phone, error, heartbeat_at, connected_at)
   values (1, $1, $2, case when $2::text is null then null else now() + interval '${QR_SECONDS} seconds' end, $3, $4, now(),
     case when $1 = 'connected' then now() end)
   on conflict (id) do update set state = excluded.state, sealed_qr = excluded.sealed_qr,
     qr_expires_at = excluded.qr_expires_at, phone = coalesce(excluded.phone, c.phone), error = excluded.error,
     heartbeat_at = now(), connected_at = coalesce(excluded.connected_at, c.connected_at), updated_at = now()`,
)

/** Stores the state that the device's process reports. The QR code is encrypted and removed with the next state. */
export async function saveDeviceState(
  db: Db,
  secret: Buffer,
  { state, qr, phone, error }: { state: DeviceState; qr?: string; phone?: string | null; error?: string },
): Promise<void> {
  const sealed = qr === undefined ? null : seal(qrKey(secret), qr, QR_OWNER)
  await run(db, saveStateSql, [state, sealed, phone ?? null, error ?? null])
  await publish({ db, afterCommit: (effect) => effect() }, 'connection.changed', {})
}

const beatSql = statement(
  'device-beat',
  `update whatsapp_connection set heartbeat_at = now(),
     sealed_qr = case when qr_expires_at > now() then sealed_qr end
   where id = 1 returning reset_asked_at`,
)

/** Writes the heartbeat, removes an expired code and returns when a reset was last requested. */
export async function beat(db: Db): Promise<Date | null> {
  const [row] = await run<{ reset_asked_at: Date | null }>(db, beatSql)
  return row?.reset_asked_at ?? null
}
