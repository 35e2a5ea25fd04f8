export type Consent = 'granted' | 'refused'

const key = 'analytics-consent'
const listeners = new Set<() => void>()
let isAsking = false

interface Kept {
  choice: Consent
  /** When it was chosen, so that it can be told later. */
  at: string
}

/** What the visitor chose; null while nothing was chosen, and where the browser keeps nothing. */
export function readConsent(): Consent | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('choice' in kept)) return null
    return kept.choice === 'granted' || kept.choice === 'refused' ? kept.choice : null
  } catch {
    return null
  }
}

export const consentGiven = () => typeof localStorage !== 'undefined' && readConsent() === 'granted'

function tell() {
  for (const listener of listeners) listener()
}

export function chooseConsent(choice: Consent) {
  isAsking = false
  try {
    localStorage.setItem(key, JSON.stringify({ choice, at: new Date().toISOString() } satisfies Kept))
  } catch {
    // Storage is full or forbidden: then nothing is ever loaded, and the question comes again.
  }
  tell()
}

/** Asks again, for somebody who wants to choose anew. */
export function askConsent() {
  isAsking = true
  tell()
}
export const isAskingConsent = () => isAsking

/** Told of a choice made here or in another tab, and of being asked again. */
export function onConsent(listener: () => void): () => void {
  const changedElsewhere = (event: StorageEvent) => {
    if (event.key === key) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', changedElsewhere)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', changedElsewhere)
  }
}
