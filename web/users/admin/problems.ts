import { CallError } from '../../lib/api-client.ts'
import type { MessageKey, Translate } from '../../lib/language/i18n.tsx'

const known = {
  LAST_SUPER_ADMIN: 'users.error.LAST_SUPER_ADMIN',
  NOT_IMPERSONABLE: 'users.error.NOT_IMPERSONABLE',
  IMPERSONATING: 'users.error.IMPERSONATING',
  FORBIDDEN: 'users.error.FORBIDDEN',
  USER_NOT_FOUND: 'users.error.USER_NOT_FOUND',
  OFFLINE: 'users.error.OFFLINE',
} as const satisfies Record<string, MessageKey>

/** Text of a server error; rethrows any other error. */
export function problemOf(error: unknown, t: Translate): string {
  if (!(error instanceof CallError)) throw error
  return t(error.code in known ? known[error.code as keyof typeof known] : 'users.error.other')
}
