import { randomInt } from 'node:crypto'
import type { User } from '@qatra/contract/users/auth'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { AppError } from '../lib/errors.ts'
import { hmac, keyFor } from '../lib/secrets.ts'
import { admitUser, makeOwner } from '../users/commands.ts'
import { hasOwner } from './queries.ts'
import { type SignInParts, signIn } from './sessions.commands.ts'
import { ownerClaims } from './tables.ts'

// Without letters and digits that look alike.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 16

export const isClaim = (code: string) => code.length === LENGTH

const hashOfClaim = (secret: Buffer, claim: string) => hmac(keyFor(secret, 'claim of the owner'), claim)

/**
 * Prints an 80-bit one-time code that makes its bearer super admin, if no other account can become the first one. Each
 * start creates a new code and invalidates the old one.
 */
export async function printOwnerClaimCode(app: Pick<App, 'config' | 'db' | 'print'>): Promise<void> {
  if (app.config.seedDemo || app.config.adminPhone !== null || (await hasOwner(app.db))) return
  const claim = Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')
  await app.db.delete(ownerClaims)
  await app.db.insert(ownerClaims).values({ codeHash: hashOfClaim(app.config.secret, claim) })
  const shown = claim.match(/.{4}/g)?.join('-')
  const call = `curl -H 'content-type: application/json' ${app.config.publicUrl}/api/auth/verify/otp`
  app.print('No super admin yet. Open this link and enter your phone; it becomes the first one. The link works once:')
  app.print(`  ${app.config.publicUrl}/login?redirect=/admin/setup#claim=${shown}`)
  app.print('Without a browser, the same by a call with your phone in it:')
  app.print(`  ${call} -d '{"phone": "+973…", "code": "${shown}"}'`)
}

/** @throws INVALID_CODE for a wrong or used code, or if a super admin exists */
export async function claimOwnership(
  ctx: Ctx,
  parts: Pick<App, 'config'> & SignInParts,
  { phone, claim }: { phone: string; claim: string },
): Promise<{ success: true; user: User }> {
  const [claimed] = await ctx.db
    .update(ownerClaims)
    .set({ usedAt: sql`now()` })
    .where(sql`${ownerClaims.codeHash} = ${hashOfClaim(parts.config.secret, claim)} and ${ownerClaims.usedAt} is null`)
    .returning({ id: ownerClaims.id })
  if (!claimed) throw new AppError('INVALID_CODE')
  const admitted = await admitUser(ctx, phone, ctx.actor.lang)
  const owner = admitted ? await makeOwner(ctx, admitted.row.id) : null
  if (!owner) throw new AppError('INVALID_CODE')
  return { success: true, user: await signIn(ctx, parts, owner, 'claim') }
}
