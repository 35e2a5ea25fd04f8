import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session/session.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { firstOrdersQuery, olderOrders } from './api.ts'
import { useLiveOrders } from './live-orders.ts'
import { OrderCard } from './OrderCard.tsx'
import { useReorder } from './use-reorder.tsx'

function OrdersPage() {
  const t = useT()
  const queries = useQueryClient()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    olderOrders(queries),
  )
  const { start, dialog, busyWith } = useReorder()
  const orders = data?.pages.flatMap(({ items }) => items) ?? []
  const lastDelivered = orders.find(({ status }) => status === 'delivered')
  const total = data?.pages[0]?.total ?? 0
  useLiveOrders(orders)
  return (
    <main id="main" className="wrap pb-8 max-lg:max-w-190 md:pt-6">
      <h1 className="pt-2 text-title md:pb-4">{t('orders.title')}</h1>
      {error && orders.length === 0 && (
        <div role="alert" className="py-8 text-center">
          <p className="mb-3">{t('orders.failed')}</p>
          <Button onClick={() => void refetch()}>{t('orders.retry')}</Button>
        </div>
      )}
      <div className="md:grid md:gap-4 lg:grid-cols-2 lg:gap-5">
        {orders.map((order) => (
          <OrderCard
            key={order.id}
            order={order}
            isBusy={busyWith === order.id}
            asksRating={order === lastDelivered && order.can.rate}
            onReorder={start}
          />
        ))}
      </div>
      {data && total === 0 && (
        <div className="py-10">
          <EmptyState title={t('orders.empty')} text={t('orders.emptyHint')}>
            <Link to="/" className={buttonClass('aqua')}>
              {t('orders.browse')}
            </Link>
          </EmptyState>
        </div>
      )}
      {hasNextPage && (
        <div className="grid justify-items-center gap-1 py-5">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? t('orders.loadingOlder') : t('orders.older')}
          </Button>
          <p className="text-label text-ink-3">{t('orders.shownOf', { shown: orders.length, total })}</p>
        </div>
      )}
      {dialog}
    </main>
  )
}

export const page: Page = {
  Component: OrdersPage,
  load: async (request) => {
    await requireUser(request)
    await request.queries.fetchQuery(firstOrdersQuery())
  },
  head: ({ t }) => ({ title: t('orders.title'), hidden: true }),
}
