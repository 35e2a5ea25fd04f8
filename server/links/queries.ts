import type { Output } from '@qatra/contract/endpoint'
import { maskPhoneOnScreen } from '@qatra/contract/lib/phone'
import type { getLinkStatus, linkErrors } from '@qatra/contract/links/links'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { sha256 } from '../lib/secrets.ts'

interface LinkRow {
  phone: string
  used: boolean
  is_expired: boolean
  is_revoked: boolean
  is_customers: boolean
}

const linkSql = statement(
  'link-look',
  `select l.phone, l.used, l.expires_at <= now() as is_expired, l.revoked_at is not null as is_revoked,
          coalesce(u.role = 'customer' and u.is_active, true) as is_customers
   from magic_links l left join users u on u.phone = l.phone
   where l.token = $1`,
)

export async function findLinkByToken(db: Db, token: string): Promise<LinkRow | null> {
  const [link] = await run<LinkRow>(db, linkSql, [sha256(token)])
  return link ?? null
}

/** Null if the link is valid. */
export function outcomeOf(token: string, link: LinkRow | null): (typeof linkErrors)[number] | null {
  if (token === 'error') return 'GENERAL_ERROR'
  if (!link || link.is_revoked || !link.is_customers) return 'INVALID_LINK'
  if (link.used) return 'USED_LINK'
  return link.is_expired ? 'EXPIRED_LINK' : null
}

/** Read-only, since link previews of messengers call it. */
export async function readLinkStatus({ db, actor }: Ctx, token: string): Promise<Output<typeof getLinkStatus>> {
  const link = await findLinkByToken(db, token)
  const errorCode = outcomeOf(token, link)
  if (errorCode !== null || link === null) return { success: false, errorCode, phone: null, isOwn: null }
  const isOwn = actor.user === null ? null : actor.user.phone === link.phone
  return { success: true, errorCode, phone: maskPhoneOnScreen(link.phone), isOwn }
}
