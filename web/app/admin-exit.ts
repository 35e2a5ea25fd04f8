import { isSignOutPending } from './pending-sign-out.ts'

/** Longer than a navigation takes. If unsaved changes block it, the next refusal navigates again. */
const LEAVING_MS = 3_000
let leftAt = Number.NEGATIVE_INFINITY

/**
 * Loads the sign-in page with this page as its redirect. Replaces the history entry: Back must not open the admin
 * area signed out, which would redirect to the sign-in page again.
 */
export function leaveForSignIn() {
  // `PendingSignOut` shows the notice.
  if (isSignOutPending()) return
  const now = performance.now()
  if (now - leftAt < LEAVING_MS) return
  leftAt = now
  location.replace(`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
