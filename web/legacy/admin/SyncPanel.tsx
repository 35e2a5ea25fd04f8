import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { getLegacySummary, type LegacyOrder, listLegacyOrders, retryLegacyOrder } from '@qatra/contract/legacy'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { DescriptionList } from '../../ui/admin/DescriptionList.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { Timeline } from '../../ui/admin/Timeline.tsx'
import { Money, OrderId } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { SendIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { SyncBadge } from './SyncBadge.tsx'

/** Sync state of one order with the legacy system, and its errors. */
export function SyncPanel({ order, onClose }: { order: LegacyOrder; onClose(): void }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const { busy, run } = useAction(() => toast({ title: t('legacy.notDone'), tone: 'error' }))
  const time = (at: string | null) => (at === null ? null : <bdi>{formatDateTime(new Date(at), lang)}</bdi>)
  const retry = () =>
    run(async () => {
      await call(retryLegacyOrder, { params: { id: order.id } })
      toast({ title: t('legacy.retried', { count: 1 }) })
    }).finally(() => {
      for (const { path } of [getLegacySummary, listLegacyOrders]) void queries.invalidateQueries({ queryKey: [path] })
    })
  return (
    <SidePanel
      label={t('legacy.panel', { id: formatOrderId(order.id) })}
      title={<OrderId id={order.id} />}
      onClose={onClose}
      head={
        <div className="mt-2 grid gap-3">
          <span>
            <SyncBadge order={order} />
          </span>
          <Button
            tone={order.syncStatus === 'synced' ? 'quiet' : 'aqua'}
            icon={SendIcon}
            busy={busy}
            onClick={() => void retry()}
          >
            {t('legacy.retry')}
          </Button>
        </div>
      }
    >
      <PanelPart>
        <DescriptionList
          items={[
            [t('legacy.bag'), order.legacyBagId && <bdi dir="ltr">{order.legacyBagId}</bdi>],
            [t('legacy.transaction'), order.legacyTransactionId && <bdi dir="ltr">{order.legacyTransactionId}</bdi>],
            [t('legacy.lastSync'), time(order.lastSyncAt) ?? t('legacy.never')],
            [t('legacy.attempts'), order.attempts || null],
            [t('legacy.next'), order.isSending ? null : time(order.nextAttemptAt)],
            [t('legacy.placed'), time(order.createdAt)],
            [t('legacy.total'), <Money key="total" bhd={order.total} />],
          ]}
        />
        <p className="mt-3">
          <Link to="/admin/orders/$id" params={{ id: order.id }} className="text-aqua-ink hover:underline">
            {t('legacy.openOrder')}
          </Link>
        </p>
      </PanelPart>
      <PanelPart title={t('legacy.problems')}>
        {order.syncErrors.length === 0 ? (
          <p className="text-ink-2">{t('legacy.problems.none')}</p>
        ) : (
          <Timeline
            label={t('legacy.problems')}
            items={[...order.syncErrors].reverse().map(({ at, message }, place) => ({
              key: `${at} ${place}`,
              title: message,
              by: <time dateTime={at}>{formatDateTime(new Date(at), lang)}</time>,
              time: '',
            }))}
          />
        )}
      </PanelPart>
    </SidePanel>
  )
}
