/**
 * What became of a call. `refused`: it was read, and nothing was made of it. `unreached`: nobody there read it.
 * `unknown`: it may have been worked on, so it is only ever told again under the same key with the same words.
 */
export type LegacyOutcome =
  | { kind: 'synced'; status: number; bagId: string; transactionId: string | null }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unreached'; status: number | null; message: string; mayRetry: boolean; retryAfter?: number }
  | { kind: 'unknown'; status: number | null; message: string; retryAfter?: number }
