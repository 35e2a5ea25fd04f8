import { dropCache, localStore, tabStore } from './site-data.ts'

/** Pages and data that a browser keeps for dead spots belong to the person who was there. */
export const savedRunKey = 'run-last'
export const runCacheName = 'run'
/** As long as a session of staff lasts: whoever was signed out by the clock leaves nothing behind that can be read. */
export const OFFLINE_MAX_AGE_MS = 12 * 3_600_000

/** Key prefixes of drafts: an inbox answer by contact id, a sale and a checkout by user id. */
export const inboxDraftKey = 'inbox.draft.'
export const saleDraftKey = 'sale:'
export const checkoutDraftKey = 'checkout:'

const personal = [savedRunKey, inboxDraftKey, saleDraftKey, checkoutDraftKey]

/** Named here and not where it is kept: what wrote it may not be loaded on the page from which somebody signs out. */
export function clearPersonalStorage() {
  for (const store of [localStore, tabStore])
    for (const key of store.keys()) if (personal.some((one) => key.startsWith(one))) store.removeItem(key)
  void dropCache(runCacheName)
}
