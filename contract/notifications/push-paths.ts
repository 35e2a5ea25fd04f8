/** Separate from the endpoints, because the service worker needs no schemas. */
export const PUSH_SUBSCRIPTIONS = '/api/push/subscriptions'
export const PUSH_RECEIPTS = '/api/push/receipts'
