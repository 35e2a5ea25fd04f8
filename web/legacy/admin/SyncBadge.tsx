import type { LegacyOrder } from '@qatra/contract/legacy'
import { useT } from '../../lib/language/i18n.tsx'
import { StateBadge } from '../../ui/admin/StateBadge.tsx'
import { AgainIcon, CheckIcon, ClockIcon, WarningIcon } from '../../ui/icons.tsx'

const badges = {
  pending: { tone: 'quiet', icon: ClockIcon },
  synced: { tone: 'gulf', icon: CheckIcon },
  failed: { tone: 'problem', icon: WarningIcon },
  sending: { tone: 'gulf', icon: AgainIcon },
} as const

export function SyncBadge({ order }: { order: Pick<LegacyOrder, 'syncStatus' | 'isSending'> }) {
  const t = useT()
  const state = order.isSending ? 'sending' : order.syncStatus
  return <StateBadge {...badges[state]}>{t(`legacy.state.${state}`)}</StateBadge>
}
