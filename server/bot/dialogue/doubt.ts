import { quantityLimit } from '@qatra/contract/cart/rules'
import { fit } from '@qatra/contract/lib/fit'
import { listIn, nameIn } from '@qatra/contract/lib/lang'
import { isolated } from '@qatra/contract/lib/text'
import { landmarks } from '../../geocoding/landmarks.ts'
import { hasTrait, type IntentName, intentTable, isIntent } from '../intent-table.ts'
import { readSuggestion, type Suggestion, suggestedMeaning } from '../model/suggestion.ts'
import { opposes } from '../understanding/clauses.ts'
import { namesProduct } from '../understanding/item-request.ts'
import type { Item } from '../understanding/resolving.ts'
import type { Guess } from '../understanding/tags.ts'
import { isDoubtful, type Understanding } from '../understanding/understand.ts'
import { harmlessWords } from '../understanding/vocabulary.ts'
import { isSecret, type Memory, remember, stateTable } from './memory.ts'
import { isForwarded, isYes, meaningOf } from './read-text.ts'
import { type Next, offer, say, type TurnContext } from './replies.ts'
import { restoreCart, undoChange } from './shopping/cart-changes.ts'
import { countedItem, itemName } from './shopping/cart-text.ts'
import type { Conversation } from './turn-context.ts'

const MOST_GUESSES = 3

/** Asks about words that are not written as known before anything is done by them. False if nothing is to be asked. */
export function askGuess(turn: TurnContext): boolean {
  const { memory, meaning } = turn
  const names = meaning.guesses.flatMap(({ meant }) => meantName(turn, meant) ?? []).slice(0, MOST_GUESSES)
  if (names.length === 0) return false
  askWhether(turn, say(turn, 'bot.readAs', { meant: listIn(memory.language, names.map(isolated)) }))
  return true
}

function askWhether(
  turn: TurnContext,
  text: string,
  { yes = 'guess:yes', ...about }: Partial<Pick<Memory, 'isHeard' | 'suggested' | 'doubt'>> & { yes?: string } = {},
): void {
  turn.intent = 'unclear'
  offer(turn, text, [
    [yes, say(turn, 'bot.readAs.yes')],
    ['guess:no', say(turn, 'bot.readAs.no')],
  ])
  remember(turn.memory, { doubt: turn.meaning.text, isHeard: false, suggested: null, ...about })
}

/** Letters of a voice message that are shown; the rest is behind an ellipsis. */
const LONGEST_HEARD = 300

/** What was heard in a voice message comes before the answer to it. */
export function sayHeard(turn: TurnContext): void {
  const { incoming, replies } = turn
  const { transcript } = incoming.parts
  if (!transcript || replies.length === 0) return
  replies.unshift({ type: 'text', text: say(turn, 'bot.heard', { text: isolated(fit(transcript, LONGEST_HEARD)) }) })
}

/**
 * Asks about what was heard in a voice message before an order or a consent changes by it. False if nothing of that kind
 * was heard.
 */
export function askHeard(turn: TurnContext): boolean {
  const { incoming, meaning, memory } = turn
  const { intent } = meaning
  if (!incoming.parts.transcript) return false
  const isOfOrder = stateTable[memory.state].isBinding || memory.summary !== null
  if (!(isOfOrder && (intent === 'yes' || intent === 'cancelOrder')) && intent !== 'optOut' && intent !== 'optIn')
    return false
  askWhether(turn, say(turn, 'bot.heard.ask'), { isHeard: true })
  return true
}

/**
 * Takes what a model suggests for a message that is not understood for certain: an answer is given at once, and the
 * customer is asked about everything else first. True if so.
 */
export function askSuggested(turn: TurnContext): boolean {
  const { incoming, meaning, facts } = turn
  const suggestion = readSuggestion(incoming.suggestion, facts.catalogue)
  if (!suggestion || !isDoubtful(meaning)) return false
  if (intentTable[suggestion.intent].cost === 'word') {
    // A place would become the place of the delivery.
    turn.meaning = suggestedMeaning(meaning, { ...suggestion, areaId: null }, facts.catalogue)
    return false
  }
  askWhether(turn, say(turn, 'bot.readAs', { meant: isolated(suggestedWords(turn, suggestion)) }), {
    suggested: { ...suggestion },
  })
  return true
}

/** `Order products: 2 cartons of 24 · Hayrat water 500 ml` */
function suggestedWords(turn: TurnContext, { intent, items, areaId }: Suggestion): string {
  const { products, areas } = turn.facts.catalogue
  const { language } = turn.memory
  const { title } = intentTable[intent]
  const named = items.flatMap(({ productId, quantity, change }) => {
    const product = products.get(productId)
    if (!product) return []
    if (intent === 'change' && change === 'remove')
      return say(turn, 'bot.meant.without', { item: itemName(turn, product) })
    const words = quantity === null ? itemName(turn, product) : countedItem(turn, product, quantity)
    return intent === 'change' && change === 'add' ? `+ ${words}` : words
  })
  const area = areaId === null ? undefined : areas.get(areaId)
  const details = listIn(language, [...named, ...(area ? [nameIn(language, area)] : [])])
  return [title && say(turn, title), details].filter(Boolean).join(': ')
}

/**
 * Shows what would be done, and asks first, where not every word of the message is accounted for by it, or another has
 * written it. False if it can be done, or if nothing would be done yet.
 */
export function askDeed(turn: TurnContext): boolean {
  const { meaning, memory, incoming } = turn
  const { intent, alternative, slots } = meaning
  const { title, cost } = intentTable[intent]
  const isOfAnother = isForwarded(incoming) && cost === 'deed'
  if ((meaning.isExplained && !isOfAnother) || alternative !== null || isSecret(memory.state)) return false
  const isOfLines = hasTrait(intent, 'items') && intent !== 'clear' && intent !== 'again'
  const named = isOfLines ? [...new Set(deedsIn(turn, slots.items))] : []
  if (title === undefined || (isOfLines && named.length === 0 && !isOfAnother)) return false
  const meant = named.length > 0 ? listIn(memory.language, named) : say(turn, title)
  askWhether(turn, say(turn, 'bot.readAs', { meant: isolated(meant) }), { isHeard: true })
  return true
}

/** The yes to a deed that takes the place of the last one. */
export const redo = 'guess:redo'

/**
 * A correction of what the last message did to the cart: that is undone, and done as both messages together say; after a
 * question unless every word of both is accounted for. A quantity that is set again needs no undoing. `lost` if the message
 * is still to be answered.
 */
export function* correctLast(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, facts } = turn
  const { said, undo, hasRemoved } = memory
  const { items, takesLastBack } = meaning.slots
  if (said !== null && undo !== null && (undo.length > 0 || hasRemoved) && takesLastBack) return yield* undoChange(turn)
  // `actually you are fast, 10 out of 10`
  const isAllRead = meaning.slots.unknown.split(' ').every((word) => word === '' || harmlessWords.has(word))
  // `no wait, add one 330`: what else is added corrects nothing.
  const isChange = items.some(({ change, isExplicit, swap, quantity, ...item }) =>
    hasRemoved && namesProduct(item)
      ? change !== 'set'
      : swap === null &&
        (isExplicit
          ? quantity !== null && (change === 'less' || (change === 'add' && !namesProduct(item)))
          : isAllRead && (change === 'refuse' || quantity === null || !namesProduct(item))),
  )
  if (said === null || undo === null || !isChange || !opposes.test(meaning.text)) return 'lost'
  const before = { vendorId: turn.cart.vendorId, items: undo }
  const together = meaningOf(`${said}\n${meaning.text}`, { memory, catalogue: facts.catalogue, cart: before })
  const all = together.slots.items
  // `I don't want the gallon`, right after it was added.
  if (all.length === 0 && items.every(({ change }) => change === 'refuse')) return yield* undoChange(turn)
  const named = hasTrait(together.intent, 'items') ? [...new Set(deedsIn(turn, all))] : []
  if (named.length === 0) return 'lost'
  const isWhole = all.every(({ productIds, quantity, change }) => {
    return productIds.length === 1 && (quantity !== null || change === 'remove') && change !== 'refuse'
  })
  if (isWhole && isAllRead && together.isExplained && together.guesses.length === 0 && !isDoubtful(together)) {
    yield* restoreCart(turn)
    turn.meaning = together
    return 'lost'
  }
  const meant = isolated(listIn(memory.language, named))
  askWhether(turn, say(turn, 'bot.readAs', { meant }), { isHeard: true, doubt: together.text, yes: redo })
  return 'answered'
}

/** The lines of the cart as they would be changed, or what would be added. */
function deedsIn(turn: TurnContext, items: readonly Item[]): string[] {
  const { products } = turn.facts.catalogue
  return items.flatMap(({ productIds, change, swap, quantity }) => {
    const [id = 0, ...others] = productIds
    const product = others.length > 0 ? undefined : products.get(id)
    if (!product || change === 'refuse') return []
    if (change === 'remove') return say(turn, 'bot.meant.without', { item: itemName(turn, product) })
    const words = quantity === null ? itemName(turn, product) : countedItem(turn, product, quantity)
    const sign = swap === null && turn.cart.items.length > 0 ? { add: '+ ', less: '− ' }[change as string] : ''
    return `${sign ?? ''}${words}`
  })
}

/** As many of one line are asked about once. */
const MANY = 50

/** Asks before very many of one product are ordered. False if there are not so many. */
export function askMany(turn: TurnContext): boolean {
  const { meaning, memory, facts } = turn
  const { items, number } = meaning.slots
  const isNumber = memory.state === 'quantity' && memory.productId !== null && number !== null
  if (!hasTrait(meaning.intent, 'items') && !isNumber) return false
  const many = items.find(({ quantity, change }) => (quantity ?? 0) >= MANY && change !== 'less' && change !== 'remove')
  const count = many?.quantity ?? (isNumber ? number : 0)
  if (count < MANY || count > quantityLimit) return false
  const [id = memory.productId, ...others] = many?.productIds ?? []
  const product = others.length > 0 ? undefined : facts.catalogue.products.get(id ?? 0)
  const meant = product ? countedItem(turn, product, count) : String(count)
  askWhether(turn, say(turn, 'bot.readAs', { meant: isolated(meant) }), { isHeard: true })
  return true
}

/** Two buttons where two meanings are about as likely, one where it is unsure. False if nothing is to be asked. */
export function askMeaning(turn: TurnContext): boolean {
  const { memory, meaning } = turn
  const { intent, alternative, slots } = meaning
  if (isSecret(memory.state)) return false
  const isUnsure = isDoubtful(meaning) && hasTrait(intent, 'items') && slots.items.length > 0
  const key = intentTable[intent].title
  const otherKey = alternative === null ? undefined : intentTable[alternative].title
  const isOne = alternative === null && isUnsure
  // Meanings with one title come to the same.
  if (key === undefined || (!isOne && (otherKey === undefined || key === otherKey))) return false
  turn.intent = 'unclear'
  if (isOne || otherKey === undefined) return askWhetherMeant(turn, intent)
  offer(turn, say(turn, intent === 'notes' ? 'bot.meant.askNote' : 'bot.meant.ask'), [
    [`meant:${intent}`, say(turn, key)],
    [`meant:${alternative}`, say(turn, otherKey)],
  ])
  memory.doubt = meaning.text
  return true
}

/** Asks whether what the words are like is meant, where they say nothing for certain. False if that has no button. */
export const askLikeliest = (turn: TurnContext): boolean =>
  turn.meaning.likeliest !== null && !isSecret(turn.memory.state) && askWhetherMeant(turn, turn.meaning.likeliest)

function askWhetherMeant(turn: TurnContext, intent: IntentName): boolean {
  const { memory, meaning } = turn
  const key = intentTable[intent].title
  if (key === undefined) return false
  const { choices } = memory
  const id = `meant:${intent}`
  const title = say(turn, key)
  offer(turn, say(turn, 'bot.readAs', { meant: title }), [[id, title], 'go:menu', 'go:person'])
  // The list shown before can still be chosen from.
  memory.choices = [...choices.filter((one) => one !== id), id]
  remember(memory, { doubt: meaning.text, isHeard: false, suggested: null })
  return true
}

export const isGuess = (id: string) => id.startsWith('guess:')

/** The button that the words stand for, after a question about what was meant. */
export function answerToDoubt(turn: TurnContext): string | undefined {
  const { memory, meaning, incoming } = turn
  const { choices } = memory
  if (memory.doubt === null) return undefined
  const id = choices[(meaning.slots.number ?? 0) - 1]
  if (id !== undefined && (intentIn(id) !== null || isGuess(id))) return id
  const [yes, no] = choices.filter(isGuess)
  if (yes !== undefined && saysAgain(turn, memory.doubt)) return yes
  if (no !== undefined && !isForwarded(incoming) && (meaning.intent === 'yes' || meaning.intent === 'no'))
    return meaning.intent === 'yes' ? yes : no
  const [asked, ...others] = choices.filter((one) => intentIn(one) !== null)
  return isYes(turn) && others.length === 0 ? asked : undefined
}

/** `12 cartons of Hayrat 500`, asked whether it is made 12: the same quantity of the same, and nothing else. */
function saysAgain({ memory, meaning, facts, cart }: TurnContext, doubt: string): boolean {
  const deedOf = (one: Understanding) => {
    const [item, ...others] = one.slots.items
    return item && others.length === 0 && item.quantity !== null ? `${item.quantity} ${item.productIds}` : null
  }
  const [item] = meaning.slots.items
  const isPlain = meaning.intent === 'order' && item?.change === 'add' && item.productIds.length === 1
  return isPlain && meaning.isExplained && deedOf(meaning) === deedOf(meaningOf(doubt, { memory, ...facts, cart }))
}

/** The intent behind such a button. */
export function intentIn(id: string): IntentName | null {
  const [, name] = /^meant:(\w+)$/.exec(id) ?? []
  return isIntent(name) && intentTable[name].title !== undefined ? name : null
}

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
