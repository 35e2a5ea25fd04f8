import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './lib/ids.ts'

export const telegramStatus = z.object({
  /** Whether a bot is configured. */
  isOn: z.boolean(),
  /** Whether conversations are mirrored into a staff group. */
  hasGroup: z.boolean(),
  isLinked: z.boolean(),
  /** Telegram is simulated on this machine, at /simulator/telegram. */
  isSimulated: z.boolean(),
  /** Username of the bot, without @; null until Telegram has returned it. */
  botName: z.nullable(z.string()),
  /** Name of the linked account on Telegram: `@name` if it has a username. */
  accountName: z.nullable(z.string()),
})
export type TelegramStatus = z.output<typeof telegramStatus>

const own = { allow: 'staff', permissions: ['events.read'] } as const

export const getTelegram = endpoint({
  method: 'GET',
  path: '/api/admin/telegram',
  ...own,
  summary: 'Whether the caller’s account is linked with Telegram',
  returns: telegramStatus,
})

export const linkTelegram = endpoint({
  method: 'POST',
  path: '/api/admin/telegram/link',
  ...own,
  forbidWhileImpersonating: true,
  summary: 'Create a code for one use within minutes; the Telegram account that sends it to the bot is linked',
  returns: z.object({
    code: z.string(),
    /** Opens the bot with the code, in Telegram or the simulator; null until the username of the bot is known. */
    url: z.nullable(z.string()),
    expiresAt: instant,
    /** Server time, from which the page computes the remaining time. */
    now: instant,
  }),
  errors: ['TELEGRAM_OFF'],
})

export const unlinkTelegram = endpoint({
  method: 'DELETE',
  path: '/api/admin/telegram/link',
  ...own,
  forbidWhileImpersonating: true,
  summary: 'Unlink Telegram; it receives no more messages and its replies are ignored',
  returns: telegramStatus,
})
