import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage as adminPage } from '../page.ts'
import { marketRoutes } from './routes.admin-market.tsx'
import { adminRoot, getParentRoute } from './routes.admin-root.tsx'

/**
 * A page of the admin area is
 * 1. a line of `adminPages` in contract/admin.ts: its path, its permissions, its position in the navigation;
 * 2. one `const` here, and its name in `adminRoutes` (pages of market admins: routes.admin-market.tsx):
 *
 *     const orders = createRoute({
 *       getParentRoute,
 *       path: '/admin/orders',
 *       ...adminPage('orders/admin/desk/OrdersDesk.tsx', () => import('../../orders/admin/desk/OrdersDesk.tsx'), ['admin-orders']),
 *     })
 *
 * 3. the file itself, in a folder `admin/`, which exports `page` as a page of the shop does.
 */
const vendorWords = ['admin-vendors', 'admin-areas', 'admin-calendar', 'validation'] as const

/** Redirects to the first page of the person's navigation. */
const start = createRoute({ getParentRoute, path: '/admin' })

const dashboard = createRoute({
  getParentRoute,
  path: '/admin/dashboard',
  ...adminPage('dashboard/admin/DashboardPage.tsx', () => import('../../dashboard/admin/DashboardPage.tsx'), [
    'admin-dashboard',
    'admin-areas',
  ]),
})

const productWords = ['admin-products', 'catalogue', 'validation'] as const
const products = createRoute({
  getParentRoute,
  path: '/admin/products',
  ...adminPage('products/admin/ProductsPage.tsx', () => import('../../products/admin/ProductsPage.tsx'), productWords),
})
const newProduct = createRoute({
  getParentRoute,
  path: '/admin/products/new',
  ...adminPage(
    'products/admin/NewProductPage.tsx',
    () => import('../../products/admin/NewProductPage.tsx'),
    productWords,
  ),
})
const productUpload = createRoute({
  getParentRoute,
  path: '/admin/products/upload',
  ...adminPage('products/admin/BulkPage.tsx', () => import('../../products/admin/BulkPage.tsx'), [
    'admin-products',
    'admin-import',
    'catalogue',
    'validation',
  ]),
})
const product = createRoute({
  getParentRoute,
  path: '/admin/products/$id',
  ...adminPage('products/admin/ProductPage.tsx', () => import('../../products/admin/ProductPage.tsx'), productWords),
})

const vendors = createRoute({
  getParentRoute,
  path: '/admin/vendors',
  ...adminPage('vendors/admin/VendorsPage.tsx', () => import('../../vendors/admin/VendorsPage.tsx'), vendorWords),
})
const vendorPanel = () =>
  adminPage('vendors/admin/VendorPanel.tsx', () => import('../../vendors/admin/VendorPanel.tsx'), vendorWords)
const newVendor = createRoute({ getParentRoute: () => vendors, path: 'new', ...vendorPanel() })
const vendor = createRoute({ getParentRoute: () => vendors, path: '$id', ...vendorPanel() })
const vendorAreas = createRoute({
  getParentRoute,
  path: '/admin/vendors/$id/areas',
  ...adminPage(
    'vendors/admin/VendorAreasPage.tsx',
    () => import('../../vendors/admin/VendorAreasPage.tsx'),
    vendorWords,
  ),
})
const vendorControl = createRoute({
  getParentRoute,
  path: '/admin/vendor-control',
  ...adminPage(
    'vendors/admin/VendorControlPage.tsx',
    () => import('../../vendors/admin/VendorControlPage.tsx'),
    vendorWords,
  ),
})
const areas = createRoute({
  getParentRoute,
  path: '/admin/areas',
  ...adminPage('areas/admin/AreasPage.tsx', () => import('../../areas/admin/AreasPage.tsx'), [
    'admin-areas',
    'validation',
  ]),
})
/** The same page with one area's panel. */
const area = createRoute({ getParentRoute: () => areas, path: '$id' })
const blocks = createRoute({
  getParentRoute,
  path: '/admin/blocks',
  ...adminPage('areas/admin/BlocksPage.tsx', () => import('../../areas/admin/BlocksPage.tsx'), [
    'admin-areas',
    'validation',
  ]),
})
const calendar = createRoute({
  getParentRoute,
  path: '/admin/calendar',
  ...adminPage('calendar/admin/CalendarPage.tsx', () => import('../../calendar/admin/CalendarPage.tsx'), [
    'admin-calendar',
    'validation',
  ]),
})

const people = createRoute({
  getParentRoute,
  path: '/admin/users',
  ...adminPage('users/admin/UsersPage.tsx', () => import('../../users/admin/UsersPage.tsx'), [
    'admin-users',
    'validation',
  ]),
})
/** The list with one person's panel, or with the form for a new one. */
const person = createRoute({
  getParentRoute,
  path: '/admin/users/$id',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/admin/users', search: { open: params.id }, replace: true })
  },
})
const newPerson = createRoute({
  getParentRoute,
  path: '/admin/users/new',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users', search: { open: 'new' }, replace: true })
  },
})
const customers = createRoute({
  getParentRoute,
  path: '/admin/customers',
  ...adminPage('customers/admin/CustomersPage.tsx', () => import('../../customers/admin/CustomersPage.tsx'), [
    'admin-customers',
    'validation',
  ]),
})
const customer = createRoute({
  getParentRoute,
  path: '/admin/customers/$id',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/admin/customers', search: { open: params.id }, replace: true })
  },
})
const history = createRoute({
  getParentRoute,
  path: '/admin/audit',
  ...adminPage('audit/admin/AuditPage.tsx', () => import('../../audit/admin/AuditPage.tsx'), ['admin-audit']),
})

const deskWords = ['admin-orders', 'partial-delivery', 'order-edit', 'checkout', 'validation', 'days'] as const
const orders = createRoute({
  getParentRoute,
  path: '/admin/orders',
  ...adminPage('orders/admin/desk/OrdersDesk.tsx', () => import('../../orders/admin/desk/OrdersDesk.tsx'), deskWords),
})
const picking = createRoute({
  getParentRoute,
  path: '/admin/orders/print',
  ...adminPage('orders/admin/picking/PickingPage.tsx', () => import('../../orders/admin/picking/PickingPage.tsx'), [
    'admin-orders',
  ]),
})
const order = createRoute({
  getParentRoute,
  path: '/admin/orders/$id',
  ...adminPage(
    'orders/admin/panel/AdminOrderPage.tsx',
    () => import('../../orders/admin/panel/AdminOrderPage.tsx'),
    deskWords,
  ),
})

/** The user's own Telegram account, open to every role of the admin area; linked from the notification menu. */
const telegram = createRoute({
  getParentRoute,
  path: '/admin/telegram',
  ...adminPage('telegram/admin/TelegramPage.tsx', () => import('../../telegram/admin/TelegramPage.tsx'), [
    'admin-telegram',
  ]),
})

const driverWords = ['admin-drivers', 'partial-delivery', 'validation'] as const
const run = createRoute({
  getParentRoute,
  path: '/admin/run',
  ...adminPage('drivers/admin/run/RunPage.tsx', () => import('../../drivers/admin/run/RunPage.tsx'), driverWords),
})
const drivers = createRoute({
  getParentRoute,
  path: '/admin/drivers',
  ...adminPage('drivers/admin/DriversPage.tsx', () => import('../../drivers/admin/DriversPage.tsx'), driverWords),
})
const allRuns = createRoute({
  getParentRoute,
  path: '/admin/drivers/print',
  ...adminPage(
    'drivers/admin/run/RunSheetsPage.tsx',
    () => import('../../drivers/admin/run/RunSheetsPage.tsx'),
    driverWords,
  ),
})
const driverRun = createRoute({
  getParentRoute,
  path: '/admin/drivers/$id',
  ...adminPage(
    'drivers/admin/run/RunSheetPage.tsx',
    () => import('../../drivers/admin/run/RunSheetPage.tsx'),
    driverWords,
  ),
})
const closing = createRoute({
  getParentRoute,
  path: '/admin/day',
  ...adminPage(
    'drivers/admin/closing/ClosingPage.tsx',
    () => import('../../drivers/admin/closing/ClosingPage.tsx'),
    driverWords,
  ),
})
const saleWords = ['admin-sales', 'admin-orders', 'admin-receipt', 'checkout', 'days', 'validation'] as const
const placing = createRoute({
  getParentRoute,
  path: '/admin/sales/place-order',
  ...adminPage('sales/admin/PlaceOrderPage.tsx', () => import('../../sales/admin/PlaceOrderPage.tsx'), saleWords),
})
const sales = createRoute({
  getParentRoute,
  path: '/admin/sales',
  ...adminPage('sales/admin/MySalesPage.tsx', () => import('../../sales/admin/MySalesPage.tsx'), saleWords),
})
const sale = createRoute({
  getParentRoute,
  path: '/admin/sales/$id',
  ...adminPage('sales/admin/SalesOrderPage.tsx', () => import('../../sales/admin/SalesOrderPage.tsx'), saleWords),
})

export const adminRoutes = [
  start,
  dashboard,
  run,
  drivers,
  allRuns,
  driverRun,
  closing,
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
  blocks,
  calendar,
  people,
  person,
  newPerson,
  customers,
  customer,
  history,
  placing,
  sales,
  sale,
  telegram,
  ...marketRoutes,
] as const
export const adminTree = adminRoot.addChildren(adminRoutes)
