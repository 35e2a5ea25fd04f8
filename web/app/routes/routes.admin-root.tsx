import { firstAdminPage, mayOpen } from '@qatra/contract/admin'
import { getSite } from '@qatra/contract/settings/site'
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, notFound, redirect } from '@tanstack/react-router'
import { AdminLayout } from '../../admin/AdminLayout.tsx'
import { AdminMissing } from '../../admin/AdminStates.tsx'
import { read } from '../../lib/api-client.ts'
import { findUser } from '../../lib/current-user.ts'
import { AdminChecking } from '../layout/AdminChecking.tsx'
import { leaveForSignIn } from '../session/admin-exit.ts'
import { type LangSearch, langSearch } from './search.ts'

/** Each page reads its own keys from the address (`useSearchState`), so links may carry any. */
type AdminSearch = LangSearch & Record<string, unknown>

/** Root of all admin pages: the rail and the permission check. */
export const adminRoot = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: (search: Record<string, unknown>): AdminSearch => ({ ...search, ...langSearch(search) }),
  // The server checked the first page; check each further page before its data loads.
  beforeLoad: async ({ context: { queries }, location }) => {
    const user = await findUser(queries)
    if (!user) leaveForSignIn()
    const first = location.pathname === '/admin' && user ? firstAdminPage(user) : null
    // The path is one of the page table; the type cannot know which.
    if (first) throw redirect({ to: first as '/admin', replace: true })
    if (!mayOpen(location.pathname, user)) throw notFound()
  },
  loader: ({ context: { queries } }) => queries.ensureQueryData(read(getSite)),
  component: AdminLayout,
  // The document contains the user, so the check itself needs no request.
  pendingComponent: AdminChecking,
  pendingMs: 400,
  notFoundComponent: AdminMissing,
})
