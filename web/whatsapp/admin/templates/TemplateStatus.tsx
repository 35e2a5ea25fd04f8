import { useT } from '../../../lib/language/i18n.tsx'
import { StateBadge } from '../../../ui/admin/StateBadge.tsx'
import { CheckIcon, ClockIcon, WarningIcon } from '../../../ui/icons.tsx'

export const templateStatuses = [
  ...(['APPROVED', 'PENDING', 'IN_APPEAL', 'REJECTED', 'PAUSED', 'LIMIT_EXCEEDED'] as const),
  ...(['DISABLED', 'PENDING_DELETION', 'DELETED', 'ARCHIVED', 'FLAGGED', 'LOCKED'] as const),
]
export const rejectionReasons = [
  ...(['ABUSIVE_CONTENT', 'INVALID_FORMAT', 'PROMOTIONAL', 'TAG_CONTENT_MISMATCH', 'SCAM'] as const),
  'INCORRECT_CATEGORY' as const,
]
/** Reasons that WhatsApp reports, also of pauses. */
const reasons = [
  ...rejectionReasons,
  ...(['FIRST_PAUSE', 'SECOND_PAUSE', 'RATE_LIMITING_PAUSE', 'UNPAUSE', 'DISABLED'] as const),
]

const bad: readonly string[] = ['REJECTED', 'PAUSED', 'DISABLED']

export function TemplateStatus({ status }: { status: string }) {
  const t = useT()
  const known = templateStatuses.find((one) => one === status)
  const [tone, icon] =
    status === 'APPROVED'
      ? (['gulf', CheckIcon] as const)
      : bad.includes(status)
        ? (['problem', WarningIcon] as const)
        : (['quiet', ClockIcon] as const)
  return (
    <StateBadge tone={tone} icon={icon}>
      {known ? t(`templates.status.${known}`) : <bdi>{status}</bdi>}
    </StateBadge>
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
