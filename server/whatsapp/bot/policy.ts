import { proofWordIn } from '../../auth/proof-words.ts'
import { optWordIn } from '../campaigns/opt-out-words.ts'
import type { Incoming } from './conversation.ts'
import { listen } from './listening.ts'

export interface Standing {
  now: Date
  /** Until then a person of the shop answers. */
  pausedUntil: Date | null
  /** Since when the customer waits for one. */
  handoffAt: Date | null
}

/** After so long without any person's answer the bot is better than nobody. */
const WAITING_MS = 8 * 3_600_000

/**
 * Whether the bot answers. Never while a person does; while the customer waits for one, only whoever calls it back by
 * the menu or a button of its own.
 */
export function mayAnswer({ now, pausedUntil, handoffAt }: Standing, incoming: Incoming): 'yes' | 'called-back' | 'no' {
  if (pausedUntil !== null && pausedUntil > now) return 'no'
  if (incoming.type === 'text' && proofWordIn(incoming.content) !== null) return 'no'
  // What stops or starts offers has an answer of its own; `start` alone is a greeting too.
  if (optWordIn(incoming.content) === 'stop') return 'no'
  if (handoffAt === null || now.getTime() - handoffAt.getTime() > WAITING_MS) return 'yes'
  return isCallingBack(incoming) ? 'called-back' : 'no'
}

function isCallingBack({ type, content, parts }: Incoming): boolean {
  if (type === 'button' || type === 'list') return parts.id !== undefined && parts.id !== 'go:person'
  if (type !== 'text') return false
  const { act, isAlone, words } = listen(content)
  return (act === 'menu' && isAlone) || (words.length === 1 && words[0] === '0')
}
