import { createEvent } from '../lib/event.ts'
import { localStore } from '../lib/site-data.ts'

export type Consent = 'granted' | 'refused'

const key = 'analytics-consent'
const changed = createEvent()
let isAsking = false

interface StoredConsent {
  choice: Consent
  /** Time of the choice, as evidence of consent. */
  at: string
}

/** The visitor's choice; null before it. Without storage it lasts until the page is left. */
export function readConsent(): Consent | null {
  const stored = localStore.readJson(key)
  if (typeof stored !== 'object' || stored === null || !('choice' in stored)) return null
  return stored.choice === 'granted' || stored.choice === 'refused' ? stored.choice : null
}

export const consentGiven = () => readConsent() === 'granted'

export function chooseConsent(choice: Consent) {
  isAsking = false
  localStore.setItem(key, JSON.stringify({ choice, at: new Date().toISOString() } satisfies StoredConsent))
  changed.emit()
}

/** Shows the banner again, to change the choice. */
export function requestConsent() {
  isAsking = true
  changed.emit()
}
export const isAskingConsent = () => isAsking

/** Listens to choices in this and other tabs, and to requests to show the banner. */
export function onConsent(listener: () => void): () => void {
  const changedElsewhere = (event: StorageEvent) => {
    if (event.key === key) listener()
  }
  const stop = changed.on(listener)
  window.addEventListener('storage', changedElsewhere)
  return () => {
    stop()
    window.removeEventListener('storage', changedElsewhere)
  }
}
