import { listIn, nameIn } from '@qatra/contract/lib/lang'
import { isolated } from '@qatra/contract/lib/text'
import { landmarks } from '../../geocoding/landmarks.ts'
import type { IntentName } from '../understanding/rules.ts'
import type { Guess } from '../understanding/tags.ts'
import { SURE } from '../understanding/understand.ts'
import { type BotKey, offer, say, type TurnContext } from './replies.ts'
import { itemName } from './shopping/cart-text.ts'

/** Meanings that can be asked about, as buttons. */
const titles: Partial<Readonly<Record<IntentName, BotKey>>> = {
  notes: 'bot.meant.notes',
  order: 'bot.meant.order',
  change: 'bot.meant.change',
  clear: 'bot.edit.clear',
  undo: 'bot.meant.undo',
  again: 'bot.menu.again',
  cancelOrder: 'bot.order.cancel',
  reschedule: 'bot.meant.reschedule',
  refuse: 'bot.summary.no',
  trouble: 'bot.meant.trouble',
  optOut: 'bot.meant.optOut',
  optIn: 'bot.meant.optIn',
  checkout: 'bot.cart.checkout',
  track: 'bot.menu.orders',
  cart: 'bot.menu.cart',
  edit: 'bot.cart.edit',
  price: 'bot.meant.price',
  has: 'bot.meant.price',
  shop: 'bot.meant.question',
  person: 'bot.menu.person',
  address: 'bot.meant.address',
  place: 'bot.meant.address',
  changePlace: 'bot.edit.place',
  brands: 'bot.meant.brands',
  menu: 'bot.menu.title',
}

/** Intents that change the cart; they are not carried out while in doubt. */
const changing: ReadonlySet<IntentName> = new Set(['order', 'change', 'again'] as const)

const MOST_GUESSES = 3

/** Asks about words that are not written as known before anything is done by them. False if nothing is to be asked. */
export function askGuess(turn: TurnContext): boolean {
  const { memory, meaning } = turn
  const names = meaning.guesses.flatMap(({ meant }) => meantName(turn, meant) ?? []).slice(0, MOST_GUESSES)
  if (names.length === 0) return false
  turn.intent = 'unclear'
  const meant = listIn(memory.language, names.map(isolated))
  offer(turn, say(turn, 'bot.readAs', { meant }), [
    ['guess:yes', say(turn, 'bot.readAs.yes')],
    ['guess:no', say(turn, 'bot.readAs.no')],
  ])
  memory.doubt = meaning.text
  return true
}

/** Two buttons where two meanings are about as likely, or the only one is unsure. False if nothing is to be asked. */
export function askMeaning(turn: TurnContext): boolean {
  const { memory, meaning } = turn
  const { intent, alternative, confidence, slots } = meaning
  if (memory.state === 'phone' || memory.state === 'code') return false
  const isUnsure = confidence < SURE && changing.has(intent) && slots.items.length > 0
  const other = alternative ?? (isUnsure ? 'menu' : null)
  const [key, otherKey] = [titles[intent], other === null ? undefined : titles[other]]
  if (key === undefined || otherKey === undefined) return false
  const [title, otherTitle] = [say(turn, key), say(turn, otherKey)]
  // Meanings with one title come to the same.
  if (title === otherTitle) return false
  turn.intent = 'unclear'
  offer(turn, say(turn, intent === 'notes' ? 'bot.meant.askNote' : 'bot.meant.ask'), [
    [`meant:${intent}`, title],
    [`meant:${other}`, otherTitle],
  ])
  memory.doubt = meaning.text
  return true
}

/** The intent behind such a button. */
export function intentIn(id: string): IntentName | null {
  const [, name] = /^meant:(\w+)$/.exec(id) ?? []
  return isAskable(name) ? name : null
}

const isAskable = (name: string | undefined): name is IntentName => name !== undefined && Object.hasOwn(titles, name)

function meantName(turn: TurnContext, meant: Guess['meant']): string | null {
  const { catalogue } = turn.facts
  const { language } = turn.memory
  if (typeof meant === 'string') return meant
  if (meant.type === 'product') {
    const product = catalogue.products.get(meant.id)
    return product ? itemName(turn, product) : null
  }
  const [named, ...others] = placesAndBrands(turn, meant)
  return named && others.length === 0 ? nameIn(language, named) : null
}

/** What has a name in both languages; several areas share one. */
function placesAndBrands({ facts }: TurnContext, meant: Exclude<Guess['meant'], string>) {
  const { vendors, areas } = facts.catalogue
  if (meant.type === 'vendor') return [vendors.get(meant.id)]
  if (meant.type === 'landmark') return [landmarks[meant.index]]
  return meant.type === 'area' ? meant.ids.map((id) => areas.get(id)) : []
}
