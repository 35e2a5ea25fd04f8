import { endpoint } from '@qatra/contract/endpoint'
import { done, idParams, instant, rowIdNumber } from '@qatra/contract/lib/ids'
import { phoneInput } from '@qatra/contract/lib/phone'
import * as z from 'zod/mini'

/** Maximum text length of Telegram. */
const MOST_LETTERS = 4096

/** Id of the private chat with the bot. Other chats are topics, identified by number. */
export const BOT_CHAT = 'bot'

export const simulatedTelegramMessage = z.object({
  id: z.int(),
  author: z.enum(['bot', 'self', 'other']),
  /** Name of the author; null for the bot. */
  name: z.nullable(z.string()),
  text: z.string(),
  /** A service event instead of a text. */
  event: z.nullable(z.enum(['closed', 'reopened'])),
  /** The message of the same chat that this one replies to. */
  replyToId: z.nullable(z.int()),
  createdAt: instant,
})
export type SimulatedTelegramMessage = z.output<typeof simulatedTelegramMessage>

export const simulatedTelegramChat = z.object({
  id: z.string(),
  /** Title of a topic; null for the bot. */
  title: z.nullable(z.string()),
  isClosed: z.boolean(),
  last: z.nullable(z.object({ text: z.string(), createdAt: instant })),
})
export type SimulatedTelegramChat = z.output<typeof simulatedTelegramChat>

export const getSimulatedTelegram = endpoint({
  method: 'GET',
  path: '/api/simulator/telegram',
  allow: 'anyone',
  summary: 'Chats of a phone in the simulated Telegram, and the messages of one; only with the simulated bot',
  query: z.object({
    phone: phoneInput,
    chat: z.optional(
      z.string().check(
        z.regex(/^(?:bot|[1-9]\d{0,9})$/),
        z.refine((text) => text === 'bot' || Number(text) <= 2_147_483_647),
      ),
    ),
  }),
  returns: z.object({
    botName: z.string(),
    /** The bot first, then the topics of the staff group by latest activity. */
    chats: z.array(simulatedTelegramChat),
    /** Messages of the requested chat, oldest first. */
    messages: z.array(simulatedTelegramMessage),
  }),
})

export const writeSimulatedTelegram = endpoint({
  method: 'POST',
  path: '/api/simulator/telegram',
  allow: 'anyone',
  summary: 'Send a message in the simulated Telegram, to the bot or in a topic; only with the simulated bot',
  body: z.object({
    from: phoneInput,
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(MOST_LETTERS)),
    /** Topic id; without it, the message goes to the bot. */
    threadId: z.optional(rowIdNumber),
    /** Name of the account. */
    name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(64))),
  }),
  returns: simulatedTelegramMessage,
  errors: ['TOPIC_NOT_FOUND', 'TOPIC_CLOSED', 'UNAVAILABLE'],
})

export const changeSimulatedTopic = endpoint({
  method: 'POST',
  path: '/api/simulator/telegram/topics/{id}',
  allow: 'anyone',
  summary: 'Close, reopen or delete a topic of the simulated group; only with the simulated bot',
  params: idParams,
  body: z.object({ from: phoneInput, act: z.enum(['close', 'reopen', 'delete']) }),
  returns: done,
  errors: ['TOPIC_NOT_FOUND', 'UNAVAILABLE'],
})
