import { bahrainDate, formatClock, formatDay, formatTime } from '@qatra/contract/calendar/calendar'
import { isAroundTheClock, officeHoursIn, officeStateAt } from '../../calendar/office-hours.ts'
import { type BotKey, enter, type Next, offer, replyText, say, type TurnContext } from './replies.ts'

/** When staff answer, or the office opens next; null without entered hours. */
export function officeHoursLine(turn: TurnContext): string | null {
  const { facts, memory } = turn
  const { language } = memory
  const hours = officeHoursIn(facts.catalogue.settings)
  if (hours === null) return null
  const { isOpen, opens } = officeStateAt(hours, facts.catalogue.holidays, facts.now)
  const from = formatClock(hours.opensAt, language)
  if (isOpen && isAroundTheClock(hours)) return say(turn, 'bot.office.always')
  if (isOpen) return say(turn, 'bot.office.open', { from, to: formatClock(hours.closesAt, language) })
  if (opens === null) return null
  const day = bahrainDate(opens)
  const time = formatTime(opens, language)
  return day === bahrainDate(facts.now)
    ? say(turn, 'bot.office.today', { time })
    : say(turn, 'bot.office.closed', { day: formatDay(day, language, 'long'), time })
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
  return [text, officeHoursLine(turn), back].filter((line) => line !== null).join('\n')
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
  offer(turn, say(turn, 'bot.back.ask'), [
    ['bot:back', say(turn, 'bot.back.yes')],
    ['bot:stay', say(turn, 'bot.back.no')],
  ])
  return 'answered'
}

export function stayWithPerson(turn: TurnContext): Next {
  enter(turn, 'idle')
  replyText(turn, quietText(turn, say(turn, 'bot.person.quiet')))
  return 'answered'
}
