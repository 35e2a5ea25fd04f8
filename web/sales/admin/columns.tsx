import { plainAmount } from '@qatra/contract/lib/money'
import { shortId } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { useMemo } from 'react'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { AreaName, ItemBottles, PlacedAt, StatusBadge } from '../../orders/admin/OrderParts.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Phone } from '../../ui/Bidi.tsx'

export function useSalesColumns(): readonly Column<Order>[] {
  const { t } = useLanguage()
  return useMemo(
    () => [
      {
        key: 'order',
        title: t('sale.column.order'),
        width: 84,
        cell: (order) => (
          <bdi dir="ltr" className="font-strong" title={order.id}>
            {shortId(order.id)}
          </bdi>
        ),
      },
      { key: 'placed', title: t('sale.column.placed'), width: 116, cell: (order) => <PlacedAt order={order} /> },
      {
        key: 'customer',
        title: t('sale.column.customer'),
        cell: (order) => (
          <span className="block truncate leading-[1.7]">
            <bdi>{order.customerName}</bdi> <Phone phone={order.phone} className="text-ink-3" />
          </span>
        ),
      },
      {
        key: 'area',
        title: t('sale.column.area'),
        from: 'lg',
        cell: (order) => <AreaName order={order} />,
      },
      {
        key: 'items',
        title: t('sale.column.items'),
        width: 128,
        from: 'lg',
        cell: (order) => <ItemBottles order={order} />,
      },
      {
        key: 'total',
        title: t('sale.column.total'),
        width: 96,
        align: 'end',
        cell: (order) => <bdi className="font-strong">{plainAmount(order.total)}</bdi>,
      },
      { key: 'status', title: t('sale.column.status'), width: 152, cell: (order) => <StatusBadge order={order} /> },
    ],
    [t],
  )
}
