/**
 * Result of a call. `refused`: processed and rejected. `unreached`: not processed. `unknown`: may have been processed,
 * so only the same request with the same key is repeated.
 */
export type LegacyOutcome =
  | { kind: 'synced'; status: number; bagId: string; transactionId: string | null }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unreached'; status: number | null; message: string; mayRetry: boolean; retryAfter?: number }
  | { kind: 'unknown'; status: number | null; message: string; retryAfter?: number }
