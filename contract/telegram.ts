import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './ids.ts'

export const telegramStatus = z.object({
  /** Whether the shop has a bot at all. */
  isOn: z.boolean(),
  /** Whether conversations are mirrored into a group of the staff. */
  hasGroup: z.boolean(),
  isLinked: z.boolean(),
  /** Telegram is played on this machine, at /simulator/telegram. */
  isSimulated: z.boolean(),
  /** The bot's name on Telegram, without @; null until Telegram has told it. */
  botName: z.nullable(z.string()),
  /** What the linked account is called on Telegram: `@name` where it has one. */
  accountName: z.nullable(z.string()),
})
export type TelegramStatus = z.output<typeof telegramStatus>

const own = { allow: 'staff', permissions: ['events.read'] } as const

export const getTelegram = endpoint({
  method: 'GET',
  path: '/api/admin/telegram',
  ...own,
  summary: 'Whether the own account is linked with Telegram',
  returns: telegramStatus,
})

export const linkTelegram = endpoint({
  method: 'POST',
  path: '/api/admin/telegram/link',
  ...own,
  forbidWhileImpersonating: true,
  summary: 'A code that links the Telegram account which sends it to the bot, once and within minutes',
  returns: z.object({
    code: z.string(),
    /** Opens the bot with the code, in Telegram or in what plays it; null until the bot's name is known. */
    url: z.nullable(z.string()),
    expiresAt: instant,
    /** By the server's clock, which the time left is counted from. */
    now: instant,
  }),
  errors: ['TELEGRAM_OFF'],
})

export const unlinkTelegram = endpoint({
  method: 'DELETE',
  path: '/api/admin/telegram/link',
  ...own,
  forbidWhileImpersonating: true,
  summary: 'Telegram is told nothing more, and answers nobody for this person',
  returns: telegramStatus,
})
