import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage as officePage } from './page.ts'
import { marketRoutes } from './routes.office-market.tsx'
import { getParentRoute, officeRoot } from './routes.office-root.tsx'

/**
 * A page of the office is
 * 1. a line of `officePages` in contract/office.ts: its path, who may open it, its place in the navigation;
 * 2. one `const` here, and its name in `officeRoutes` (the market's own pages: routes.office-market.tsx):
 *
 *     const orders = createRoute({
 *       getParentRoute,
 *       path: '/admin/orders',
 *       ...officePage('orders/office/OrdersDesk.tsx', () => import('../orders/office/OrdersDesk.tsx'), ['office-orders']),
 *     })
 *
 * 3. the file itself, in a folder `office/`, which exports `page` as a page of the shop does.
 */
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

const deskWords = ['office-orders', 'checkout', 'validation'] as const
const orders = createRoute({
  getParentRoute,
  path: '/admin/orders',
  ...officePage('orders/office/OrdersDesk.tsx', () => import('../orders/office/OrdersDesk.tsx'), deskWords),
})
const picking = createRoute({
  getParentRoute,
  path: '/admin/orders/print',
  ...officePage('orders/office/PickingPage.tsx', () => import('../orders/office/PickingPage.tsx'), ['office-orders']),
})
const order = createRoute({
  getParentRoute,
  path: '/admin/orders/$id',
  ...officePage('orders/office/OfficeOrderPage.tsx', () => import('../orders/office/OfficeOrderPage.tsx'), deskWords),
})

/** One's own account, whoever one is; the bell leads there. */
const telegram = createRoute({
  getParentRoute,
  path: '/admin/telegram',
  ...officePage('telegram/office/TelegramPage.tsx', () => import('../telegram/office/TelegramPage.tsx'), [
    'office-telegram',
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
const allRuns = createRoute({
  getParentRoute,
  path: '/admin/drivers/print',
  ...officePage('drivers/office/RunSheetsPage.tsx', () => import('../drivers/office/RunSheetsPage.tsx'), driverWords),
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

export const officeRoutes = [
  start,
  dashboard,
  run,
  drivers,
  allRuns,
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
  placing,
  sales,
  sale,
  telegram,
  ...marketRoutes,
] as const
export const officeTree = officeRoot.addChildren(officeRoutes)
