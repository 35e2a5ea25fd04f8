import { officePageAt } from '@qatra/contract/office'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  BoardPending,
  CardsPending,
  ColumnsPending,
  FormPending,
  PartsPending,
  TablePending,
  TilesPending,
} from '../ui/office/Pending.tsx'

/** What stands for each page while its chunk and what it cannot do without are on the way; a page not named is a table. */
const shapes: Record<string, () => ReactNode> = {
  '/admin/dashboard': () => <TilesPending title="office.nav.dashboard" wide />,
  '/admin/orders': () => (
    <TablePending
      title="office.nav.orders"
      search
      button
      chip
      phoneLines={2}
      tabs={6}
      filters={6}
      filterLines={3}
      tools={3}
      columns={8}
      cardLines={4}
    />
  ),
  '/admin/orders/print': () => <TablePending columns={3} />,
  '/admin/orders/$id': () => <PartsPending />,
  '/admin/customers': () => (
    <TablePending title="office.nav.customers" filters={4} filterLines={3} tools={2} columns={6} />
  ),
  '/admin/products': () => (
    <TablePending
      title="office.nav.products"
      search
      button
      phoneLines={2}
      filters={2}
      filterLines={1}
      tools={3}
      columns={7}
    />
  ),
  '/admin/products/new': () => <FormPending button />,
  '/admin/products/$id': () => <FormPending button phoneLines={1} tabs={2} />,
  '/admin/products/upload': () => <PartsPending button phoneLines={1} />,
  '/admin/drivers': () => <TablePending title="office.nav.drivers" button phoneLines={1} columns={7} />,
  '/admin/drivers/print': () => <PartsPending />,
  '/admin/drivers/$id': () => <CardsPending />,
  '/admin/run': () => <CardsPending />,
  '/admin/whatsapp': () => <ColumnsPending title="office.nav.whatsapp" />,
  '/admin/telegram': () => <PartsPending title="office.nav.telegram" parts={2} />,
  '/admin/vendors': () => <TablePending title="office.nav.vendors" button filters={2} filterLines={2} columns={6} />,
  '/admin/vendors/new': () => <TablePending title="office.nav.vendors" button filters={2} columns={6} />,
  '/admin/vendors/$id': () => <TablePending title="office.nav.vendors" button filters={2} columns={6} />,
  '/admin/vendors/$id/areas': () => <BoardPending list />,
  '/admin/vendor-control': () => <FormPending tabs={4} />,
  '/admin/areas': () => (
    <BoardPending title="office.nav.areas" button phoneLines={1} filters={2} filterLines={2} list />
  ),
  '/admin/areas/$id': () => (
    <BoardPending title="office.nav.areas" button phoneLines={1} filters={2} filterLines={2} list />
  ),
  '/admin/calendar': () => <BoardPending title="office.nav.calendar" />,
  '/admin/users': () => (
    <TablePending title="office.nav.users" button tabs={3} filters={4} filterLines={2} tools={1} columns={6} />
  ),
  '/admin/audit': () => <TablePending title="office.nav.audit" filters={5} filterLines={3} tools={1} columns={5} />,
  '/admin/magic-links': () => <TablePending title="office.nav.links" button filters={3} filterLines={2} columns={6} />,
  '/admin/jobs': () => <TablePending title="office.nav.jobs" columns={6} />,
  '/admin/legacy': () => <TablePending title="office.nav.legacy" filters={3} filterLines={2} columns={6} />,
  '/admin/sales/place-order': () => <FormPending title="office.nav.placeOrder" />,
  '/admin/sales': () => <TablePending button columns={6} />,
  '/admin/sales/$id': () => <PartsPending />,
  '/admin/whatsapp/connection': () => <PartsPending title="office.nav.whatsappSettings" tabs={4} />,
  '/admin/whatsapp/templates': () => <TablePending tabs={4} filters={2} filterLines={2} tools={1} cardLines={3} />,
  '/admin/whatsapp/campaigns': () => (
    <TablePending button tabs={4} filters={2} filterLines={2} columns={4} cardLines={3} />
  ),
  '/admin/whatsapp/campaigns/new': () => <FormPending fields={4} />,
  '/admin/whatsapp/campaigns/$id/edit': () => <FormPending fields={4} />,
  '/admin/whatsapp/campaigns/$id': () => <PartsPending />,
  '/admin/whatsapp/webhooks': () => <TablePending tabs={4} filters={3} filterLines={2} columns={5} />,
}

export function OfficePending(): ReactNode {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const Shape = shapes[officePageAt(path)?.path ?? ''] ?? TablePending
  return <Shape />
}
