import { createHash } from 'node:crypto'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type { User } from '@qatra/contract/users/auth'
import * as api from '@qatra/contract/users/passkeys'
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { type Ctx, userOf } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError, commitWrites } from '../lib/errors.ts'
import { sha256 } from '../lib/secrets.ts'
import { admitUser } from '../users/commands.ts'
import { type SignInParts, signIn } from './sessions.commands.ts'

type Parts = Pick<App, 'config' | 'log' | 'print'>

/** Loaded when it is first needed: a start prints warnings of Node about it. */
const webAuthn = () => import('@simplewebauthn/server')

/** The site that authenticators bind a passkey to. */
const siteOf = ({ config }: Pick<App, 'config'>) => {
  const { hostname, origin } = new URL(config.publicUrl)
  return { expectedRPID: hostname, expectedOrigin: origin }
}

/** The account in the authenticator: nothing that others could read there. */
const handleOf = (userId: number) => createHash('sha256').update(`qatra passkey ${userId}`).digest()

const freshSql = statement(
  'passkey-fresh-session',
  `select exists (select from sessions where id = $1
     and created_at > now() - interval '${api.FRESH_MINUTES} minutes') as fresh,
     (select count(*)::int from passkeys where user_id = $2) as count`,
)

/** @throws SIGN_IN_OLD */
async function requireFresh(ctx: Ctx): Promise<{ count: number }> {
  const [row] = await run<{ fresh: boolean; count: number }>(ctx.db, freshSql, [ctx.client.sessionId, userOf(ctx).id])
  if (!row?.fresh) throw new AppError('SIGN_IN_OLD')
  return row
}

const challengeSql = statement(
  'passkey-challenge',
  `insert into passkey_challenges (hash, purpose, user_id, session_id, expires_at)
   values ($1, $2, $3, $4, now() + interval '5 minutes')`,
)
// Used up by the first try, right or wrong.
const takeChallengeSql = statement(
  'passkey-challenge-use',
  `delete from passkey_challenges where hash = $1 and purpose = $2
   returning expires_at > now() and user_id is not distinct from $3 and session_id is not distinct from $4 as valid`,
)

/** What a challenge is good for: one purpose, one account and one session. */
interface Challenge {
  purpose: 'add' | 'sign-in'
  userId: number | null
  sessionId: string | null
}

const saveChallenge = (db: Db, challenge: string, { purpose, userId, sessionId }: Challenge) =>
  run(db, challengeSql, [sha256(challenge), purpose, userId, sessionId])

const takeChallenge =
  (db: Db, { purpose, userId, sessionId }: Challenge) =>
  async (challenge: string): Promise<boolean> => {
    const values = [sha256(challenge), purpose, userId, sessionId]
    const [used] = await run<{ valid: boolean }>(db, takeChallengeSql, values)
    return used?.valid ?? false
  }

const ofSession = (ctx: Ctx): Challenge => ({
  purpose: 'add',
  userId: userOf(ctx).id,
  sessionId: ctx.client.sessionId,
})
const ofVisitor: Challenge = { purpose: 'sign-in', userId: null, sessionId: null }

const ownSql = statement(
  'passkeys-own',
  `select id, name, created_at as "createdAt", last_used_at as "lastUsedAt", credential_id as "credentialId", transports
   from passkeys where user_id = $1 order by id`,
)
interface PasskeyRow {
  id: number
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  credentialId: string
}
/** Where the browser looks for the authenticator; it ignores words that it does not know. */
interface OwnRow extends PasskeyRow {
  transports: AuthenticatorTransport[]
}
const describe = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): api.Passkey => {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

export async function listPasskeys(ctx: Ctx): Promise<api.Passkey[]> {
  return (await run<PasskeyRow>(ctx.db, ownSql, [userOf(ctx).id])).map(describe)
}

/** @throws SIGN_IN_OLD, PASSKEYS_FULL */
export async function startPasskey(ctx: Ctx, parts: Parts): Promise<Output<typeof api.startPasskey>> {
  const { count } = await requireFresh(ctx)
  if (count >= api.MOST_PASSKEYS) throw new AppError('PASSKEYS_FULL')
  const { id, phone, name } = userOf(ctx)
  const own = await run<OwnRow>(ctx.db, ownSql, [id])
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Qatra',
    rpID: siteOf(parts).expectedRPID,
    userName: phone,
    userDisplayName: name ?? phone,
    userID: new Uint8Array(handleOf(id)),
    attestationType: 'none',
    excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await saveChallenge(ctx.db, options.challenge, ofSession(ctx))
  return { options }
}

const addSql = statement(
  'passkey-add',
  `insert into passkeys (user_id, credential_id, public_key, counter, transports, name) values ($1, $2, $3, $4, $5, $6)
   on conflict (credential_id) do nothing
   returning id, name, created_at as "createdAt", last_used_at as "lastUsedAt", credential_id as "credentialId"`,
)

/** @throws SIGN_IN_OLD, PASSKEYS_FULL, PASSKEY_INVALID */
export async function addPasskey(
  ctx: Ctx,
  parts: Parts,
  { name, credential: { response, ...credential } }: Parsed<typeof api.addPasskey>['body'],
): Promise<api.Passkey> {
  const { id } = userOf(ctx)
  const { count } = await requireFresh(ctx)
  if (count >= api.MOST_PASSKEYS) throw new AppError('PASSKEYS_FULL')
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...credential,
      response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: takeChallenge(ctx.db, ofSession(ctx)),
    requireUserVerification: true,
    ...siteOf(parts),
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw commitWrites(new AppError('PASSKEY_INVALID'))
  const { credential: made } = registrationInfo
  const values = [id, made.id, Buffer.from(made.publicKey).toString('base64url'), made.counter]
  const [row] = await run<PasskeyRow>(ctx.db, addSql, [...values, response.transports ?? [], name])
  if (!row) throw commitWrites(new AppError('PASSKEY_INVALID'))
  await recordPasskey(ctx, 'added', id, name)
  return describe(row)
}

export const recordPasskey = (
  ctx: Ctx,
  what: 'added' | 'removed' | 'renamed' | 'recovered',
  userId: number,
  name: string | null,
) =>
  emit(ctx, {
    name: `user.passkey-${what}`,
    action: `passkey-${what}`,
    resource: 'user',
    id: userId,
    changes: name === null ? [] : [{ field: 'passkey', from: null, to: name }],
  })

const renameSql = statement(
  'passkey-rename',
  `update passkeys set name = $3 where id = $1 and user_id = $2
   returning id, name, created_at as "createdAt", last_used_at as "lastUsedAt", credential_id as "credentialId"`,
)

/** @throws PASSKEY_NOT_FOUND, also for another person's */
export async function renamePasskey(ctx: Ctx, passkeyId: number, name: string): Promise<api.Passkey> {
  const [row] = await run<PasskeyRow>(ctx.db, renameSql, [passkeyId, userOf(ctx).id, name])
  if (!row) throw new AppError('PASSKEY_NOT_FOUND')
  await recordPasskey(ctx, 'renamed', userOf(ctx).id, name)
  return describe(row)
}

const removeSql = statement('passkey-remove', 'delete from passkeys where id = $1 and user_id = $2 returning name')

/** @throws SIGN_IN_OLD, PASSKEY_NOT_FOUND, also for another person's */
export async function removePasskey(ctx: Ctx, passkeyId: number): Promise<{ success: true }> {
  const { id } = userOf(ctx)
  await requireFresh(ctx)
  const [row] = await run<{ name: string }>(ctx.db, removeSql, [passkeyId, id])
  if (!row) throw new AppError('PASSKEY_NOT_FOUND')
  await recordPasskey(ctx, 'removed', id, row.name)
  return { success: true }
}

export async function startPasskeySignIn(ctx: Ctx, parts: Parts): Promise<Output<typeof api.startPasskeySignIn>> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: siteOf(parts).expectedRPID,
    userVerification: 'required',
  })
  await saveChallenge(ctx.db, options.challenge, ofVisitor)
  return { options }
}

interface StoredKey {
  id: number
  userId: number
  phone: string
  language: Lang
  publicKey: string
  counter: number
}
// Locked, so that of two assertions the later one is compared with the counter of the other.
const findSql = statement(
  'passkey-find',
  `select p.id, p.user_id as "userId", p.public_key as "publicKey", p.counter::float8 as counter, u.phone, u.language
   from passkeys p join users u on u.id = p.user_id
   where p.credential_id = $1 and u.is_active and u.role <> 'customer' for update of p`,
)
const usedSql = statement('passkey-used', 'update passkeys set counter = $2, last_used_at = now() where id = $1')

/** @throws PASSKEY_INVALID for whatever is wrong: challenge, site, signature, counter or account */
export async function signInWithPasskey(
  ctx: Ctx,
  parts: Parts & SignInParts,
  { credential: { response, ...credential } }: Parsed<typeof api.finishPasskeySignIn>['body'],
): Promise<{ success: true; user: User }> {
  const [stored] = await run<StoredKey>(ctx.db, findSql, [credential.id])
  const isOwners =
    stored && (!response.userHandle || response.userHandle === handleOf(stored.userId).toString('base64url'))
  const { verifyAuthenticationResponse } = await webAuthn()
  const verified = await verifyAuthenticationResponse({
    response: {
      ...credential,
      response: {
        clientDataJSON: response.clientDataJSON,
        authenticatorData: response.authenticatorData,
        signature: response.signature,
      },
      clientExtensionResults: {},
    },
    // Before all else, so that the challenge of any try is used up.
    expectedChallenge: takeChallenge(ctx.db, ofVisitor),
    requireUserVerification: true,
    credential: {
      id: credential.id,
      publicKey: new Uint8Array(Buffer.from(stored?.publicKey ?? '', 'base64url')),
      counter: stored?.counter ?? 0,
    },
    ...siteOf(parts),
  }).catch((error: unknown) => {
    // A copied authenticator: its counter and that of the original cross.
    if (String(error).includes('counter value'))
      parts.log.warn({ passkey: stored?.id }, 'the counter of a passkey went back: there is a copy of it')
    return null
  })
  if (!stored || !isOwners || !verified?.verified) throw commitWrites(new AppError('PASSKEY_INVALID'))
  await run(ctx.db, usedSql, [stored.id, verified.authenticationInfo.newCounter])
  const admitted = await admitUser(ctx, stored.phone, stored.language)
  if (!admitted) throw commitWrites(new AppError('PASSKEY_INVALID'))
  return { success: true, user: await signIn(ctx, parts, admitted.row, 'passkey') }
}
