import { isLang, type Lang } from '@qatra/contract/lib/lang'
import type { Config } from '../../config/config.ts'
import { keyFor, seal, unseal } from '../../lib/secrets.ts'

/** Long enough for a provider that was away, short for a link that was passed on. */
const DAYS = 7
const OWNER = 'receipt'

const keyOf = (secret: Buffer) => keyFor(secret, 'links of receipts')

/** Token of an address that shows a receipt without signing in, for the providers of messages. */
export function receiptToken(secret: Buffer, { orderId, lang }: { orderId: string; lang: Lang }, now: Date): string {
  const until = now.getTime() + DAYS * 86_400_000
  return seal(keyOf(secret), [orderId, lang, until].join(' '), OWNER)
}

/** The address with the token, and until when it opens. */
export function receiptLink(
  config: Pick<Config, 'publicUrl' | 'secret'>,
  of: { orderId: string; lang: Lang },
  now: Date,
) {
  const until = new Date(now.getTime() + DAYS * 86_400_000).toISOString()
  return { url: `${config.publicUrl}/api/receipts/${receiptToken(config.secret, of, now)}`, until }
}

/** Null for a forged or expired token. */
export function readReceiptToken(secret: Buffer, token: string, now: Date): { orderId: string; lang: Lang } | null {
  const [orderId = '', lang = '', until = ''] = (unseal(keyOf(secret), token, OWNER) ?? '').split(' ')
  return isLang(lang) && Number(until) > now.getTime() ? { orderId, lang } : null
}
