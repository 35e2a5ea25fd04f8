import type { IntentName } from '../understanding/rules.ts'
import { takePoint } from './places/place.ts'
import { readText } from './read-text.ts'
import { enter, type Next, replyText, requestLocation, say, type TurnContext } from './replies.ts'

/** The place of a map link or of a pin beside a text. `lost` leaves the other words to be handled, if there are any. */
export function takeLinkedPlace(turn: TurnContext): Next {
  const { point, isPin, isLinkUnread } = readText(turn.incoming)
  if (!point && !isLinkUnread) return 'lost'
  turn.intent = 'location'
  const hasWords = withPlace.has(turn.meaning.intent)
  if (point) {
    const next = takePoint(turn, point, isPin ? 'gps' : 'map')
    return next === 'answered' || !hasWords ? next : 'lost'
  }
  if (!hasWords) return askLinkedPlace(turn)
  replyText(turn, say(turn, 'bot.place.link'))
  return 'lost'
}

/** What a message can say beside a link; other words are its name or an address. */
const withPlace: ReadonlySet<IntentName> = new Set([
  'order',
  'change',
  'again',
  'address',
  'checkout',
  'person',
  'trouble',
  'cancelOrder',
] as const)

function askLinkedPlace(turn: TurnContext): Next {
  enter(turn, 'place')
  requestLocation(turn, say(turn, 'bot.place.link'))
  return 'answered'
}
