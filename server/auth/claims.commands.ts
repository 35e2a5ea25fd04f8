import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { AppError } from '../lib/errors.ts'
import { hmac, keyFor } from '../lib/secrets.ts'
import { makeOwner } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { newConsoleCode, shownConsoleCode } from './code.ts'
import { hasOwner } from './queries.ts'
import { ownerClaims } from './tables.ts'

const hashOfClaim = (secret: Buffer, claim: string) => hmac(keyFor(secret, 'claim of the owner'), claim)

/**
 * Prints a link with an 80-bit one-time secret that makes its bearer super admin, once a code has confirmed the bearer's
 * phone, if no other account can become the first one. Each start creates a new secret and invalidates the old one.
 */
export async function printOwnerClaimCode(app: Pick<App, 'config' | 'db' | 'print'>): Promise<void> {
  if (app.config.seedDemo || app.config.adminPhone !== null || (await hasOwner(app.db))) return
  const claim = newConsoleCode()
  await app.db.delete(ownerClaims)
  await app.db.insert(ownerClaims).values({ codeHash: hashOfClaim(app.config.secret, claim) })
  const shown = shownConsoleCode(claim)
  const call = `curl -H 'content-type: application/json' ${app.config.publicUrl}/api/auth/verify`
  app.print('No super admin yet. Open this link and confirm your phone; it becomes the first one. The link works once:')
  app.print(`  ${app.config.publicUrl}/login?redirect=/admin/setup#claim=${shown}`)
  app.print('Without a browser, the same by two calls with your phone and its code in them:')
  app.print(`  ${call}/phone -d '{"phone": "+973…", "claim": "${shown}"}'`)
  app.print(`  ${call}/otp -d '{"phone": "+973…", "code": "…", "claim": "${shown}"}'`)
}

type Parts = Pick<App, 'config'>

const isOpen = ({ config }: Parts, claim: string) =>
  and(eq(ownerClaims.codeHash, hashOfClaim(config.secret, claim)), isNull(ownerClaims.usedAt))

/** @throws CLAIM_CLOSED for a wrong or used claim, or if a super admin exists */
export async function requireOpenClaim({ db }: Pick<Ctx, 'db'>, parts: Parts, claim: string): Promise<void> {
  const [open] = await db.select({ id: ownerClaims.id }).from(ownerClaims).where(isOpen(parts, claim))
  if (!open || (await hasOwner(db))) throw new AppError('CLAIM_CLOSED')
}

/**
 * Locks the claim until the transaction ends, so that of several claims at once one tries its code at a time, and none
 * after a successful one. @throws CLAIM_CLOSED
 */
export async function lockClaim(ctx: Ctx, parts: Parts, claim: string): Promise<void> {
  const [open] = await ctx.db.select({ id: ownerClaims.id }).from(ownerClaims).where(isOpen(parts, claim)).for('update')
  if (!open || (await hasOwner(ctx.db))) throw new AppError('CLAIM_CLOSED')
}

/** Makes the user the first super admin. The caller has locked the claim and proved the phone. @throws CLAIM_CLOSED */
export async function redeemClaim(ctx: Ctx, parts: Parts, claim: string, userId: number): Promise<UserRow> {
  await ctx.db.update(ownerClaims).set({ usedAt: sql`now()` }).where(isOpen(parts, claim))
  const owner = await makeOwner(ctx, userId)
  if (!owner) throw new AppError('CLAIM_CLOSED')
  return owner
}
