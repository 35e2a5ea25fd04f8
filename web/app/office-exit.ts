import { isSignOutPending } from './pending-sign-out.ts'

/** Longer than leaving takes. Unsaved changes may keep the person here; the next refusal leaves again. */
const LEAVING_MS = 3_000
let leftAt = Number.NEGATIVE_INFINITY

/**
 * To the sign-in page and back here afterwards; a page of the shop, so the whole document changes. It takes the place of
 * this page in the history: going back must not lead into the office signed out, and from there to the sign-in again.
 */
export function leaveForSignIn() {
  // Then the office says what it waits for.
  if (isSignOutPending()) return
  const now = performance.now()
  if (now - leftAt < LEAVING_MS) return
  leftAt = now
  location.replace(`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
