import type { Output } from '@qatra/contract/endpoint'
import type { confirmRecovery as confirm } from '@qatra/contract/users/passkeys'
import { CONFIRMATIONS } from '@qatra/contract/users/passkeys'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError, commitWrites } from '../lib/errors.ts'
import { hmac, keyFor, sha256 } from '../lib/secrets.ts'
import type { UserRow } from '../users/queries.ts'
import { newConsoleCode, shownConsoleCode } from './code.ts'
import { recordPasskey } from './passkeys.commands.ts'
import { endSessionsOf } from './sessions.commands.ts'

type Parts = Pick<App, 'config' | 'print'>

const hashOfRecovery = ({ config }: Pick<App, 'config'>, code: string) =>
  hmac(keyFor(config.secret, 'recovery of passkeys'), code)

const hasSql = statement('passkey-has', 'select exists (select from passkeys where user_id = $1) as has')
const printSql = statement(
  'passkey-recovery-print',
  `with old as (delete from passkey_challenges where purpose = 'console' and user_id = $2)
   insert into passkey_challenges (hash, purpose, user_id, expires_at) values ($1, 'console', $2, now() + interval '15 minutes')`,
)
const recoverSql = statement(
  'passkey-recovery-use',
  `with used as (
     delete from passkey_challenges where hash = $1 and purpose = 'console' and user_id = $2 and expires_at > now()
     returning user_id
   ) delete from passkeys p using used where p.user_id = used.user_id returning p.id`,
)

/**
 * A super admin with a passkey signs in with it alone: somebody who takes over the phone's number gets no further than here.
 * The refusal prints a one-time code on the console, with which a right code of the phone removes the passkeys.
 * @throws PASSKEY_REQUIRED
 */
export async function requireNoPasskey(ctx: Ctx, parts: Parts, row: UserRow, recovery: string | undefined) {
  if (row.role !== 'super_admin') return
  const [{ has } = { has: false }] = await run<{ has: boolean }>(ctx.db, hasSql, [row.id])
  if (!has) return
  if (recovery !== undefined) {
    const removed = await run<{ id: number }>(ctx.db, recoverSql, [hashOfRecovery(parts, recovery), row.id])
    if (removed.length > 0) {
      await recordPasskey(ctx, 'recovered', row.id, null)
      return
    }
  }
  const code = newConsoleCode()
  await run(ctx.db, printSql, [hashOfRecovery(parts, code), row.id])
  ctx.afterCommit(() =>
    parts.print(
      `The super admin ${row.phone} signs in with a passkey. If it is lost, this code removes it for 15 minutes: ${shownConsoleCode(code)}`,
    ),
  )
  throw commitWrites(new AppError('PASSKEY_REQUIRED'))
}

const targetSql = statement(
  'passkey-recovery-target',
  `select exists (select from users where id = $1 and role = 'super_admin' and is_active) as known,
     exists (select from passkeys where user_id = $1) as has`,
)
const lockSql = statement('passkey-recovery-lock', 'select from users where id = $1 for update')
const confirmSql = statement(
  'passkey-recovery-confirm',
  `insert into passkey_challenges (hash, purpose, user_id, confirmed_by, expires_at)
   values ($1, 'confirmation', $2, $3, now() + interval '1 day')
   on conflict (hash) do update set expires_at = excluded.expires_at`,
)
const countSql = statement(
  'passkey-recovery-count',
  `select count(*)::int as count from passkey_challenges c join users u on u.id = c.confirmed_by
   where c.purpose = 'confirmation' and c.user_id = $1 and c.expires_at > now() and u.is_active and u.role = 'super_admin'`,
)
const removeAllSql = statement(
  'passkey-remove-all',
  `with done as (delete from passkey_challenges where user_id = $1) delete from passkeys where user_id = $1`,
)

/** @throws USER_NOT_FOUND for anybody but another super admin, PASSKEY_NOT_FOUND */
export async function confirmRecovery(ctx: Ctx, userId: number): Promise<Output<typeof confirm>> {
  const { id } = userOf(ctx)
  const [target] = await run<{ known: boolean; has: boolean }>(ctx.db, targetSql, [userId])
  if (!target?.known || userId === id) throw new AppError('USER_NOT_FOUND')
  if (!target.has) throw new AppError('PASSKEY_NOT_FOUND')
  // Of two at once the later one waits here, and counts both.
  await run(ctx.db, lockSql, [userId])
  await run(ctx.db, confirmSql, [sha256(`${userId} by ${id}`), userId, id])
  const [{ count } = { count: 0 }] = await run<{ count: number }>(ctx.db, countSql, [userId])
  const removed = count >= CONFIRMATIONS
  if (removed) {
    await run(ctx.db, removeAllSql, [userId])
    await endSessionsOf(ctx, userId)
  }
  await emit(ctx, {
    name: 'user.passkey-recovered',
    action: removed ? 'passkey-recovered' : 'passkey-recovery-confirmed',
    resource: 'user',
    id: userId,
  })
  return { confirmations: count, removed }
}
