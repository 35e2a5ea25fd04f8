import type { Output } from '@qatra/contract/endpoint'
import { maskPhoneOnScreen } from '@qatra/contract/lib/phone'
import type { verifyLink } from '@qatra/contract/links/links'
import { linkRedirect, safeRedirectParams } from '@qatra/contract/links/redirect'
import { isStaff } from '@qatra/contract/users/roles'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type SignInParts, signIn } from '../auth/sessions.commands.ts'
import type { Ctx } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { emit, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { newToken, sha256 } from '../lib/secrets.ts'
import { admitUser } from '../users/commands.ts'
import { users } from '../users/tables.ts'
import { linkUrl } from './link-text.ts'
import { findLinkByToken, outcomeOf } from './queries.ts'
import { magicLinks } from './tables.ts'

const DEFAULT_HOURS = 24
const MAX_HOURS = 168

export interface NewLink {
  /** E.164 */
  phone: string
  redirectUrl?: string | null
  /** A flat JSON object; other values are ignored. */
  redirectParams?: unknown
  expiresInHours?: number
}

/**
 * Creates a link that signs a customer in once. Only the response contains the token.
 * @throws STAFF_PHONE if the phone belongs to staff
 */
export async function makeLink(
  ctx: Ctx,
  origin: string,
  { phone, redirectUrl, redirectParams, expiresInHours = DEFAULT_HOURS }: NewLink,
): Promise<{ id: number; url: string; token: string; expiresAt: string }> {
  const [owner] = await ctx.db.select({ role: users.role }).from(users).where(eq(users.phone, phone))
  if (owner && isStaff(owner.role)) throw new AppError('STAFF_PHONE')
  const token = newToken()
  const params = safeRedirectParams(redirectParams)
  const hours = Math.min(MAX_HOURS, Math.max(1, expiresInHours))
  const [link] = await ctx.db
    .insert(magicLinks)
    .values({
      phone,
      token: sha256(token),
      redirectUrl: redirectUrl ? linkRedirect(redirectUrl, origin) : null,
      redirectParams: Object.keys(params).length > 0 ? params : null,
      expiresAt: sql`now() + ${hours} * interval '1 hour'`,
      createdBy: ctx.actor.user?.id ?? null,
    })
    .returning({ id: magicLinks.id, expiresAt: magicLinks.expiresAt })
  if (!link) throw new Error('The insert answers its row')
  const expiresAt = link.expiresAt.toISOString()
  await emit(ctx, {
    name: 'link.made',
    action: 'created',
    resource: 'magic-link',
    id: link.id,
    changes: [
      { field: 'phone', from: null, to: maskPhoneOnScreen(phone) },
      { field: 'expiresAt', from: null, to: expiresAt },
    ],
  })
  return { id: link.id, url: linkUrl(origin, token), token, expiresAt }
}

/** Link of a campaign. Not logged on its own: the history has the campaign's start, and its sends name their links. */
export async function makeCampaignLink(
  { db }: Pick<Ctx, 'db'>,
  origin: string,
  input: {
    phone: string
    campaignId: string
    createdBy: number | null
    redirectUrl: string | null
    replaces: number | null
  },
): Promise<{ id: number; url: string; token: string; hash: string }> {
  const { phone, campaignId, createdBy, redirectUrl, replaces } = input
  const token = newToken()
  const hash = sha256(token)
  // Deletes the link of a message that was certainly not accepted.
  if (replaces !== null) await db.delete(magicLinks).where(and(eq(magicLinks.id, replaces), eq(magicLinks.used, false)))
  const [link] = await db
    .insert(magicLinks)
    .values({
      phone,
      campaignId,
      createdBy,
      token: hash,
      redirectUrl: redirectUrl ? linkRedirect(redirectUrl, origin) : null,
      expiresAt: sql`now() + ${MAX_HOURS} * interval '1 hour'`,
    })
    .returning({ id: magicLinks.id })
  if (!link) throw new Error('The insert answers its row')
  return { id: link.id, url: linkUrl(origin, token), token, hash }
}

const isCustomers = sql`not exists (
  select from ${users} u where u.phone = ${magicLinks.phone} and (u.role <> 'customer' or not u.is_active))`

/** Of concurrent requests only one succeeds. A signed-in user gets a new session only by this call. */
export async function openLink(
  ctx: Ctx,
  parts: Pick<App, 'config'> & SignInParts,
  token: string,
): Promise<Output<typeof verifyLink>> {
  const hash = sha256(token)
  const [link] = await ctx.db
    .update(magicLinks)
    .set({ used: true, usedAt: sql`now()` })
    .where(
      and(
        eq(magicLinks.token, hash),
        eq(magicLinks.used, false),
        isNull(magicLinks.revokedAt),
        sql`${magicLinks.expiresAt} > now()`,
        isCustomers,
      ),
    )
    .returning()
  if (!link) {
    // The link exists and was not redeemed, so its phone belongs to staff.
    const errorCode = outcomeOf(token, await findLinkByToken(ctx.db, token)) ?? 'INVALID_LINK'
    return { success: false, errorCode, redirectUrl: null, redirectParams: null }
  }
  // Refuses a person who became staff or was deactivated since the statement above.
  const admitted = await admitUser(ctx, link.phone, ctx.actor.lang, 'customer')
  if (!admitted) return { success: false, errorCode: 'INVALID_LINK', redirectUrl: null, redirectParams: null }
  await signIn(ctx, parts, admitted.row, 'link')
  await publish(ctx, 'link.opened', { linkId: link.id })
  const redirectUrl = link.redirectUrl === null ? null : linkRedirect(link.redirectUrl, parts.config.publicUrl)
  const params = safeRedirectParams(link.redirectParams)
  return {
    success: true,
    errorCode: null,
    redirectUrl,
    redirectParams: Object.keys(params).length > 0 ? params : null,
  }
}

/** Stores the message that carries the link, for its status in the list. */
export async function saveLinkMessage({ db }: Pick<Ctx, 'db'>, id: number, messageId: number): Promise<void> {
  await db.update(magicLinks).set({ messageId }).where(eq(magicLinks.id, id))
}
