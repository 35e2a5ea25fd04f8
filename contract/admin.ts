import type { AdminPage } from './admin-page.ts'
import { dayPages } from './admin-pages-day.ts'
import { marketPages } from './admin-pages-market.ts'
import { isAuthorized } from './users/permissions.ts'
import type { Role } from './users/roles.ts'

/**
 * All admin pages, in navigation order, and `/products/new` before `/products/$id`. Read by the server, the browser's
 * routes and the navigation.
 */
export const adminPages = [...dayPages, ...marketPages] as const
const pages: readonly AdminPage[] = adminPages

interface Person {
  role: Role
  /** Permissions of the role and of the person. */
  permissions: readonly string[]
}

const patterns = pages.map((page) => ({
  page,
  pattern: new RegExp(`^${page.path.replace(/\$\w+/g, '[^/]+')}/?$`),
}))

/** Returns the first page whose pattern matches. */
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
  return pages.filter(
    (page) => page.nav && (page.nav.shown?.includes(person.role) ?? true) && isAuthorized(page, person),
  )
}

/** Redirect target of `/admin`: the first page of the person's navigation, or null if it is empty. */
export const firstAdminPage = (person: Person): string | null => navigationOf(person)[0]?.path ?? null
