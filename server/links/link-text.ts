import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { keyFor } from '../lib/secrets.ts'
import { translatorFor } from '../lib/translate.ts'
import type { LinkToSend } from './admin.queries.ts'

const HIDDEN = '••••'

/** Key that decrypts the token passed to the sending job. */
export const travelKey = (secret: Buffer) => keyFor(secret, 'link on its way')

export const linkUrl = (origin: string, token: string) => `${origin}/magic-login/${token}`

export const untilText = ({ language, expiresAt }: LinkToSend) => formatDateTime(expiresAt, language)

export const linkText = (link: LinkToSend, url: string) =>
  translatorFor(link.language)('news.link', { until: untilText(link), url })

/** The same message as stored, without the token. */
export const keptLinkText = (link: LinkToSend, origin: string) => linkText(link, linkUrl(origin, HIDDEN))
