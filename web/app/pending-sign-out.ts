import { logout } from '@qatra/contract/auth'
import { lockManager, openChannel, readCookie, setCookie } from './site-data.ts'

const name = 'sign-out'
const PENDING = 'pending'
const PENDING_MAX_AGE_S = 30 * 24 * 3600
const ENDED_MAX_AGE_S = 60
const PATIENCE_MS = 10_000

const listeners = new Set<() => void>()

/**
 * Signed out on this device, while the server has not ended the session yet. It survives reloads and holds in all tabs.
 * A cookie, because the answer to the sign-out clears the storage even where the page that sent it is already gone.
 */
export const isSignOutPending = () => readCookie(name) === PENDING

/** Before the sign-out is sent, for a page that is opened before the answer; tells no listener. */
export const beginSignOut = () => setCookie(name, PENDING, PENDING_MAX_AGE_S)

export function setSignOutPending(pending: boolean) {
  if (pending) beginSignOut()
  else setCookie(name, String(Date.now()), ENDED_MAX_AGE_S)
  const channel = openChannel(name)
  channel?.postMessage(null)
  channel?.close()
  for (const listener of listeners) listener()
}

/** The server may have made this page for the person who has signed out since it was asked for. */
export function hasSignedOutSinceRequest(): boolean {
  const endedAt = Number(readCookie(name))
  // A later time than now is of a clock that was set back; it would reload the page again and again.
  return endedAt > performance.timeOrigin && endedAt <= Date.now()
}

export function onSignOutPending(listener: () => void): () => void {
  const channel = openChannel(name)
  if (channel) channel.onmessage = listener
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    channel?.close()
  }
}

let running: Promise<boolean> | null = null

/** Ends the session at the server; true once nothing is pending. */
export function finishSignOut(): Promise<boolean> {
  if (!isSignOutPending()) return Promise.resolve(true)
  running ??= oneTabAtATime(endSession).finally(() => {
    running = null
  })
  return running
}

/** A second tab's late sign-out would end the session of whoever has signed in since. */
async function oneTabAtATime(work: () => Promise<boolean>): Promise<boolean> {
  const locks = lockManager()
  if (!locks) return work()
  let result: Promise<boolean> | null = null
  try {
    return await locks.request(name, () => {
      result = work()
      return result
    })
  } catch {
    return result ?? work()
  }
}

async function endSession(): Promise<boolean> {
  if (!isSignOutPending()) return true
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), PATIENCE_MS)
  try {
    const { ok } = await fetch(logout.path, { method: 'POST', credentials: 'same-origin', signal: late.signal })
    if (ok) setSignOutPending(false)
    return ok
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
