import { type Db, run, statement } from '../database/db.ts'
import { publish } from '../jobs/domain-events.ts'
import { seal } from '../lib/secrets.ts'
import { QR_OWNER, qrKey } from './connection.queries.ts'

export type DeviceState = 'loading' | 'qr' | 'connected' | 'error' | 'qr_expired'
/** Lifetime of a QR code, even if the library made no new one. */
export const QR_SECONDS = 60

const noteSql = statement(
  'device-state',
  `insert into whatsapp_connection as c (id, state, sealed_qr, qr_expires_at, phone, error, heartbeat_at, connected_at)
   values (1, $1, $2, case when $2::text is null then null else now() + interval '${QR_SECONDS} seconds' end, $3, $4, now(),
     case when $1 = 'connected' then now() end)
   on conflict (id) do update set state = excluded.state, sealed_qr = excluded.sealed_qr,
     qr_expires_at = excluded.qr_expires_at, phone = coalesce(excluded.phone, c.phone), error = excluded.error,
     heartbeat_at = now(), connected_at = coalesce(excluded.connected_at, c.connected_at), updated_at = now()`,
)

/** Only this function writes the device's state. The QR code is encrypted and removed with the next state. */
export async function noteState(
  db: Db,
  secret: Buffer,
  { state, qr, phone, error }: { state: DeviceState; qr?: string; phone?: string | null; error?: string },
): Promise<void> {
  const sealed = qr === undefined ? null : seal(qrKey(secret), qr, QR_OWNER)
  await run(db, noteSql, [state, sealed, phone ?? null, error ?? null])
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
