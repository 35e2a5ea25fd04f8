import { dropCache, formDraftKey, localStore, tabStore } from '../../lib/site-data.ts'

/** Stored data of one person; deleted when the person changes. */
export const savedRunKey = 'run-last'
export const runCacheName = 'run'
/** The lifetime of a staff session. */
export const OFFLINE_MAX_AGE_MS = 12 * 3_600_000

/** Key prefixes of drafts: an inbox answer by contact id, a sale and a checkout by user id. */
export const inboxDraftKey = 'inbox.draft.'
export const saleDraftKey = 'sale:'
export const checkoutDraftKey = 'checkout:'

/** What a customer's pages show without a network (offline/saved.ts), and the receipts that they have opened. */
export const savedPersonalKey = 'offline.personal'
export const receiptCacheName = 'receipts'

const personal = [formDraftKey, savedRunKey, inboxDraftKey, saleDraftKey, checkoutDraftKey, savedPersonalKey]

/** Listed here, because the code that writes a key may not be loaded on the page of the sign-out. */
export function clearPersonalStorage() {
  for (const store of [localStore, tabStore])
    for (const key of store.keys()) if (personal.some((one) => key.startsWith(one))) store.removeItem(key)
  for (const name of [runCacheName, receiptCacheName]) void dropCache(name)
}
