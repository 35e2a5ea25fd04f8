import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { AdminLink, LinkState } from '@qatra/contract/links/admin'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { StateBadge } from '../../ui/admin/StateBadge.tsx'
import { CheckIcon, ClockIcon, CloseIcon, type Icon, LinkIcon, WarningIcon } from '../../ui/icons.tsx'

const badges: Record<LinkState, { tone: 'gulf' | 'quiet' | 'problem'; icon: Icon }> = {
  live: { tone: 'gulf', icon: LinkIcon },
  used: { tone: 'quiet', icon: CheckIcon },
  expired: { tone: 'quiet', icon: ClockIcon },
  revoked: { tone: 'problem', icon: CloseIcon },
}

export function LinkBadge({ link }: { link: Pick<AdminLink, 'state'> }) {
  const t = useT()
  return <StateBadge {...badges[link.state]}>{t(`links.state.${link.state}`)}</StateBadge>
}

/** When the state of the link began, or when a live link ends. */
export function StateTime({ link }: { link: AdminLink }) {
  const { t, lang } = useLanguage()
  const at = { used: link.usedAt, revoked: link.revokedAt, expired: link.expiresAt, live: link.expiresAt }[link.state]
  return <>{t(`links.until.${link.state}`, { at: at === null ? '' : formatDateTime(new Date(at), lang) })}</>
}

export function Sending({ link }: { link: AdminLink }) {
  const t = useT()
  const failed = link.sending === 'failed'
  return (
    <span className={failed ? 'inline-flex items-center gap-1 text-clay' : 'text-ink-2'}>
      {failed && <WarningIcon size={14} aria-hidden="true" />}
      {t(`links.sending.${link.sending}`)}
    </span>
  )
}
