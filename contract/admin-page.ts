import type { MessageFile } from './message-key.ts'
import type admin from './messages/admin.ar.json'
import type { Permission } from './users/permissions.ts'
import type { Allow, Role } from './users/roles.ts'

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
  | 'corrections'
  | 'report'
  | 'bottles'

/**
 * A page of the admin area. Its route, permission check, place in the navigation, title, messages and skeleton follow
 * from this declaration.
 */
export interface AdminPage {
  /** Route path of the browser: `/admin/orders/$id`. */
  path: `/admin/${string}`
  /** Roles that can open it. */
  allow: Allow
  permissions?: readonly Permission[]
  /** Message key of its name in the navigation and in the title. */
  label: keyof typeof admin
  /** File below web/ that exports `page`. Without it the page is a panel of another one. */
  file?: `${string}/admin/${string}Page.tsx`
  /** Message files that it needs beyond those of the first load. */
  messages?: readonly MessageFile[]
  /** Its layout while the file and the required data load. Default: a list. */
  skeleton?: 'form' | 'board'
  /** Page that shows it as a panel, as a route below its own. */
  parent?: '/admin/vendors' | '/admin/areas'
  /** Page that shows it as a panel, by `?open=`. */
  panelOf?: '/admin/users' | '/admin/customers'
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
    /** Opened rarely: listed on the page of the settings, not in the rail. */
    isRare?: boolean
    /** Hidden while nobody has written: without a connection there is nothing to read. */
    needsTalk?: boolean
    /** Hidden while no vendor of the person exchanges bottles. */
    needsBottles?: boolean
    /** Is in the tab bar on phones, whatever its order in the navigation, since customers wait there. */
    isPinned?: boolean
  }
}
