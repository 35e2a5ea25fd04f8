import type { Lang } from '@qatra/contract/lang'

/** Words on their way to a phone. */
export interface TextLetter {
  /** E.164 */
  to: string
  lang: Lang
  /** The whole message for channels that send words. */
  text: string
  /** Our id of the message; comes back with receipts where the provider knows how. */
  reference: string
}

/** A code on its way to a phone, as every gateway takes it. */
export interface CodeLetter extends TextLetter {
  code: string
}

/**
 * `busy`: certainly not accepted, may be tried again. `undeliverable`: never will be. `unknown`: may have been sent, so
 * it is never sent again.
 */
export type Outcome =
  | { ok: true; messageId: string }
  | { ok: false; kind: 'busy' | 'undeliverable' | 'unknown'; error: { code: string; text: string } }

export interface TextGateway {
  send: (letter: TextLetter) => Promise<Outcome>
}

export interface CodeGateway {
  send: (letter: CodeLetter) => Promise<Outcome>
}

export const failed = (kind: 'busy' | 'undeliverable' | 'unknown', code: string, text: string): Outcome => ({
  ok: false,
  kind,
  error: { code, text: text.slice(0, 300) },
})
