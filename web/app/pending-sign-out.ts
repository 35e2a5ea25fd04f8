import { logout } from '@qatra/contract/auth'
import { localStore, lockManager } from './site-data.ts'

const key = 'sign-out.pending'
const endedKey = 'sign-out.ended'
const PATIENCE_MS = 10_000

const listeners = new Set<() => void>()

/** Signed out on this device, while the server has not ended the session yet. It survives reloads and holds in all tabs. */
export const isSignOutPending = () => localStore.getItem(key) !== null

export function setSignOutPending(pending: boolean) {
  if (pending) localStore.setItem(key, new Date().toISOString())
  else {
    localStore.setItem(endedKey, String(Date.now()))
    localStore.removeItem(key)
  }
  for (const listener of listeners) listener()
}

/** The server may have made this page for the person who has signed out since it was asked for. */
export function hasSignedOutSinceRequest(): boolean {
  const endedAt = Number(localStore.getItem(endedKey))
  // A later time than now is of a clock that was set back; it would reload the page again and again.
  return endedAt > performance.timeOrigin && endedAt <= Date.now()
}

export function onSignOutPending(listener: () => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', hear)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', hear)
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
    return await locks.request(key, () => {
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
