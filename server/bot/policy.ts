import { isLoginButton, parseLoginAnswer, parseLoginWord } from '../auth/message-login.ts'
import { optWordIn } from '../conversations/opt-out-words.ts'
import { parseText } from './parse.ts'
import type { Incoming } from './turn-context.ts'

export interface BotStatus {
  now: Date
  /** Staff answer until then. */
  pausedUntil: Date | null
  /** Since when the customer waits for staff. */
  handoffAt: Date | null
  /** A page waits for this person's login digits. */
  isProving: boolean
}

/** After this long without a reply by staff the bot answers again. */
const WAITING_MS = 8 * 3_600_000

/**
 * Whether the bot answers. Not while staff do; while the customer waits for staff, only to the menu command or a button
 * of the bot.
 */
export function mayAnswer(status: BotStatus, incoming: Incoming): 'yes' | 'called-back' | 'no' {
  const { now, pausedUntil, handoffAt } = status
  if (pausedUntil !== null && pausedUntil > now) return 'no'
  if (isProof(status, incoming)) return 'no'
  // Opt-out and opt-in words have their own reply; `start` alone is a greeting too.
  if (optWordIn(incoming.content) === 'stop') return 'no'
  if (handoffAt === null || now.getTime() - handoffAt.getTime() > WAITING_MS) return 'yes'
  return isCallingBack(incoming) ? 'called-back' : 'no'
}

function isProof({ isProving }: BotStatus, incoming: Incoming): boolean {
  const { type, content, parts } = incoming
  if (isLoginButton(parts) || (type === 'text' && parseLoginWord(content) !== null)) return true
  return isProving && parseLoginAnswer(incoming) !== null
}

function isCallingBack({ type, content, parts }: Incoming): boolean {
  if (type === 'button' || type === 'list') return parts.id !== undefined && parts.id !== 'go:person'
  if (type !== 'text') return false
  const { action, isAlone, words } = parseText(content)
  return (action === 'menu' && isAlone) || (words.length === 1 && words[0] === '0')
}
