import type admin from './messages/admin.ar.json'
import { isAuthorized, type Permission } from './users/permissions.ts'
import { type Allow, type Role, sellers } from './users/roles.ts'

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
  | 'setup'
  | 'company'
  | 'cash'

/** A page of the admin area: the roles that can open it and its place in the navigation. */
export interface AdminPage {
  /** Route path of the browser: `/admin/orders/$id`. */
  path: `/admin/${string}`
  allow: Allow
  permissions?: readonly Permission[]
  /** Message key of its name in the navigation and in the title. */
  label: keyof typeof admin
  /** Navigation entry that is highlighted for this page. Default: the entry of the path above. */
  under?: `/admin/${string}`
  /** Place in the navigation. A page without it is reached from another page. */
  nav?: {
    group: 'day' | 'market'
    icon: AdminIcon
    /** Second key of the keyboard shortcut that starts with `g`. */
    key: string
    /** Shorter label for the tab bar on phones, if the label is too long for it. */
    short?: keyof typeof admin
    /** Roles that see the entry, if fewer than those that can open the page. */
    shown?: readonly Role[]
    /** Is in the tab bar on phones, whatever its order in the navigation, since customers wait there. */
    isPinned?: boolean
  }
}

const people = ['super_admin', 'vendor_admin'] as const satisfies readonly Role[]

const whatsappSettings = {
  allow: 'super',
  label: 'admin.nav.whatsappSettings',
  under: '/admin/whatsapp/connection',
} as const

/** All admin pages, in navigation order. Read by the server, the browser's route guard and the navigation. */
export const adminPages: readonly AdminPage[] = [
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
    path: '/admin/sales/place-order',
    allow: sellers,
    permissions: ['sales.place'],
    label: 'admin.nav.placeOrder',
    nav: {
      group: 'day',
      icon: 'sales',
      key: 'n',
      short: 'admin.nav.placeOrder.short',
      shown: ['vendor_sales', 'vendor_staff'],
    },
  },
  {
    path: '/admin/sales',
    allow: sellers,
    permissions: ['sales.place'],
    label: 'admin.nav.sales',
    nav: { group: 'day', icon: 'orders', key: 'm', shown: ['vendor_sales', 'vendor_staff'] },
  },
  { path: '/admin/sales/$id', allow: sellers, permissions: ['sales.place'], label: 'admin.nav.sales' },
  {
    path: '/admin/day',
    allow: 'admin',
    permissions: ['drivers.read', 'drivers.cash'],
    label: 'admin.nav.closing',
    nav: { group: 'day', icon: 'cash', key: 'b' },
  },
  {
    path: '/admin/customers',
    allow: 'admin',
    permissions: ['customers.read'],
    label: 'admin.nav.customers',
    nav: { group: 'day', icon: 'customers', key: 'c' },
  },
  { path: '/admin/customers/import', allow: 'super', permissions: ['customers.import'], label: 'admin.nav.customers' },
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
    allow: 'admin',
    permissions: ['whatsapp.read'],
    label: 'admin.nav.whatsapp',
    nav: { group: 'day', icon: 'whatsapp', key: 'i', isPinned: true },
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
    path: '/admin/blocks',
    allow: 'admin',
    permissions: ['areas.read'],
    label: 'admin.nav.blocks',
    under: '/admin/areas',
  },
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
    path: '/admin/setup',
    allow: 'super',
    permissions: ['settings.read', 'areas.read', 'vendors.read'],
    label: 'admin.nav.setup',
    nav: { group: 'market', icon: 'setup', key: 't' },
  },
  {
    path: '/admin/settings',
    allow: 'super',
    permissions: ['settings.read'],
    label: 'admin.nav.settings',
    nav: { group: 'market', icon: 'company', key: 'f' },
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
  { ...whatsappSettings, path: '/admin/whatsapp/templates', permissions: ['whatsapp.write'] },
  { ...whatsappSettings, path: '/admin/whatsapp/campaigns', permissions: ['campaigns.read'] },
  { ...whatsappSettings, path: '/admin/whatsapp/campaigns/new', permissions: ['campaigns.write'] },
  { ...whatsappSettings, path: '/admin/whatsapp/campaigns/$id/edit', permissions: ['campaigns.write'] },
  { ...whatsappSettings, path: '/admin/whatsapp/campaigns/$id', permissions: ['campaigns.read'] },
  { ...whatsappSettings, path: '/admin/whatsapp/assistant', permissions: ['whatsapp.read'] },
  { ...whatsappSettings, path: '/admin/whatsapp/webhooks' },
]

interface Person {
  role: Role
  /** Permissions of the role and of the person. */
  permissions: readonly string[]
}

const patterns = adminPages.map((page) => ({
  page,
  pattern: new RegExp(`^${page.path.replace(/\$\w+/g, '[^/]+')}/?$`),
}))

/** Returns the first page whose pattern matches; list `/products/new` before `/products/$id`. */
export function adminPageAt(path: string): AdminPage | null {
  return patterns.find(({ pattern }) => pattern.test(path))?.page ?? null
}

/** Whether this person can open the page of an address; false if no page matches. */
export function mayOpen(path: string, person: Person | null): boolean {
  const page = adminPageAt(path)
  return page !== null && isAuthorized(page, person)
}

/** Navigation entries of one person, in order. */
export function navigationOf(person: Person): AdminPage[] {
  return adminPages.filter(
    (page) => page.nav && (page.nav.shown?.includes(person.role) ?? true) && isAuthorized(page, person),
  )
}

/** Redirect target of `/admin`: the first page of the person's navigation, or null if it is empty. */
export const firstAdminPage = (person: Person): string | null => navigationOf(person)[0]?.path ?? null
