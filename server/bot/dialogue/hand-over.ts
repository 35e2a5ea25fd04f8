import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { officeWords } from '../../calendar/office-hours.ts'
import { type BotKey, enter, type Next, offer, replyText, say, type TurnContext } from './replies.ts'

/** When staff answer; null without entered hours. That the office is closed is said once a day. */
function officeLine({ facts: { catalogue, now }, memory }: TurnContext): string | null {
  const words = officeWords(catalogue, now, memory.language)
  if (words === null || words.isOpen) return words?.text ?? null
  const today = bahrainDate(now)
  if (memory.closedSaidOn === today) return null
  memory.closedSaidOn = today
  return words.text
}

/** What the customer can do here until a person answers. */
export const meanwhileKey = ({ hasOpenOrder, isOrdering }: Record<'hasOpenOrder' | 'isOrdering', boolean>): BotKey =>
  hasOpenOrder ? 'bot.person.back' : isOrdering ? 'bot.person.backNoOrder' : 'bot.person.backMenu'

/** A message that a person will answer here, when, and how to get the bot back. */
export function quietText(turn: TurnContext, text: string): string {
  const { memory, person, cart } = turn
  memory.isQuietSaid = true
  const hasOpenOrder = person.account?.hasOpenOrder ?? memory.placedId !== null
  const back = say(turn, meanwhileKey({ hasOpenOrder, isOrdering: cart.items.length > 0 }))
  return [text, officeLine(turn), back].filter((line) => line !== null).join('\n')
}

/** The message is left to the person; said once until the bot is called back. */
export function explainQuiet(turn: TurnContext): Next {
  const { choices } = turn.memory
  turn.intent = 'left-to-person'
  replyText(turn, quietText(turn, say(turn, 'bot.person.quiet')))
  turn.memory.choices = choices
  return 'answered'
}

/** A person is talking with the customer: the bot takes over only after a yes. */
export function askBack(turn: TurnContext): Next {
  turn.intent = 'ask-back'
  enter(turn, 'handback')
  return offer(turn, say(turn, 'bot.back.ask'), [
    ['bot:back', say(turn, 'bot.back.yes')],
    ['bot:stay', say(turn, 'bot.back.no')],
  ])
}

export function stayWithPerson(turn: TurnContext): Next {
  enter(turn, 'idle')
  return replyText(turn, quietText(turn, say(turn, 'bot.person.quiet')))
}
