import { firstOfficePage, mayOpen } from '@qatra/contract/office'
import { getSite } from '@qatra/contract/site'
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router'
import { OfficeLayout } from '../office/OfficeLayout.tsx'
import { OfficeMissing } from '../office/OfficeStates.tsx'
import { read } from './call.ts'
import { OfficeChecking } from './OfficeChecking.tsx'
import { leaveForSignIn } from './office-exit.ts'
import { lazyPage } from './page.ts'
import { langSearch } from './search.ts'
import { findUser } from './session.ts'

/**
 * A page of the office is
 * 1. a line of `officePages` in contract/office.ts: its path, who may open it, its place in the navigation;
 * 2. one `const` here, and its name in `officeRoutes`:
 *
 *     const orders = createRoute({
 *       getParentRoute,
 *       path: '/admin/orders',
 *       ...officePage('orders/office/OrdersDesk.tsx', () => import('../orders/office/OrdersDesk.tsx'), ['office-orders']),
 *     })
 *
 * 3. the file itself, in a folder `office/`, which exports `page` as a page of the shop does.
 */
export const officePage = lazyPage

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: langSearch,
  // The server asked the same before it sent anything; here it is asked again before the data of each further page.
  beforeLoad: async ({ context: { queries }, location }) => {
    const user = await findUser(queries)
    if (!user) leaveForSignIn()
    const first = location.pathname === '/admin' && user ? firstOfficePage(user) : null
    // Written as any page of the table may be; which one it is, the person's role says.
    if (first) throw redirect({ to: first as '/admin', replace: true })
    if (!mayOpen(location.pathname, user)) throw notFound()
  },
  loader: ({ context: { queries } }) => queries.ensureQueryData(read(getSite)),
  component: OfficeLayout,
  // The server sent the person along, so this is over at once; what takes longer is the page's own data.
  pendingComponent: OfficeChecking,
  pendingMs: 400,
  notFoundComponent: OfficeMissing,
})

const getParentRoute = () => root
const vendorWords = ['office-vendors', 'office-areas', 'office-calendar', 'validation'] as const

/** Leads on to the first page of one's navigation. */
const start = createRoute({ getParentRoute, path: '/admin' })

const dashboard = createRoute({
  getParentRoute,
  path: '/admin/dashboard',
  ...officePage('dashboard/office/DashboardPage.tsx', () => import('../dashboard/office/DashboardPage.tsx'), [
    'office-dashboard',
    'office-areas',
  ]),
})

const productWords = ['office-products', 'catalogue', 'validation'] as const
const products = createRoute({
  getParentRoute,
  path: '/admin/products',
  ...officePage('products/office/ProductsPage.tsx', () => import('../products/office/ProductsPage.tsx'), productWords),
})
const newProduct = createRoute({
  getParentRoute,
  path: '/admin/products/new',
  ...officePage(
    'products/office/NewProductPage.tsx',
    () => import('../products/office/NewProductPage.tsx'),
    productWords,
  ),
})
const productUpload = createRoute({
  getParentRoute,
  path: '/admin/products/upload',
  ...officePage('products/office/BulkPage.tsx', () => import('../products/office/BulkPage.tsx'), productWords),
})
const product = createRoute({
  getParentRoute,
  path: '/admin/products/$id',
  ...officePage('products/office/ProductPage.tsx', () => import('../products/office/ProductPage.tsx'), productWords),
})

const vendors = createRoute({
  getParentRoute,
  path: '/admin/vendors',
  ...officePage('vendors/office/VendorsPage.tsx', () => import('../vendors/office/VendorsPage.tsx'), vendorWords),
})
const vendorPanel = () =>
  officePage('vendors/office/VendorPanel.tsx', () => import('../vendors/office/VendorPanel.tsx'), vendorWords)
const newVendor = createRoute({ getParentRoute: () => vendors, path: 'new', ...vendorPanel() })
const vendor = createRoute({ getParentRoute: () => vendors, path: '$id', ...vendorPanel() })
const vendorAreas = createRoute({
  getParentRoute,
  path: '/admin/vendors/$id/areas',
  ...officePage(
    'vendors/office/VendorAreasPage.tsx',
    () => import('../vendors/office/VendorAreasPage.tsx'),
    vendorWords,
  ),
})
const vendorControl = createRoute({
  getParentRoute,
  path: '/admin/vendor-control',
  ...officePage(
    'vendors/office/VendorControlPage.tsx',
    () => import('../vendors/office/VendorControlPage.tsx'),
    vendorWords,
  ),
})
const areas = createRoute({
  getParentRoute,
  path: '/admin/areas',
  ...officePage('areas/office/AreasPage.tsx', () => import('../areas/office/AreasPage.tsx'), [
    'office-areas',
    'validation',
  ]),
})
/** The same page with one area's panel. */
const area = createRoute({ getParentRoute: () => areas, path: '$id' })
const calendar = createRoute({
  getParentRoute,
  path: '/admin/calendar',
  ...officePage('calendar/office/CalendarPage.tsx', () => import('../calendar/office/CalendarPage.tsx'), [
    'office-calendar',
  ]),
})

const people = createRoute({
  getParentRoute,
  path: '/admin/users',
  ...officePage('users/office/UsersPage.tsx', () => import('../users/office/UsersPage.tsx'), [
    'office-users',
    'validation',
  ]),
})
/** The list with one person's panel, or with the form for a new one. */
const person = createRoute({
  getParentRoute,
  path: '/admin/users/$id',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/admin/users', search: { open: params.id } as never, replace: true })
  },
})
const newPerson = createRoute({
  getParentRoute,
  path: '/admin/users/new',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users', search: { open: 'new' } as never, replace: true })
  },
})
const customers = createRoute({
  getParentRoute,
  path: '/admin/customers',
  ...officePage('customers/office/CustomersPage.tsx', () => import('../customers/office/CustomersPage.tsx'), [
    'office-customers',
    'validation',
  ]),
})
const customer = createRoute({
  getParentRoute,
  path: '/admin/customers/$id',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/admin/customers', search: { open: params.id } as never, replace: true })
  },
})
const history = createRoute({
  getParentRoute,
  path: '/admin/audit',
  ...officePage('audit/office/AuditPage.tsx', () => import('../audit/office/AuditPage.tsx'), ['office-audit']),
})

const magicLinks = createRoute({
  getParentRoute,
  path: '/admin/magic-links',
  ...officePage('links/office/LinksPage.tsx', () => import('../links/office/LinksPage.tsx'), [
    'office-links',
    'validation',
  ]),
})
const jobs = createRoute({
  getParentRoute,
  path: '/admin/jobs',
  ...officePage('queues/office/JobsPage.tsx', () => import('../queues/office/JobsPage.tsx'), ['office-jobs']),
})
const legacy = createRoute({
  getParentRoute,
  path: '/admin/legacy',
  ...officePage('legacy/office/LegacyPage.tsx', () => import('../legacy/office/LegacyPage.tsx'), ['office-legacy']),
})

const orders = createRoute({
  getParentRoute,
  path: '/admin/orders',
  ...officePage('orders/office/OrdersDesk.tsx', () => import('../orders/office/OrdersDesk.tsx'), ['office-orders']),
})
const picking = createRoute({
  getParentRoute,
  path: '/admin/orders/print',
  ...officePage('orders/office/PickingPage.tsx', () => import('../orders/office/PickingPage.tsx'), ['office-orders']),
})
const order = createRoute({
  getParentRoute,
  path: '/admin/orders/$id',
  ...officePage('orders/office/OfficeOrderPage.tsx', () => import('../orders/office/OfficeOrderPage.tsx'), [
    'office-orders',
  ]),
})

const driverWords = ['office-drivers', 'validation'] as const
const run = createRoute({
  getParentRoute,
  path: '/admin/run',
  ...officePage('drivers/office/RunPage.tsx', () => import('../drivers/office/RunPage.tsx'), driverWords),
})
const drivers = createRoute({
  getParentRoute,
  path: '/admin/drivers',
  ...officePage('drivers/office/DriversPage.tsx', () => import('../drivers/office/DriversPage.tsx'), driverWords),
})
const driverRun = createRoute({
  getParentRoute,
  path: '/admin/drivers/$id',
  ...officePage('drivers/office/RunSheetPage.tsx', () => import('../drivers/office/RunSheetPage.tsx'), driverWords),
})
const saleWords = ['office-sales', 'office-orders', 'office-receipt', 'checkout', 'validation'] as const
const placing = createRoute({
  getParentRoute,
  path: '/admin/sales/place-order',
  ...officePage('sales/office/PlaceOrderPage.tsx', () => import('../sales/office/PlaceOrderPage.tsx'), saleWords),
})
const sales = createRoute({
  getParentRoute,
  path: '/admin/sales',
  ...officePage('sales/office/MySalesPage.tsx', () => import('../sales/office/MySalesPage.tsx'), saleWords),
})
const sale = createRoute({
  getParentRoute,
  path: '/admin/sales/$id',
  ...officePage('sales/office/SalesOrderPage.tsx', () => import('../sales/office/SalesOrderPage.tsx'), saleWords),
})

const whatsapp = createRoute({
  getParentRoute,
  path: '/admin/whatsapp',
  ...officePage('whatsapp/office/InboxPage.tsx', () => import('../whatsapp/office/InboxPage.tsx'), [
    'office-inbox',
    'validation',
  ]),
})
const connection = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/connection',
  ...officePage('whatsapp/office/ConnectionPage.tsx', () => import('../whatsapp/office/ConnectionPage.tsx'), [
    'office-connection',
  ]),
})
const webhooks = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/webhooks',
  ...officePage('whatsapp/office/WebhooksPage.tsx', () => import('../whatsapp/office/WebhooksPage.tsx'), [
    'office-webhooks',
    'office-connection',
  ]),
})

export const officeRoutes = [
  start,
  dashboard,
  run,
  drivers,
  driverRun,
  orders,
  picking,
  order,
  products,
  newProduct,
  productUpload,
  product,
  vendors.addChildren([newVendor, vendor]),
  vendorAreas,
  vendorControl,
  areas.addChildren([area]),
  calendar,
  people,
  person,
  newPerson,
  customers,
  customer,
  history,
  magicLinks,
  jobs,
  legacy,
  placing,
  sales,
  sale,
  whatsapp,
  connection,
  webhooks,
] as const
export const officeTree = root.addChildren(officeRoutes)
