/**
 * `failed`: the service did not answer or refused the call; after `retryAfter` seconds it may be asked again, if it says
 * so. `refused`: it answered, but with nothing that was asked for.
 */
export type ModelAnswer<T> = { ok: true; value: T } | { ok: false; kind: 'failed' | 'refused'; retryAfter?: number }

export interface ChatQuestion {
  system: string
  user: string
  /** JSON schema of the answer, in the strict form. */
  schema: object
}

export interface Sound {
  bytes: Uint8Array<ArrayBuffer>
  mimeType: string
  /** With the extension by which services know the format. */
  filename: string
}
