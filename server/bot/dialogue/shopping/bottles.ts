import { isAskedForEmpties as isAsked } from '@qatra/contract/bottles'
import { promiseFields, slotOn, slotWords } from '@qatra/contract/calendar/slot'
import type { CartItem } from '@qatra/contract/cart/cart'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { isolated } from '@qatra/contract/lib/text'
import { promisedSlotFor } from '../../../vendors/promised-dates.ts'
import { hasTrait } from '../../intent-table.ts'
import { isCheckingOut } from '../memory.ts'
import { callPerson } from '../person.ts'
import { enter, type Next, offer, offerBeside, replyText, say, type TurnContext } from '../replies.ts'
import { type Conversation, perform } from '../turn-context.ts'
import { unitWords } from './cart-text.ts'
import { namedVendor } from '../places/place.ts'
import { performOnCart } from './requested-items.ts'

/** Lines of the cart whose bottles come back. */
const exchanged = ({ cart }: TurnContext): CartItem[] =>
  cart.items.filter(({ bottle, isAvailable }) => bottle?.terms === 'exchange' && isAvailable)

const unanswered = (turn: TurnContext) => exchanged(turn).filter((line) => isAsked(line, turn.cart.free))

/** Gives this many empty bottles for the lines, as far as they have room. */
function* setEmpties(turn: TurnContext, lines: readonly CartItem[], count: number): Conversation<void> {
  let left = count
  for (const { id: itemId, quantity } of lines) {
    const empties = Math.min(left, quantity)
    left -= empties
    yield* performOnCart(turn, { do: 'set', itemId, quantity, empties })
  }
}

/** What was said of the empty bottles of the product that is in the cart now. @param before its line until then */
export function* giveSaidEmpties(turn: TurnContext, before: CartItem | undefined): Conversation<void> {
  const { memory } = turn
  const said = memory.empties ?? (memory.hasNoEmpties ? 'none' : null)
  const line = exchanged(turn).find(({ productId }) => productId === memory.productId)
  if (said === null || !line) return
  const empties = (before?.empties ?? 0) + (said === 'all' ? (memory.quantity ?? 0) : 0)
  yield* setEmpties(turn, [line], empties)
  sayRecorded(turn, line, empties)
}

/** More are given than are recorded: the driver's count decides. */
function sayRecorded(turn: TurnContext, { held }: CartItem, empties: number): void {
  if (empties > held) replyText(turn, say(turn, 'bot.empties.recorded', { count: held }))
}

/** Is there an open question of empty bottles before the order can be made? */
export const isAskedForEmpties = (turn: TurnContext): boolean => unanswered(turn).length > 0

export function askEmpties(turn: TurnContext): Next {
  const { memory, facts, cart } = turn
  const lines = unanswered(turn)
  const vendor = facts.catalogue.vendors.get(cart.vendorId ?? 0)
  if (lines.length === 0 || !vendor) return 'checkout'
  enter(turn, 'empties')
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const [deposit = 0] = lines.map(({ bottle }) => bottle?.deposit ?? 0)
  const each = formatMoney(fromBhd(deposit), memory.language)
  return offer(turn, say(turn, 'bot.empties.ask', { vendor: nameIn(memory.language, vendor), each }), [
    [`empties:${count}`, say(turn, 'bot.empties.all', { count })],
    ['empties:0', say(turn, 'bot.empties.none')],
  ])
}

/** The answer: how many are given back. */
export function* takeEmpties(turn: TurnContext, count: number): Conversation<Next> {
  if (!Number.isInteger(count) || count < 0) return 'lost'
  const lines = unanswered(turn)
  yield* setEmpties(turn, lines.length > 0 ? lines : exchanged(turn), count)
  return 'checkout'
}

export const giveAll = (turn: TurnContext): Conversation<Next> =>
  takeEmpties(
    turn,
    unanswered(turn).reduce((sum, { quantity }) => sum + quantity, 0),
  )

export const giveNone = (turn: TurnContext): Conversation<Next> => takeEmpties(turn, 0)

/** `2`, `عندي قلنين فاضيين` */
export function* answerEmpties(turn: TurnContext): Conversation<Next> {
  const { number, items } = turn.meaning.slots
  const [only, ...others] = items
  const isOfBottles = only !== undefined && others.length === 0 && only.vendorId === null && only.unit !== 'pack'
  const count = number ?? (isOfBottles ? only.quantity : null)
  return count === null ? 'lost' : yield* takeEmpties(turn, count)
}

/**
 * `I have no empties`, `new ones with the bottle`, `in exchange`, of the gallons in the cart. What is ordered in the same
 * message goes by its own words.
 */
export function* changeEmpties(turn: TurnContext): Conversation<Next> {
  const { memory, meaning } = turn
  const { hasNoEmpties, isQuestion } = meaning.slots
  // `2 in exchange, no empties`
  const items = meaning.slots.items.map((item) => (hasNoEmpties ? { ...item, empties: 'none' as const } : item))
  turn.meaning = { ...meaning, slots: { ...meaning.slots, items } }
  const [only, ...others] = items
  const lines = exchanged(turn)
  const isOfLine = lines.some(({ productId }) => only?.productIds.includes(productId))
  const isOfCart = only?.quantity === null && only.swap === null && isOfLine && others.length === 0
  const said = hasNoEmpties ? 'none' : isOfCart && hasTrait(meaning.intent, 'items') ? only.empties : null
  if (said === null || isQuestion) return 'lost'
  if (hasNoEmpties) memory.hasNoEmpties = true
  if (lines.length === 0 || items.some(({ quantity, change }) => quantity !== null && change === 'add')) return 'lost'
  const [line] = lines
  const count = said === 'none' ? 0 : lines.reduce((sum, { quantity }) => sum + quantity, 0)
  yield* setEmpties(turn, lines, count)
  if (line) sayRecorded(turn, line, Math.min(count, line.quantity))
  if (items.some(({ quantity }) => quantity !== null)) return 'lost'
  return memory.state === 'empties' ? 'checkout' : 'cart'
}

/** `how many bottles do I have?`, `come and take the empties` */
export function* answerBottles(turn: TurnContext): Conversation<Next> {
  const { asks } = turn.meaning.slots
  if (asks === 'collect') return yield* askCollection(turn)
  if (asks !== 'held') return 'lost'
  const { memory, facts } = turn
  const { bottles } = yield* perform({ do: 'bottles' })
  const { t } = unitWords(turn)
  const lines = bottles
    .filter(({ count }) => count !== 0)
    .map(({ vendorId, count, depositHeld, ...type }) => {
      const vendor = facts.catalogue.vendors.get(vendorId)
      return say(turn, 'bot.bottles.held', {
        vendor: vendor ? nameIn(memory.language, vendor) : '',
        bottles: t('unit.bottle', { count }),
        type: nameIn(memory.language, type),
        deposit: formatMoney(fromBhd(depositHeld), memory.language),
      })
    })
  turn.intent = 'shop'
  const text = lines.length > 0 ? lines.join('\n') : say(turn, 'bot.bottles.none')
  if (!isCheckingOut(memory.state)) return offerBeside(turn, text, ['go:order', 'go:menu'])
  replyText(turn, text)
  return 'checkout'
}

/** The place and the day at which a vendor's empties would be collected; without a clear answer a person arranges it. */
export function* askCollection(turn: TurnContext): Conversation<Next> {
  const { memory, facts, person } = turn
  turn.intent = 'person'
  const { bottles } = yield* perform({ do: 'bottles' })
  const named = namedVendor(turn)
  const held = bottles.filter(({ vendorId, count }) => count > 0 && (!named || named.id === vendorId))
  const [vendorId, ...others] = new Set(held.map((one) => one.vendorId))
  const vendor = facts.catalogue.vendors.get(vendorId ?? 0)
  const home = person.account?.addresses.find(({ address, point }) => address !== null && point !== null)
  if (!vendor || others.length > 0 || !home?.address) return yield* callPerson(turn, 'empties')
  const visit = held.find((one) => one.visit !== null)?.visit
  const slot = visit ? slotOn(visit.date) : promisedSlotFor(facts.catalogue, vendor, facts.now)
  const day = slotWords(slot, memory.language, 'long')
  if (visit) return replyText(turn, say(turn, 'bot.collect.done', { day }))
  enter(turn, 'collect')
  const count = held.reduce((sum, one) => sum + one.count, 0)
  const what = unitWords(turn).t('unit.bottle', { count })
  const where = { vendor: nameIn(memory.language, vendor), address: isolated(home.address) }
  const { promisedDate } = promiseFields(slot)
  return offer(turn, say(turn, 'bot.collect.ask', { ...where, bottles: what, day }), [
    [`collect:${vendor.id}:${home.id}:${promisedDate}`, say(turn, 'bot.collect.yes')],
    ['no', say(turn, 'bot.collect.no')],
  ])
}

/** On another day or at another place: a person arranges it. */
export const leaveCollection = (turn: TurnContext): Conversation<Next> => callPerson(turn, 'empties')

export function* agreeToCollection(turn: TurnContext): Conversation<Next> {
  const asked = turn.memory.choices.find((id) => id.startsWith('collect:'))
  return asked ? yield* requestCollection(turn, asked.slice('collect:'.length)) : 'lost'
}

export function* requestCollection(turn: TurnContext, value: string): Conversation<Next> {
  const [vendorId = '', addressId = '', date = ''] = value.split(':')
  const outcome = yield* perform({ do: 'collect', vendorId: Number(vendorId), addressId: Number(addressId), date })
  // The day was closed, or its hour passed, between question and answer.
  if (!outcome.ok && outcome.code === 'DATE_NOT_AVAILABLE') return yield* askCollection(turn)
  if (!outcome.ok) return yield* callPerson(turn, 'empties')
  enter(turn, 'idle')
  return replyText(
    turn,
    say(turn, 'bot.collect.done', { day: slotWords(slotOn(outcome.date), turn.memory.language, 'long') }),
  )
}
