import { listDrivers } from '@qatra/contract/drivers'
import {
  type AdminOrderDetail,
  changeOrderStatus,
  countOrders,
  getAdminOrder,
  listOrders,
} from '@qatra/contract/orders/admin'
import { listDayLoads } from '@qatra/contract/orders/delivery'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { noTotals } from '@qatra/contract/orders/totals'
import { listOrderViews, type OrderView } from '@qatra/contract/orders/views'
import { listAreas } from '@qatra/contract/places/areas'
import { getMe, type User } from '@qatra/contract/users/auth'
import { useQueryClient } from '@tanstack/react-query'
import { act, cleanup, screen, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { vi } from 'vitest'
import { fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { fetchKey, read } from '../../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast, Toasts } from '../../../ui/Toast.tsx'
import { orderOf } from '../../test-order.ts'

export const order = (id: string, more: Partial<AdminOrderDetail> = {}): AdminOrderDetail => {
  const made = orderOf('new', '2026-11-21')
  return {
    ...made,
    id: id.padEnd(16, '2'),
    customerName: `Customer ${id}`,
    address: 'Block 428, road 2831',
    areaId: 1,
    ...noTotals,
    subtotal: 5,
    productVAT: 0.65,
    total: 5.65,
    amountPaid: 0,
    cashDue: more.paymentStatus === 'paid' ? 0 : 5.65,
    items: made.items.map((item) => ({
      ...item,
      id: 1,
      productId: 1,
      name: 'Water',
      nameAr: null,
      size: '500ml',
      price: 2.5,
      vatPercentage: 10,
      quantity: 2,
    })),
    createdAt: '2026-11-20T08:00:00.000Z',
    updatedAt: '2026-11-20T08:00:00.000Z',
    cancellableUntil: '2026-11-20T09:00:00.000Z',
    syncStatus: 'pending',
    driver: null,
    agent: null,
    customerOrder: 12,
    double: null,
    bookedOn: null,
    referral: null,
    due: 0,
    payments: [],
    can: {
      cancel: false,
      reschedule: true,
      reorder: false,
      rate: false,
      assign: true,
      payment: ['paid'],
      refund: true,
      takeBack: false,
      confirm: true,
      note: true,
      address: true,
      items: true,
      changeStatus: ['in-progress', 'shipped', 'delivered', 'cancelled'],
    },
    ...more,
  }
}
export const bilal = { id: 21, name: 'Bilal Hussain', phone: '+97336000021' }
export const moved = (from: AdminOrderDetail, status: OrderStatus) => ({ ...from, status, version: from.version + 1 })

const permissions = ['orders.read', 'orders.status', 'orders.assign', 'orders.payment', 'orders.export', 'drivers.read']
export const me = { ...sara, permissions } as User

/** For tests: a fake server for the desk; `orders` are its rows in list order. */
export function setUpDesk() {
  setUpScreen()
  const shop = fakeShop()
  const desk = {
    shop,
    orders: [
      order('K7QM'),
      order('P4WN', { status: 'in-progress', driver: bilal, assignedDriverId: 21 }),
      order('9HXR'),
    ],
    arrivedIds: [] as string[],
    arrivedAt: '2026-11-21T07:01:00.000Z',
    /** The day that the list answers for `next`. */
    day: null as string | null,
    listedAt: '2026-11-21T07:00:00.000Z',
    views: [] as OrderView[],
    /** Whether the vendors have the step; without it there are no such orders. */
    processing: true,
    /** Bodies of the status requests of this order. */
    statusCalls: (id: string) =>
      shop.to({ ...changeOrderStatus, path: `/api/admin/orders/${id.padEnd(16, '2')}/status` }).map(({ body }) => body),
  }
  shop.on(listOrders, () => ({
    items: desk.orders,
    page: 1,
    limit: 50,
    total: desk.orders.length,
    totalIsExact: true,
    sum: 16.95,
    sortedAmong: null,
    day: desk.day,
    now: desk.listedAt,
  }))
  shop.on(countOrders, ({ query }) => {
    const since = query.get('since')
    const arrivedIds = since !== null && since <= desk.arrivedAt ? desk.arrivedIds : []
    return {
      counts: { new: 2, 'in-progress': Number(desk.processing), shipped: 1000, delivered: 0, cancelled: 0 },
      processing: desk.processing,
      all: 1000,
      most: 1000,
      arrived: arrivedIds.length,
      arrivedIds,
      today: '2026-11-21',
      chips: { today: 3, tomorrow: 31, day: 3, late: 2, failed: 0, unassigned: 1000 },
      now: '2026-11-21T07:00:00.000Z',
    }
  })
  shop.on(getAdminOrder, ({ path }) => desk.orders.find(({ id }) => path.endsWith(id)) ?? order('gone'))
  shop.on(getTimeline, () => [])
  shop.on(listDayLoads, () => refusal('NOT_FOUND'))
  shop.on(listDrivers, () => [
    { ...bilal, vendorId: 1, openOrders: 3, day: { orders: 2, units: 9, areas: [{ name: 'Seef', nameAr: 'السيف' }] } },
  ])
  shop.on(listAreas, () => [])
  shop.on(listOrderViews, () => desk.views)
  return desk
}
export type TestDesk = ReturnType<typeof setUpDesk>

export function tearDownDesk() {
  cleanup()
  dismissToast()
  localStorage.clear()
  vi.unstubAllGlobals()
}

function Signed({ user, children }: { user: User; children: ReactNode }) {
  const queries = useQueryClient()
  useState(() => {
    queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, queryFn: fetchKey } })
    queries.setQueryData(read(getMe).queryKey, user)
  })
  return children
}

/** For tests: renders an admin page with toasts; resolves when it shows the first customer. */
export async function openPage(Page: () => ReactNode, { at = '/here', path = '/here', user = me } = {}) {
  const view = await renderInAdmin(
    () => (
      <Signed user={user}>
        <Page />
        <Toasts />
      </Signed>
    ),
    { at, path },
  )
  await screen.findAllByText('Customer K7QM')
  return view
}

export const rows = () => screen.getAllByRole('row').slice(1)
export const panel = () => within(screen.getByRole('complementary'))
export const leave = () => act(async () => void dispatchEvent(new Event('pagehide')))
