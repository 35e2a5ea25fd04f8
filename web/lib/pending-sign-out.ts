import { logout } from '@qatra/contract/users/auth'
import { createEvent } from './event.ts'
import { broadcast, lockManager, onBroadcast, readCookie, setCookie } from './site-data.ts'

const name = 'sign-out'
const PENDING = 'pending'
const PENDING_MAX_AGE_S = 30 * 24 * 3600
const ENDED_MAX_AGE_S = 60
const TIMEOUT_MS = 10_000

const changed = createEvent()

/**
 * True after an offline sign-out until the server has ended the session. Survives reloads; shared by all tabs. A cookie,
 * because the answer to the sign-out clears the storage even if the page that sent it is already closed.
 */
export const isSignOutPending = () => readCookie(name) === PENDING

/** Marks the sign-out as pending before it is sent, for pages opened before the answer; notifies no listener. */
export const beginSignOut = () => setCookie(name, PENDING, PENDING_MAX_AGE_S)

export function setSignOutPending(pending: boolean) {
  if (pending) beginSignOut()
  else setCookie(name, String(Date.now()), ENDED_MAX_AGE_S)
  broadcast(name, null)
  changed.emit()
}

/** True if a sign-out ended after this page was requested: the server may have rendered it for that person. */
export function hasSignedOutSinceRequest(): boolean {
  const endedAt = Number(readCookie(name))
  // A time in the future comes from a clock that was set back; it would cause a reload loop.
  return endedAt > performance.timeOrigin && endedAt <= Date.now()
}

export function onSignOutPending(listener: () => void): () => void {
  const stops = [onBroadcast(name, listener), changed.on(listener)]
  return () => {
    for (const stop of stops) stop()
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

/** Runs under a lock: a late sign-out of a second tab would end the session of the next person. */
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
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS)
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
