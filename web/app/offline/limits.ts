/** The lifetime of a customer's session without use. */
export const SAVED_MAX_AGE_MS = 30 * 24 * 3_600_000
