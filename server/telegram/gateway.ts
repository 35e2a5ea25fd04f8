import type { App } from '../http/runtime.ts'
import { telegramFetch } from '../providers/gateways.ts'
import { type Telegram, telegramGateway } from '../providers/telegram/gateway.ts'
import { saveChatMove } from './linking/chats.commands.ts'

const made = new WeakMap<App, Telegram>()

/** Null if no bot is configured; one per process. */
export function telegramOf(app: App): Telegram | null {
  const { token, apiUrl, groupId } = app.config.telegram
  if (token === null) return null
  const known = made.get(app)
  if (known) return known
  const onMove = (from: string, to: string) => saveChatMove(app, from, to)
  const telegram = telegramGateway({ token, apiUrl, groupId }, { fetch: telegramFetch(app), onMove })
  made.set(app, telegram)
  return telegram
}
