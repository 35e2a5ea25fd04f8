import { customerName, includesFolded, instructionsText, isolated, personName } from '@qatra/contract/lib/text'
import { hasTrait } from '../intent-table.ts'
import { isCheckingOut } from './memory.ts'
import { callPerson } from './person.ts'
import { enter, type Next, offer, replyText, say, type TurnContext } from './replies.ts'
import type { Conversation } from './turn-context.ts'

const notThis =
  /^(?:(?:no|laa?|لا|sorry|عفوا)[\s,،]{1,3})?(?:(?:my |the )?name(?: is|'s)? |(?:ال)?اسمي? |el ?esm |esmi )?(?:not|mo|mu|mub|مو|مب|مش)\s{1,3}(\p{L}{2,30}(?: \p{L}{2,30}){0,4}(?=[,،.\n])|\p{L}{2,30})[\s,،.]{1,5}(?:(?:it'?s|it is|but|بل|(?:ال)?اسمي?|el ?esm|esmi)\s)?(\p{L}[\p{L}\d' .-]{1,60})$/iu

/** `no, not Hassan, Hussain Jawad`, of the name that was given. */
export function correctName({ memory, meaning }: TurnContext): boolean {
  const [, wrong = '', right = ''] = notThis.exec(meaning.text) ?? []
  const name = nameOf(right.trim())
  if (memory.name === null || name === null || !includesFolded(memory.name, wrong)) return false
  memory.name = name
  return true
}

const digits: Readonly<Record<string, string>> = { 2: '', 3: 'a', 5: 'kh', 6: 't', 7: 'h', 8: 'q', 9: 's' }

/** Arabic in Latin letters: `3abdulla bu 3ali` is `abdulla bu ali`. */
const withLetters = (text: string) =>
  text
    .replace(/(?<![a-z\d])3(?=[aeiou])/giu, '')
    .replace(/(?<=[a-z])[2356789]|[2356789](?=[a-z])/giu, (digit) => digits[digit] ?? digit)

const nameOf = (text: string | null, schema = personName(3)): string | null => {
  const parsed = text === null ? null : schema.safeParse(withLetters(text))
  return parsed?.success ? parsed.data : null
}
/** Of a company too. */
const ofAccount = customerName(3)

/** Name on the order: given here, else the account's. */
export const nameFor = ({ memory, person }: TurnContext): string | null =>
  memory.name ?? nameOf(person.account?.name ?? null, ofAccount)

export function askName(turn: TurnContext): Next {
  enter(turn, 'name')
  const known = nameOf(turn.person.profileName)
  if (known === null) replyText(turn, say(turn, 'bot.name.ask'))
  else
    offer(turn, say(turn, 'bot.name.confirm', { name: isolated(known) }), [
      ['name:profile', say(turn, 'bot.name.right')],
    ])
  return 'answered'
}

export function takeProfileName(turn: TurnContext): Next {
  const name = nameOf(turn.person.profileName)
  if (name === null) return 'name'
  turn.memory.name = name
  return 'checkout'
}

/** Commands, questions and greetings are no name. What is written again is one. */
export function refuseName(turn: TurnContext): Next {
  if (turn.memory.isRefused || hasTrait(turn.meaning.intent, 'view')) return 'lost'
  turn.memory.isRefused = true
  return replyText(turn, say(turn, 'bot.name.notName'))
}

/** `this is Priya`, beside other words. Whether a name was said. */
export function takeSaidName({ memory, meaning }: TurnContext): boolean {
  const name = nameOf(meaning.slots.name)
  if (name !== null) memory.name = name
  return name !== null
}

/** A name that is not asked for, for the order in the cart. */
export const takeGivenName = (turn: TurnContext): Next =>
  turn.cart.items.length > 0 && takeSaidName(turn) ? 'checkout' : 'lost'

/** `change the name` */
export function editName(turn: TurnContext): Next {
  if (turn.cart.items.length === 0 || !/اسم|\b(?:name|[ie]sm)/iu.test(turn.meaning.text)) return 'lost'
  return takeSaidName(turn) ? 'checkout' : 'name'
}

export function handleName(turn: TurnContext): Next {
  const { intent, slots, text } = turn.meaning
  if (intent === 'yes') return takeProfileName(turn)
  if (intent === 'no') return replyText(turn, say(turn, 'bot.name.ask'))
  const name = nameOf(slots.name ?? text)
  if (name === null) return replyText(turn, say(turn, 'bot.name.refused'))
  turn.memory.name = name
  return 'checkout'
}

export function askNotes(turn: TurnContext): Next {
  enter(turn, 'notes')
  return offer(turn, say(turn, 'bot.notes.ask'), [['skip', say(turn, 'bot.notes.skip')]])
}

export function handleNotes(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const parsed = instructionsText.safeParse(meaning.slots.note ?? meaning.text)
  if (!parsed.success || parsed.data === '') return replyText(turn, say(turn, 'bot.notes.refused'))
  memory.notes = parsed.data
  memory.isNoted = true
  return 'checkout'
}

/** A note that was not asked for belongs to the order in the cart; without one a person reads it. */
export function* takeNote(turn: TurnContext): Conversation<Next> {
  const { memory, cart } = turn
  if (cart.items.length === 0) return yield* callPerson(turn)
  const isOrdering = isCheckingOut(memory.state)
  const { note, name } = turn.meaning.slots
  // `my name is Rajesh, call me before you come`
  if (name !== null && !note?.includes(name)) takeSaidName(turn)
  const { notes } = memory
  if (handleNotes(turn) === 'answered') return 'answered'
  // What is called a note takes the place of the one before.
  const isMore = turn.meaning.slots.note === turn.meaning.text && !notes?.includes(memory.notes ?? '')
  const both = instructionsText.safeParse(`${notes} · ${memory.notes}`)
  if (notes !== null && isMore && both.success) memory.notes = both.data
  replyText(turn, say(turn, 'bot.notes.taken'))
  return isOrdering ? 'checkout' : 'cart'
}

export function skipNotes({ memory }: TurnContext): Next {
  memory.notes = null
  memory.isNoted = true
  return 'checkout'
}
