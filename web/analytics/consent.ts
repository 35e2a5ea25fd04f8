import { localStore } from '../app/site-data.ts'

export type Consent = 'granted' | 'refused'

const key = 'analytics-consent'
const listeners = new Set<() => void>()
let isAsking = false

interface Kept {
  choice: Consent
  /** When it was chosen, so that it can be told later. */
  at: string
}

/** The visitor's choice; null before a choice. Without storage it lasts as long as the page. */
export function readConsent(): Consent | null {
  const kept = localStore.readJson(key)
  if (typeof kept !== 'object' || kept === null || !('choice' in kept)) return null
  return kept.choice === 'granted' || kept.choice === 'refused' ? kept.choice : null
}

export const consentGiven = () => readConsent() === 'granted'

function tell() {
  for (const listener of listeners) listener()
}

export function chooseConsent(choice: Consent) {
  isAsking = false
  localStore.setItem(key, JSON.stringify({ choice, at: new Date().toISOString() } satisfies Kept))
  tell()
}

/** Asks again, for somebody who wants to choose anew. */
export function requestConsent() {
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
