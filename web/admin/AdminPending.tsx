import { adminPageAt } from '@qatra/contract/admin'
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
} from '../ui/admin/Pending.tsx'

/** Skeleton of each page while its chunk and required data load; by default that of a table. */
const shapes: Record<string, () => ReactNode> = {
  '/admin/dashboard': () => <TilesPending title="admin.nav.dashboard" wide />,
  '/admin/orders': () => (
    <TablePending
      title="admin.nav.orders"
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
    <TablePending title="admin.nav.customers" filters={4} filterLines={3} tools={2} columns={6} />
  ),
  '/admin/customers/import': () => <PartsPending button phoneLines={2} />,
  '/admin/products': () => (
    <TablePending
      title="admin.nav.products"
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
  '/admin/drivers': () => <TablePending title="admin.nav.drivers" button phoneLines={1} columns={7} />,
  '/admin/day': () => <TablePending title="admin.nav.closing" button phoneLines={1} columns={7} />,
  '/admin/drivers/print': () => <PartsPending />,
  '/admin/drivers/$id': () => <CardsPending />,
  '/admin/run': () => <CardsPending />,
  '/admin/whatsapp': () => <ColumnsPending title="admin.nav.whatsapp" />,
  '/admin/telegram': () => <PartsPending title="admin.nav.telegram" parts={2} />,
  '/admin/vendors': () => <TablePending title="admin.nav.vendors" button filters={2} filterLines={2} columns={6} />,
  '/admin/vendors/new': () => <TablePending title="admin.nav.vendors" button filters={2} columns={6} />,
  '/admin/vendors/$id': () => <TablePending title="admin.nav.vendors" button filters={2} columns={6} />,
  '/admin/vendors/$id/areas': () => <BoardPending list />,
  '/admin/vendor-control': () => <FormPending tabs={4} />,
  '/admin/areas': () => <BoardPending title="admin.nav.areas" button phoneLines={1} filters={2} filterLines={2} list />,
  '/admin/areas/$id': () => (
    <BoardPending title="admin.nav.areas" button phoneLines={1} filters={2} filterLines={2} list />
  ),
  '/admin/blocks': () => <TablePending title="admin.nav.blocks" search button columns={5} />,
  '/admin/calendar': () => <BoardPending title="admin.nav.calendar" />,
  '/admin/users': () => (
    <TablePending title="admin.nav.users" button tabs={3} filters={4} filterLines={2} tools={1} columns={6} />
  ),
  '/admin/audit': () => <TablePending title="admin.nav.audit" filters={5} filterLines={3} tools={1} columns={5} />,
  '/admin/setup': () => <PartsPending title="admin.nav.setup" />,
  '/admin/settings': () => <FormPending title="admin.nav.settings" />,
  '/admin/magic-links': () => <TablePending title="admin.nav.links" button filters={3} filterLines={2} columns={6} />,
  '/admin/jobs': () => <TablePending title="admin.nav.jobs" columns={6} />,
  '/admin/legacy': () => <TablePending title="admin.nav.legacy" filters={3} filterLines={2} columns={6} />,
  '/admin/sales/place-order': () => <FormPending title="admin.nav.placeOrder" />,
  '/admin/sales': () => <TablePending button columns={6} />,
  '/admin/sales/$id': () => <PartsPending />,
  '/admin/whatsapp/connection': () => <PartsPending title="admin.nav.whatsappSettings" tabs={5} />,
  '/admin/whatsapp/templates': () => <TablePending tabs={5} filters={2} filterLines={2} tools={1} cardLines={3} />,
  '/admin/whatsapp/campaigns': () => (
    <TablePending button tabs={5} filters={2} filterLines={2} columns={4} cardLines={3} />
  ),
  '/admin/whatsapp/campaigns/new': () => <FormPending fields={4} />,
  '/admin/whatsapp/campaigns/$id/edit': () => <FormPending fields={4} />,
  '/admin/whatsapp/campaigns/$id': () => <PartsPending />,
  '/admin/whatsapp/assistant': () => <TablePending tabs={5} filters={1} columns={3} cardLines={3} />,
  '/admin/whatsapp/webhooks': () => <TablePending tabs={5} filters={3} filterLines={2} columns={5} />,
}

export function AdminPending(): ReactNode {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const Shape = shapes[adminPageAt(path)?.path ?? ''] ?? TablePending
  return <Shape />
}
