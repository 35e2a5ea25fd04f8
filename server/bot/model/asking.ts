import type { App } from '../../http/runtime.ts'
import { modelsOf } from '../../providers/models/models.commands.ts'
import { readMemory, type State } from '../dialogue/memory.ts'
import type { Incoming } from '../dialogue/turn-context.ts'
import { gatherHeard } from '../gathering.ts'
import { isLate } from '../hand-over.commands.ts'
import type { Job } from '../history.commands.ts'
import { readCartOf } from '../intent-runner.commands.ts'
import type { KnownShop } from '../knowledge/snapshot.queries.ts'
import { findWaiting } from '../queries.ts'
import { decideReaction } from '../turn.ts'
import { questionAbout } from './question.ts'
import { readSuggestion, type Suggestion } from './suggestion.ts'

/** A suggestion, and the message and state for which it was made. */
export interface Suggested {
  messageId: number
  content: string
  state: State
  suggestion: Suggestion
}

/** What was found out about a turn before its transaction. */
export interface Looked {
  /** The id of its last message; null if there was no whole turn yet. */
  last: number | null
  suggested: Suggested | null
}

/**
 * Asks the model about a turn of one message that is not understood for certain. Before the turn's transaction, which
 * finds out whether the turn is still the same. Null without a model.
 */
export async function suggestionFor(app: App, catalogue: KnownShop, job: Job): Promise<Looked | null> {
  const { chat } = modelsOf(app)
  if (!chat) return null
  const waiting = await findWaiting(app.db, job.contactId, job.messageId)
  if (!waiting || waiting.isBehind) return { last: null, suggested: null }
  const { messages, waitMs } = gatherHeard(waiting.messages, waiting.now, app.config)
  if (waitMs > 0) return { last: null, suggested: null }
  const last = messages.at(-1)?.id ?? null
  const without = { last, suggested: null }
  if (waiting.isRobot || messages.some(({ at }) => isLate(at, waiting.now))) return without
  const memory = readMemory(waiting.memory, waiting.language)
  const cart = await readCartOf({ db: app.db, afterCommit: () => {} }, catalogue, waiting, waiting.now)
  const { reaction, steps } = decideReaction(waiting, messages, { memory, catalogue, cart })
  const [only, ...others] = steps
  const isAnswered = reaction === 'answer' || reaction === 'help'
  if (!isAnswered || !only?.meaning || others.length > 0) return without
  const { incoming: message, meaning } = only
  const question = questionAbout(message, { meaning, memory, catalogue, person: waiting.person })
  const suggestion = question && (await chat(question, (answer) => readSuggestion(answer, catalogue)))
  if (!suggestion) return without
  return { last, suggested: { messageId: message.id, content: message.content, state: memory.state, suggestion } }
}

/** The message with the suggestion that was made for it, as it is and at the question that is open. */
export const withSuggestion = (message: Incoming, state: State, suggested: Suggested | null): Incoming =>
  suggested?.messageId === message.id && suggested.content === message.content && suggested.state === state
    ? { ...message, suggestion: { ...suggested.suggestion } }
    : message
