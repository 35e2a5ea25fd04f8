import { CallError } from '../../lib/api-client.ts'
import { isSignOutPending } from '../../lib/pending-sign-out.ts'
import { leaveWithoutWarning } from '../../lib/warn-before-leaving.ts'

/** Longer than a navigation takes. If unsaved changes block it, the next refusal navigates again. */
const LEAVING_MS = 3_000
let leftAt = Number.NEGATIVE_INFINITY
let isChangingSession = false

/**
 * Loads the sign-in page with this page as its redirect. Replaces the history entry: Back must not open the admin
 * area signed out, which would redirect to the sign-in page again.
 */
export function leaveForSignIn() {
  // `PendingSignOut` shows the notice.
  if (isSignOutPending() || isChangingSession) return
  const now = performance.now()
  if (now - leftAt < LEAVING_MS) return
  leftAt = now
  leaveWithoutWarning(LEAVING_MS)
  location.replace(`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}

/**
 * Runs a call that replaces the session; afterwards the caller loads another page. Until then the server refuses calls
 * and streams of the earlier session; such a refusal does not lead to the sign-in page.
 */
export async function changeSession(change: () => Promise<unknown>): Promise<void> {
  isChangingSession = true
  try {
    await change()
    // Back restores this page from the browser's cache.
    window.addEventListener('pageshow', () => (isChangingSession = false), { once: true })
  } catch (error) {
    isChangingSession = false
    if (error instanceof CallError && error.code === 'SIGNED_OUT') leaveForSignIn()
    throw error
  }
}
