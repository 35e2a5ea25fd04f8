import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../../ui/class-names.ts'

export const templateStatuses = [
  ...(['APPROVED', 'PENDING', 'IN_APPEAL', 'REJECTED', 'PAUSED', 'LIMIT_EXCEEDED'] as const),
  ...(['DISABLED', 'PENDING_DELETION', 'DELETED', 'ARCHIVED', 'FLAGGED', 'LOCKED'] as const),
]
/** Reasons of rejections and pauses that WhatsApp reports. */
const reasons = [
  ...(['ABUSIVE_CONTENT', 'INVALID_FORMAT', 'PROMOTIONAL', 'TAG_CONTENT_MISMATCH', 'SCAM'] as const),
  ...(['INCORRECT_CATEGORY', 'FIRST_PAUSE', 'SECOND_PAUSE', 'RATE_LIMITING_PAUSE', 'UNPAUSE', 'DISABLED'] as const),
]

export function TemplateStatus({ status }: { status: string }) {
  const t = useT()
  const known = templateStatuses.find((one) => one === status)
  const badgeClass =
    status === 'APPROVED'
      ? 'bg-gulf-soft text-gulf'
      : status === 'REJECTED' || status === 'DISABLED'
        ? 'bg-clay-soft text-clay'
        : 'bg-well text-ink-2'
  return (
    <span
      className={classes(
        'inline-flex h-6 items-center rounded-[7px] px-2 text-caption font-strong whitespace-nowrap',
        badgeClass,
      )}
    >
      {known ? t(`templates.status.${known}`) : <bdi>{status}</bdi>}
    </span>
  )
}

/** Known reasons in words, others as WhatsApp writes them. */
export function RejectedReason({ reason }: { reason: string }) {
  const t = useT()
  const known = reasons.find((one) => one === reason)
  if (known) return t(`templates.reason.${known}`)
  return (
    <bdi dir="auto" className="wrap-anywhere">
      {reason}
    </bdi>
  )
}
