import { addDays, bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { addFils, formatMoney, fromBhd, plainAmount, zeroFils } from '@qatra/contract/lib/money'
import { shortId } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { listSalesDays, listSalesOrders } from '@qatra/contract/sales'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { pageNumber, readSearch } from '../../lib/search-state.ts'
import { OrderCard } from '../../orders/admin/desk/OrderCard.tsx'
import { AreaName, ItemBottles, PlacedAt, StatusBadge } from '../../orders/admin/OrderParts.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { useList } from '../../ui/admin/list/use-list.ts'
import { Stat } from '../../ui/admin/Stat.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Phone } from '../../ui/Bidi.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { useVendorColumn } from '../../users/admin/vendor-column.tsx'

const LIMIT = 25
const shape = { page: pageNumber }
const listQuery = ({ page }: { page: number }) => read(listSalesOrders, { query: { page, limit: LIMIT } })
const salesDaysQuery = () => read(listSalesDays)

function MySalesPage() {
  const { t } = useLanguage()
  const navigate = useNavigate()
  const role = useUser()?.role
  const isOwnOnly = role === 'vendor_sales' || role === 'vendor_staff'
  const list = useList(shape, listQuery, { limit: LIMIT })
  const columns = useSalesColumns()
  const place = (
    <Link to="/admin/sales/place-order" className={buttonClass('gulf', 'small', 'max-md:flex-1')}>
      <PlusIcon size={18} aria-hidden="true" />
      {t('sale.title')}
    </Link>
  )
  return (
    <ListPage
      list={list}
      title={t(isOwnOnly ? 'sale.mine' : 'sale.all')}
      subtitle={list.data && t('sale.count', { count: list.data.total })}
      actions={place}
      head={<Days />}
      label={t('sale.all')}
      columns={columns}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.id}
      onOpen={(row) => void navigate({ to: '/admin/sales/$id', params: { id: row.id } })}
      isDim={(row) => row.status === 'delivered' || row.status === 'cancelled'}
      empty={
        <EmptyState title={t('sale.empty')} text={t('sale.emptyHint')}>
          {place}
        </EmptyState>
      }
      renderCard={(row) => <OrderCard order={row} />}
    />
  )
}

/** Sums of today, the last seven days and all days, and a list of days. */
function Days() {
  const { t, lang } = useLanguage()
  const { data: days } = useQuery(salesDaysQuery())
  const [today] = useState(() => bahrainDate(new Date()))
  if (!days || days.length === 0) return null
  const since = (first: string) => days.filter(({ day }) => day >= first)
  const figure = (some: typeof days) => ({
    value: formatMoney(addFils(zeroFils, ...some.map(({ total }) => fromBhd(total))), lang),
    hint: t('sale.count', { count: some.reduce((sum, { orders }) => sum + orders, 0) }),
  })
  return (
    <section className="px-4 pb-4 md:px-6">
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat label={t('sale.today')} {...figure(since(today))} />
        {/* On a phone the days are listed below. */}
        {[7, 31].map((count) => (
          <div key={count} className="max-sm:hidden">
            <Stat label={t('sale.lastDays', { count })} {...figure(since(addDays(today, 1 - count)))} />
          </div>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, to scroll by keyboard */}
      <ul tabIndex={0} aria-label={t('sale.days')} className="mt-3 flex gap-2 overflow-x-auto pb-1">
        {days.slice(0, 14).map(({ day, orders, total }) => (
          <li key={day} className="flex-none rounded-m bg-well px-3 py-1.5 text-label whitespace-nowrap text-ink-2">
            {t('sale.dayTotal', {
              day: formatDay(day, lang, 'short'),
              count: orders,
              total: formatMoney(fromBhd(total), lang),
            })}
          </li>
        ))}
      </ul>
    </section>
  )
}

function useSalesColumns(): readonly Column<Order>[] {
  const { t } = useLanguage()
  const vendor = useVendorColumn<Order>(({ vendorId }) => [vendorId])
  return [
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
    ...vendor,
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
  ]
}

export const page: Page = {
  Component: MySalesPage,
  load: ({ queries, search }) =>
    Promise.all([
      queries.ensureQueryData(listQuery(readSearch(shape, search))),
      queries.ensureQueryData(salesDaysQuery()),
    ]),
  head: ({ t }) => ({ title: t('sale.mine'), hidden: true }),
}
