import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { syncStatuses } from '@qatra/contract/legacy'
import { leftToRight } from '@qatra/contract/lib/text'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'

/** Synchronization state with the legacy system; empty if the order was never sent. */
export function SyncPart({ order }: { order: AdminOrder }) {
  const { t, lang } = useLanguage()
  const mayRead = useUser()?.permissions.includes('legacy.read') ?? false
  const { syncStatus, lastSyncAt, legacyBagId } = order
  const problem = syncStatus === 'synced' ? undefined : order.syncErrors?.at(-1)
  const state = syncStatuses.find((one) => one === syncStatus)
  if (!mayRead || !state || (state === 'pending' && lastSyncAt === null && !problem)) return null
  return (
    <PanelPart title={t('desk.sync')}>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className={state === 'failed' ? 'text-clay' : undefined}>
          {t(`desk.sync.${state}`)}
          {legacyBagId && <> · {t('desk.sync.bag', { id: leftToRight(legacyBagId) })}</>}
        </span>
        {lastSyncAt && <span className="text-ink-3">{formatDateTime(new Date(lastSyncAt), lang)}</span>}
      </p>
      {problem && (
        <p dir="auto" className="text-as-page break-words text-ink-2">
          {problem.message}
        </p>
      )}
      <a
        href={`/admin/legacy?q=${order.id}&open=${order.id}`}
        className="mt-1 inline-flex items-center text-aqua-ink hover:underline max-md:min-h-tap"
      >
        {t('desk.sync.open')}
      </a>
    </PanelPart>
  )
}
