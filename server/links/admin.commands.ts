import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { AdminLink, createLink as create } from '@qatra/contract/links/admin'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { emit, enqueue } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { mayGetSms, mayGetWhatsapp } from '../lib/phone-reach.ts'
import { seal } from '../lib/secrets.ts'
import { users } from '../users/tables.ts'
import { requireAdminLink } from './admin.queries.ts'
import { makeLink } from './commands.ts'
import { travelKey } from './link-text.ts'
import { magicLinks } from './tables.ts'

/**
 * Creates a link by hand.
 * @throws STAFF_PHONE, CUSTOMER_SWITCHED_OFF, CUSTOMER_NOT_REACHABLE if it is to be sent and no channel reaches the
 * customer
 */
export async function makeAdminLink(
  ctx: Ctx,
  { config }: Pick<App, 'config'>,
  { send = false, ...input }: Parsed<typeof create>['body'],
): Promise<Output<typeof create>> {
  const [owner] = await ctx.db.select({ isActive: users.isActive }).from(users).where(eq(users.phone, input.phone))
  const { id, ...made } = await makeLink(ctx, config.publicUrl, input)
  // Staff get STAFF_PHONE, active or not.
  if (owner && !owner.isActive) throw new AppError('CUSTOMER_SWITCHED_OFF')
  if (send) {
    if (!isReachable(config, input.phone)) throw new AppError('CUSTOMER_NOT_REACHABLE')
    // Encrypted: the queue's tables are in every copy of the database.
    await enqueue(ctx, 'send-link', { linkId: id, sealed: seal(travelKey(config.secret), made.token, String(id)) })
  }
  return made
}

const isReachable = ({ whatsapp, codeCountries, simulator, sms }: App['config'], phone: string) =>
  (whatsapp.provider !== 'web' && mayGetWhatsapp(phone, codeCountries)) ||
  ((simulator || sms.provider !== 'none') && mayGetSms(phone))

/**
 * An opening at the same moment either succeeds before or finds the link revoked.
 * @throws LINK_NOT_FOUND, LINK_CLOSED if it was used or has expired
 */
export async function revokeAdminLink(ctx: Ctx, id: number): Promise<AdminLink> {
  const [revoked] = await ctx.db
    .update(magicLinks)
    .set({ revokedAt: sql`now()`, revokedBy: userOf(ctx).id })
    .where(
      and(
        eq(magicLinks.id, id),
        eq(magicLinks.used, false),
        isNull(magicLinks.revokedAt),
        sql`${magicLinks.expiresAt} > now()`,
      ),
    )
    .returning({ id: magicLinks.id })
  const link = await requireAdminLink(ctx, id)
  if (revoked) await emit(ctx, { name: 'link.revoked', action: 'revoked', resource: 'magic-link', id })
  else if (link.state !== 'revoked') throw new AppError('LINK_CLOSED', { state: link.state })
  return link
}
