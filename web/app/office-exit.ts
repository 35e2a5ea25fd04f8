let isLeaving = false

/** To the sign-in page and back here afterwards; a page of the shop, so the whole document changes. */
export function leaveForSignIn() {
  if (isLeaving) return
  isLeaving = true
  location.assign(`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
