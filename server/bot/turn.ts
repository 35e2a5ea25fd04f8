import { helpMeanwhile } from './dialogue/dialogue.ts'
import { askBack, explainQuiet } from './dialogue/hand-over.ts'
import { meaningOf, type ReadingContext, wordsIn } from './dialogue/read-text.ts'
import type { Part } from './dialogue/replies.ts'
import type { Incoming } from './dialogue/turn-context.ts'
import { mergeTurn } from './gathering.ts'
import { type BotStatus, type Reaction, reactions, reactionTo } from './policy.ts'
import type { Understanding } from './understanding/understand.ts'

/** What is known of the sender when a message of the turn came. */
type Sent = Incoming & Pick<BotStatus, 'isLoggingIn' | 'isOptedOut'>

/** A message, or several that say one thing. */
export interface Step {
  incoming: Incoming
  /** Read in the state in which the turn begins. Null after another message, which may have changed it. */
  meaning: Understanding | null
}

export interface Decision<Message extends Incoming> {
  reaction: Reaction
  /** The messages that decide what the bot does. The others are left to people or to other features. */
  decisive: readonly Message[]
  /** The messages as they are answered, one after the other. */
  steps: readonly Step[]
}

/** What the bot does with the messages of a turn. Each text is read once. */
export function decideReaction<Message extends Sent>(
  status: Omit<BotStatus, 'isLoggingIn' | 'isOptedOut'>,
  messages: readonly Message[],
  context: ReadingContext,
): Decision<Message> {
  const { memory } = context
  const known = new Map<string, Understanding>()
  const read = (message: Incoming): Understanding => {
    const text = wordsIn(message)
    const meaning = known.get(text) ?? meaningOf(text, context)
    known.set(text, meaning)
    return meaning
  }
  const reactionOf = (message: Message) => {
    const { isLoggingIn, isOptedOut } = message
    return reactionTo({ ...status, isLoggingIn, isOptedOut }, message, { memory, meaning: read(message) })
  }
  const all = messages.map((message) => ({ message, reaction: reactionOf(message) }))
  const reaction = reactions.find((one) => all.some((each) => each.reaction === one)) ?? 'silent'
  if (reaction === 'silent') return { reaction, decisive: [], steps: [] }
  const decisive = all.filter((each) => each.reaction === reaction).map(({ message }) => message)
  const isRead = reaction === 'answer' || reaction === 'help'
  const answered = isRead ? mergeTurn(decisive, memory.state, read) : decisive.slice(-1)
  const steps = answered.map((incoming, i) => ({ incoming, meaning: i === 0 ? read(incoming) : null }))
  return { reaction, decisive, steps }
}

/** What the bot says instead of answering. */
export const instead: Partial<Record<Reaction, Part>> = {
  explain: explainQuiet,
  'ask-back': askBack,
  help: helpMeanwhile,
}
