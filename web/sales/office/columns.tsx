import type { Order } from '@qatra/contract/orders'
import { silhouetteOf } from '@qatra/contract/sizes'
import { useMemo } from 'react'
import { useLanguage, useT } from '../../app/i18n.tsx'
import { useInLang, useNameIn } from '../../app/names.ts'
import { AreaName, PlacedAt, StatusBadge } from '../../orders/office/OrderParts.tsx'
import { Money, Phone } from '../../ui/Bidi.tsx'
import { Bottle } from '../../ui/Bottle.tsx'
import type { Column } from '../../ui/office/table-columns.tsx'

const SHOWN = 3

/** What was sold, as bottles with their numbers; the names are read out. */
function SoldBottles({ order }: { order: Order }) {
  const t = useT()
  const nameIn = useNameIn()
  const read = order.items.map((item) => `${item.quantity} × ${nameIn(item)} ${item.size}`).join(', ')
  const rest = order.items.length - SHOWN
  return (
    <span className="inline-flex items-end gap-2.5" title={read}>
      <span className="sr-only">{read}</span>
      {order.items.slice(0, SHOWN).map((item) => (
        <span key={item.id} aria-hidden="true" className="inline-flex items-end gap-0.5">
          <Bottle shape={silhouetteOf(item.size)} tint={order.vendorTint} height={28} />
          <span className="text-caption leading-none text-ink-2">{t('desk.times', { count: item.quantity })}</span>
        </span>
      ))}
      {rest > 0 && (
        <bdi aria-hidden="true" className="text-caption leading-none text-ink-2">
          {t('desk.moreItems', { count: rest })}
        </bdi>
      )}
    </span>
  )
}

export function useSalesColumns(): readonly Column<Order>[] {
  const { t } = useLanguage()
  const inLang = useInLang()
  return useMemo(
    () => [
      {
        key: 'order',
        title: t('sale.column.order'),
        width: 72,
        cell: (order) => (
          <bdi dir="ltr" className="font-strong" title={order.id}>
            {order.id.slice(0, 4)}
          </bdi>
        ),
      },
      { key: 'placed', title: t('sale.column.placed'), width: 96, cell: (order) => <PlacedAt order={order} /> },
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
        width: 150,
        from: 'lg',
        cell: (order) => <SoldBottles order={order} />,
      },
      {
        key: 'total',
        title: t('sale.column.total'),
        width: 96,
        align: 'end',
        cell: (order) => <bdi className="font-strong">{order.total.toFixed(3)}</bdi>,
      },
      { key: 'status', title: t('sale.column.status'), width: 132, cell: (order) => <StatusBadge order={order} /> },
    ],
    [t, inLang], // oxlint-disable-line react/exhaustive-deps -- names follow the language
  )
}

/** One sale on a phone. */
export function SaleCard({ order }: { order: Order }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex items-center gap-2">
        <bdi dir="ltr" className="font-strong">
          {order.id.slice(0, 4)}
        </bdi>
        <span className="text-ink-3">
          <PlacedAt order={order} />
        </span>
        <span className="ms-auto">
          <StatusBadge order={order} />
        </span>
      </div>
      <div className="flex items-baseline gap-2">
        <bdi className="min-w-0 truncate text-body leading-[1.7] font-strong">{order.customerName}</bdi>
        <Money bhd={order.total} className="ms-auto flex-none font-strong" />
      </div>
      <div className="flex items-end gap-2 text-ink-2">
        <span className="min-w-0 truncate leading-[1.7]">
          <AreaName order={order} />
        </span>
        <span className="ms-auto flex-none">
          <SoldBottles order={order} />
        </span>
      </div>
    </div>
  )
}
