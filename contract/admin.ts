import type admin from './messages/admin.ar.json'
import { isAuthorized, type Permission } from './permissions.ts'
import type { Allow, Role } from './roles.ts'

export type AdminIcon =
  | 'dashboard'
  | 'orders'
  | 'customers'
  | 'vendors'
  | 'products'
  | 'drivers'
  | 'users'
  | 'control'
  | 'areas'
  | 'calendar'
  | 'audit'
  | 'sales'
  | 'run'
  | 'links'
  | 'jobs'
  | 'legacy'
  | 'whatsapp'
  | 'settings'

/** A page of the back-office: who may open it, and where the navigation has it. */
export interface AdminPage {
  /** As the browser's routes write it: `/admin/orders/$id`. */
  path: `/admin/${string}`
  allow: Allow
  permissions?: readonly Permission[]
  /** Its name in the navigation and in the title. */
  label: keyof typeof admin
  /** The entry of the navigation that it belongs to, where that is not the one above it. */
  under?: `/admin/${string}`
  /** Its place in the navigation; a page without one is reached from another. */
  nav?: {
    group: 'day' | 'market'
    icon: AdminIcon
    /** The key after `g` that goes there. */
    key: string
    /** What fits below an icon on a phone, where the name does not. */
    short?: keyof typeof admin
    /** Who sees the entry, where others may open the page too. */
    shown?: readonly Role[]
  }
}

const people = ['super_admin', 'vendor_admin'] as const satisfies readonly Role[]
const sellers = ['vendor_sales', 'vendor_admin', 'super_admin'] as const satisfies readonly Role[]

/** The one table of pages, in the order of the navigation: the server, the browser's guard and the navigation read it. */
export const adminPages: readonly AdminPage[] = [
  {
    path: '/admin/sales/place-order',
    allow: sellers,
    permissions: ['sales.place'],
    label: 'admin.nav.placeOrder',
    nav: {
      group: 'day',
      icon: 'sales',
      key: 'n',
      short: 'admin.nav.placeOrder.short',
      shown: ['vendor_sales'],
    },
  },
  {
    path: '/admin/sales',
    allow: sellers,
    permissions: ['sales.place'],
    label: 'admin.nav.sales',
    nav: { group: 'day', icon: 'orders', key: 'm', shown: ['vendor_sales'] },
  },
  { path: '/admin/sales/$id', allow: sellers, permissions: ['sales.place'], label: 'admin.nav.sales' },
  {
    path: '/admin/run',
    allow: ['driver'],
    permissions: ['drivers.run'],
    label: 'admin.nav.run',
    nav: { group: 'day', icon: 'run', key: 'r' },
  },
  {
    path: '/admin/dashboard',
    allow: 'admin',
    permissions: ['dashboard.read'],
    label: 'admin.nav.dashboard',
    nav: { group: 'day', icon: 'dashboard', key: 'd', short: 'admin.nav.dashboard.short' },
  },
  {
    path: '/admin/orders',
    allow: 'staff',
    permissions: ['orders.read'],
    label: 'admin.nav.orders',
    nav: { group: 'day', icon: 'orders', key: 'o', shown: ['super_admin', 'vendor_admin', 'vendor_staff', 'driver'] },
  },
  { path: '/admin/orders/print', allow: 'staff', permissions: ['orders.read'], label: 'admin.nav.orders' },
  { path: '/admin/orders/$id', allow: 'staff', permissions: ['orders.read'], label: 'admin.nav.orders' },
  {
    path: '/admin/customers',
    allow: 'admin',
    permissions: ['customers.read'],
    label: 'admin.nav.customers',
    nav: { group: 'day', icon: 'customers', key: 'c' },
  },
  { path: '/admin/customers/$id', allow: 'admin', permissions: ['customers.read'], label: 'admin.nav.customers' },
  {
    path: '/admin/products',
    allow: 'admin',
    permissions: ['products.read'],
    label: 'admin.nav.products',
    nav: { group: 'day', icon: 'products', key: 'p' },
  },
  { path: '/admin/products/new', allow: 'admin', permissions: ['products.write'], label: 'admin.nav.products' },
  { path: '/admin/products/upload', allow: 'admin', permissions: ['products.write'], label: 'admin.nav.products' },
  { path: '/admin/products/$id', allow: 'admin', permissions: ['products.read'], label: 'admin.nav.products' },
  {
    path: '/admin/drivers',
    allow: 'admin',
    permissions: ['drivers.read'],
    label: 'admin.nav.drivers',
    nav: { group: 'day', icon: 'drivers', key: 'v' },
  },
  {
    path: '/admin/drivers/print',
    allow: 'admin',
    permissions: ['drivers.read', 'drivers.cash', 'drivers.run'],
    label: 'admin.nav.drivers',
  },
  { path: '/admin/drivers/$id', allow: 'admin', permissions: ['drivers.run'], label: 'admin.nav.drivers' },
  {
    path: '/admin/whatsapp',
    allow: 'super',
    permissions: ['whatsapp.read'],
    label: 'admin.nav.whatsapp',
    nav: { group: 'day', icon: 'whatsapp', key: 'i' },
  },
  { path: '/admin/telegram', allow: 'staff', permissions: ['events.read'], label: 'admin.nav.telegram' },
  {
    path: '/admin/vendors',
    allow: 'super',
    permissions: ['vendors.write'],
    label: 'admin.nav.vendors',
    nav: { group: 'market', icon: 'vendors', key: 'w' },
  },
  { path: '/admin/vendors/new', allow: 'super', permissions: ['vendors.write'], label: 'admin.nav.vendors' },
  { path: '/admin/vendors/$id', allow: 'super', permissions: ['vendors.write'], label: 'admin.nav.vendors' },
  { path: '/admin/vendors/$id/areas', allow: 'super', permissions: ['vendors.write'], label: 'admin.nav.vendors' },
  {
    path: '/admin/areas',
    allow: 'admin',
    permissions: ['areas.read'],
    label: 'admin.nav.areas',
    nav: { group: 'market', icon: 'areas', key: 'a' },
  },
  { path: '/admin/areas/$id', allow: 'admin', permissions: ['areas.read'], label: 'admin.nav.areas' },
  {
    path: '/admin/calendar',
    allow: 'admin',
    permissions: ['calendar.read'],
    label: 'admin.nav.calendar',
    nav: { group: 'market', icon: 'calendar', key: 'h' },
  },
  {
    path: '/admin/users',
    allow: people,
    permissions: ['users.read'],
    label: 'admin.nav.users',
    nav: { group: 'market', icon: 'users', key: 'u' },
  },
  { path: '/admin/users/new', allow: people, permissions: ['users.write'], label: 'admin.nav.users' },
  { path: '/admin/users/$id', allow: people, permissions: ['users.read'], label: 'admin.nav.users' },
  {
    path: '/admin/audit',
    allow: people,
    permissions: ['audit.read'],
    label: 'admin.nav.audit',
    nav: { group: 'market', icon: 'audit', key: 'l' },
  },
  {
    path: '/admin/magic-links',
    allow: 'super',
    permissions: ['links.read'],
    label: 'admin.nav.links',
    nav: { group: 'market', icon: 'links', key: 'e' },
  },
  {
    path: '/admin/jobs',
    allow: 'super',
    permissions: ['jobs.read'],
    label: 'admin.nav.jobs',
    nav: { group: 'market', icon: 'jobs', key: 'j' },
  },
  {
    path: '/admin/legacy',
    allow: 'super',
    permissions: ['legacy.read'],
    label: 'admin.nav.legacy',
    nav: { group: 'market', icon: 'legacy', key: 'y' },
  },
  {
    path: '/admin/vendor-control',
    allow: 'admin',
    permissions: ['vendors.control'],
    label: 'admin.nav.control',
    nav: { group: 'market', icon: 'control', key: 's' },
  },
  {
    path: '/admin/whatsapp/connection',
    allow: 'super',
    permissions: ['whatsapp.connect'],
    label: 'admin.nav.whatsappSettings',
    nav: { group: 'market', icon: 'settings', key: 'k' },
  },
  {
    path: '/admin/whatsapp/templates',
    allow: 'super',
    permissions: ['whatsapp.read'],
    label: 'admin.nav.whatsappSettings',
    under: '/admin/whatsapp/connection',
  },
  {
    path: '/admin/whatsapp/campaigns',
    allow: 'super',
    permissions: ['campaigns.read'],
    label: 'admin.nav.whatsappSettings',
    under: '/admin/whatsapp/connection',
  },
  {
    path: '/admin/whatsapp/campaigns/new',
    allow: 'super',
    permissions: ['campaigns.write'],
    label: 'admin.nav.whatsappSettings',
    under: '/admin/whatsapp/connection',
  },
  {
    path: '/admin/whatsapp/campaigns/$id/edit',
    allow: 'super',
    permissions: ['campaigns.write'],
    label: 'admin.nav.whatsappSettings',
    under: '/admin/whatsapp/connection',
  },
  {
    path: '/admin/whatsapp/campaigns/$id',
    allow: 'super',
    permissions: ['campaigns.read'],
    label: 'admin.nav.whatsappSettings',
    under: '/admin/whatsapp/connection',
  },
  {
    path: '/admin/whatsapp/webhooks',
    allow: 'super',
    label: 'admin.nav.whatsappSettings',
    under: '/admin/whatsapp/connection',
  },
]

interface Person {
  role: Role
  /** The role's and the person's own, as every request finds them. */
  permissions: readonly string[]
}

const patterns = adminPages.map((page) => ({
  page,
  pattern: new RegExp(`^${page.path.replace(/\$\w+/g, '[^/]+')}/?$`),
}))

/** The page of an address; a name stands before what may be anything, so `/products/new` is no product. */
export function adminPageAt(path: string): AdminPage | null {
  return patterns.find(({ pattern }) => pattern.test(path))?.page ?? null
}

/** Whether this person may open the page of an address; no to what is no page. */
export function mayOpen(path: string, person: Person | null): boolean {
  const page = adminPageAt(path)
  return page !== null && isAuthorized(page, person)
}

/** The navigation of one person, in its order. */
export function navigationOf(person: Person): AdminPage[] {
  return adminPages.filter(
    (page) => page.nav && (page.nav.shown?.includes(person.role) ?? true) && isAuthorized(page, person),
  )
}

/** Where `/admin` leads: the first page of the person's navigation; null for whoever has none. */
export const firstAdminPage = (person: Person): string | null => navigationOf(person)[0]?.path ?? null
