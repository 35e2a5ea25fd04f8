import { CallError, detailsOf } from '../lib/api-client.ts'
import type { MessageKey, Translate } from '../lib/language/i18n.tsx'
import { ownRefusalText } from '../lib/refusal.ts'

/** No code is sent to the number, but its owner can prove it by a message. */
export const isProvable = (error: CallError) => detailsOf(error, 'PHONE_NOT_ALLOWED').byMessage === true

/** Text of a sign-in error. The server's messages for a field are in the page's language already. */
export function signInError(error: unknown, t: Translate, otherwise: MessageKey = 'login.failed'): string {
  if (!(error instanceof CallError)) return t(otherwise)
  if (error.code === 'TOO_MANY_REQUESTS') {
    // The limit applies to the network, not the phone: phones with an account still get their code.
    if (detailsOf(error, error.code).codeMayArrive) return t('login.codeMayArrive')
    return waitWords(error.retryAfter ?? 60, t)
  }
  if (isProvable(error)) return t('login.phoneByMessage')
  const [field] = Object.values(error.details.fields ?? {})
  if (error.code === 'INVALID_BODY' && field) return field
  return ownRefusalText(t, error, 'login') ?? t(otherwise)
}

function waitWords(seconds: number, t: Translate) {
  if (seconds < 90) return t('login.waitSeconds', { count: seconds })
  if (seconds < 90 * 60) return t('login.waitMinutes', { count: Math.ceil(seconds / 60) })
  return t('login.waitHours', { count: Math.ceil(seconds / 3600) })
}
