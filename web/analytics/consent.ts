export type Consent = 'granted' | 'refused'

const key = 'analytics-consent'
const listeners = new Set<() => void>()

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

export function chooseConsent(choice: Consent) {
  try {
    localStorage.setItem(key, JSON.stringify({ choice, at: new Date().toISOString() } satisfies Kept))
  } catch {
    // Storage is full or forbidden: then nothing is ever loaded, and the question comes again.
  }
  for (const listener of listeners) listener()
}

/** Told of a choice made here or in another tab. */
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
