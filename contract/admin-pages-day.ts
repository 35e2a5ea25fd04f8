import type { AdminPage } from './admin-page.ts'
import { sellers } from './users/roles.ts'

/** What the pages of one section have in common. */
const desk = {
  allow: 'staff',
  permissions: ['orders.read'],
  label: 'admin.nav.orders',
  messages: ['admin-orders', 'partial-delivery', 'order-edit', 'orders', 'area', 'checkout', 'validation', 'days'],
} as const
const sales = {
  allow: sellers,
  permissions: ['sales.place'],
  label: 'admin.nav.sales',
  messages: ['admin-sales', 'admin-orders', 'admin-receipt', 'orders', 'area', 'checkout', 'days', 'validation'],
} as const
const products = {
  allow: 'admin',
  permissions: ['products.write'],
  label: 'admin.nav.products',
  messages: ['admin-products', 'catalogue', 'validation'],
} as const
const drivers = {
  allow: 'admin',
  label: 'admin.nav.drivers',
  messages: ['admin-drivers', 'partial-delivery', 'validation'],
} as const
const customers = { allow: 'admin', permissions: ['customers.read'], label: 'admin.nav.customers' } as const

/** Pages of each day: orders, sales, customers, products, drivers, conversations. */
export const dayPages = [
  {
    ...drivers,
    path: '/admin/run',
    file: 'drivers/admin/run/RunPage.tsx',
    allow: ['driver'],
    permissions: ['drivers.run'],
    label: 'admin.nav.run',
    skeleton: 'board',
    nav: { group: 'day', icon: 'run', key: 'r' },
  },
  {
    path: '/admin/dashboard',
    file: 'dashboard/admin/DashboardPage.tsx',
    allow: 'admin',
    permissions: ['dashboard.read'],
    label: 'admin.nav.dashboard',
    messages: ['admin-dashboard', 'admin-areas'],
    skeleton: 'board',
    nav: { group: 'day', icon: 'dashboard', key: 'd', short: 'admin.nav.dashboard.short' },
  },
  {
    ...desk,
    path: '/admin/orders',
    file: 'orders/admin/desk/OrdersPage.tsx',
    nav: { group: 'day', icon: 'orders', key: 'o', shown: ['super_admin', 'vendor_admin', 'vendor_staff', 'driver'] },
  },
  { ...desk, path: '/admin/orders/print', file: 'orders/admin/picking/PickingPage.tsx', messages: ['admin-orders'] },
  { ...desk, path: '/admin/orders/$id', file: 'orders/admin/panel/AdminOrderPage.tsx', skeleton: 'board' },
  {
    ...sales,
    path: '/admin/sales/place-order',
    file: 'sales/admin/PlaceOrderPage.tsx',
    label: 'admin.nav.placeOrder',
    skeleton: 'form',
    nav: {
      group: 'day',
      icon: 'sales',
      key: 'n',
      short: 'admin.nav.placeOrder.short',
      shown: ['vendor_sales', 'vendor_staff'],
    },
  },
  {
    ...sales,
    path: '/admin/sales',
    file: 'sales/admin/MySalesPage.tsx',
    nav: { group: 'day', icon: 'orders', key: 'm', shown: ['vendor_sales', 'vendor_staff'] },
  },
  { ...sales, path: '/admin/sales/$id', file: 'sales/admin/SalesOrderPage.tsx', skeleton: 'board' },
  {
    ...drivers,
    path: '/admin/day',
    file: 'drivers/admin/closing/ClosingPage.tsx',
    messages: [...drivers.messages, 'admin-orders'],
    permissions: ['drivers.read', 'drivers.cash'],
    label: 'admin.nav.closing',
    nav: { group: 'day', icon: 'cash', key: 'b', short: 'admin.nav.closing.short' },
  },
  {
    ...customers,
    path: '/admin/customers',
    file: 'customers/admin/CustomersPage.tsx',
    messages: ['admin-customers', 'validation'],
    nav: { group: 'day', icon: 'customers', key: 'c' },
  },
  {
    ...customers,
    path: '/admin/customers/import',
    file: 'customers/admin/ImportPage.tsx',
    allow: 'super',
    permissions: ['customers.import'],
    messages: ['admin-customer-import', 'admin-import'],
    skeleton: 'board',
  },
  { ...customers, path: '/admin/customers/$id', panelOf: '/admin/customers' },
  {
    ...products,
    path: '/admin/products',
    file: 'products/admin/ProductsPage.tsx',
    permissions: ['products.read'],
    nav: { group: 'day', icon: 'products', key: 'p' },
  },
  { ...products, path: '/admin/products/new', file: 'products/admin/NewProductPage.tsx', skeleton: 'form' },
  {
    ...products,
    path: '/admin/products/upload',
    file: 'products/admin/BulkPage.tsx',
    messages: [...products.messages, 'admin-import'],
    skeleton: 'board',
  },
  {
    ...products,
    path: '/admin/products/$id',
    file: 'products/admin/ProductPage.tsx',
    permissions: ['products.read'],
    skeleton: 'form',
  },
  {
    ...drivers,
    path: '/admin/drivers',
    file: 'drivers/admin/DriversPage.tsx',
    messages: ['admin-drivers', 'partial-delivery', 'validation', 'admin-areas', 'admin-orders'],
    permissions: ['drivers.read'],
    nav: { group: 'day', icon: 'drivers', key: 'v' },
  },
  {
    ...drivers,
    path: '/admin/drivers/print',
    file: 'drivers/admin/run/RunSheetsPage.tsx',
    permissions: ['drivers.read', 'drivers.cash', 'drivers.run'],
    skeleton: 'board',
  },
  {
    ...drivers,
    path: '/admin/drivers/$id',
    file: 'drivers/admin/run/RunSheetPage.tsx',
    permissions: ['drivers.run'],
    skeleton: 'board',
  },
  {
    path: '/admin/whatsapp',
    file: 'whatsapp/admin/inbox/InboxPage.tsx',
    allow: 'admin',
    permissions: ['whatsapp.read'],
    label: 'admin.nav.whatsapp',
    messages: ['admin-inbox', 'admin-import', ...desk.messages],
    nav: { group: 'day', icon: 'whatsapp', key: 'i', isPinned: true, needsTalk: true },
  },
  {
    path: '/admin/telegram',
    file: 'telegram/admin/TelegramPage.tsx',
    allow: 'staff',
    permissions: ['events.read'],
    label: 'admin.nav.telegram',
    messages: ['admin-telegram'],
    skeleton: 'board',
  },
] as const satisfies readonly AdminPage[]
