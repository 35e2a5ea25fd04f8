import { askCancel, showOrders } from './dialogue-orders.ts'
import { callPerson } from './dialogue-person.ts'
import { takePoint } from './dialogue-place.ts'
import { declineSummary } from './dialogue-placing.ts'
import { answerTopic } from './dialogue-shop.ts'
import { clearAll } from './dialogue-shopping.ts'
import { changeCart, orderAgainWithChange, orderItems, undoChange } from './handle-changes.ts'
import { pointOf } from './matching.ts'
import type { Memory, State } from './memory.ts'
import type { ParsedText } from './parse.ts'
import { enter, type Next, offer, replyText, say, type TurnContext, withIntent } from './replies.ts'
import { type Conversation, type Facts, perform } from './turn-context.ts'
import type { IntentName } from './understanding/rules.ts'
import { SURE, type Understanding, understand } from './understanding/understand.ts'
import type { CustomerAction } from './vocabulary.ts'

/** Reads a message with what the conversation knows. */
export function meaningOf(text: string, { memory, facts }: { memory: Memory; facts: Facts }): Understanding {
  const { cart, catalogue } = facts
  return understand(text, catalogue, {
    state: memory.state,
    vendorId: memory.vendorId ?? cart.vendorId,
    productId: memory.state === 'quantity' ? memory.productId : null,
    cart: cart.items.map(({ productId, quantity }) => ({ productId, quantity })),
    lastOrder: [],
  })
}

const secret: ReadonlySet<State> = new Set(['phone', 'code'] as const)

/** The command behind an intent. */
const commands: Partial<Readonly<Record<IntentName, CustomerAction>>> = {
  yes: 'yes',
  no: 'no',
  checkout: 'checkout',
  cart: 'cart',
  track: 'orders',
  again: 'again',
  thanks: 'thanks',
  greeting: 'greeting',
  help: 'help',
  menu: 'menu',
  back: 'back',
  edit: 'edit',
  brands: 'vendors',
  changePlace: 'place',
  sameAddress: 'sameAddress',
  refuse: 'refuse',
  price: 'price',
  has: 'has',
  skip: 'skip',
  more: 'more',
}

/** The words of a message with the command that is meant. Notes for the driver stay as written. */
export function withCommand(input: ParsedText, { intent, confidence }: Understanding, state: State): ParsedText {
  const action = commands[intent]
  if (action === undefined || confidence < SURE || state === 'notes' || secret.has(state)) return input
  // `شيل` with one line in the cart is clear.
  if (intent === 'edit' && input.action !== null) return input
  return action === input.action ? input : { ...input, action, isAlone: true }
}

/** What interrupts a note for the driver, which may contain any words. */
const louderThanNotes: ReadonlySet<string> = new Set(['trouble', 'change', 'clear', 'undo', 'cancelOrder', 'optOut'])

/** More items than one message can change; each is a command of its own. */
const MAX_ITEMS = 10

/** Handles what is meant by whole messages in any state; `lost` leaves the words to the question asked. */
export function* handleMeaning(turn: TurnContext): Conversation<Next> {
  const { meaning, memory, cart } = turn
  const { intent, slots, confidence } = meaning
  if (secret.has(memory.state)) return 'lost'
  if (memory.state === 'notes' && !louderThanNotes.has(intent)) return 'lost'
  if (slots.items.length > MAX_ITEMS && ['order', 'change', 'again'].includes(intent)) {
    replyText(turn, say(turn, 'bot.lost'))
    return 'answered'
  }
  switch (intent) {
    case 'optOut':
      return yield* withIntent(turn, 'opt-out', optOut(turn))
    case 'trouble':
      return yield* withIntent(turn, 'trouble', reportTrouble(turn))
    case 'person':
    case 'callMe':
      return yield* withIntent(turn, 'person', callPerson(turn))
    case 'reschedule':
      return yield* withIntent(turn, 'reschedule', callPerson(turn))
    case 'cancelOrder':
      return yield* withIntent(turn, 'cancelOrder', stopOrCancel(turn))
    case 'clear':
      return yield* withIntent(turn, 'clear', clearAll(turn))
    case 'undo':
      return yield* withIntent(turn, 'undo', undoChange(turn))
    case 'shop':
      return yield* withIntent(turn, `shop-${slots.topics[0] ?? ''}`, answerTopic(turn))
    case 'change':
      return confidence < SURE || cart.items.length === 0 || memory.state === 'item'
        ? 'lost'
        : yield* withIntent(turn, 'change', changeCart(turn))
    case 'again':
      return slots.items.length === 0 ? 'lost' : yield* withIntent(turn, 'again', orderAgainWithChange(turn))
    case 'order':
      return slots.items.length === 0 || confidence < SURE ? 'lost' : yield* withIntent(turn, 'order', orderItems(turn))
    case 'place': {
      const [areaId, ...others] = slots.place?.areaIds ?? []
      const area = turn.facts.catalogue.areas.get(areaId ?? 0)
      if (!area || others.length > 0 || memory.state === 'name') return 'lost'
      return yield* withIntent(turn, 'place', takePoint(turn, pointOf(turn.facts.catalogue, area)))
    }
    case 'smallTalk':
      if (memory.state !== 'idle') return 'lost'
      offer(turn, say(turn, 'bot.smallTalk'), [['go:menu', say(turn, 'bot.menu.title')]])
      return 'answered'
    default:
      return 'lost'
  }
}

/** Stops advertising at once. Orders and their news go on. */
function* optOut(turn: TurnContext): Conversation<Next> {
  yield* perform({ do: 'opt-out' })
  replyText(turn, say(turn, 'bot.offers.stopped'))
  return 'answered'
}

/** The state of the last order, and a person, who sees it in the conversation. */
function* reportTrouble(turn: TurnContext): Conversation<Next> {
  yield* perform({ do: 'call-person', reason: 'asked' })
  turn.memory.misses = 0
  replyText(turn, say(turn, 'bot.trouble'))
  const { orders } = turn.person.account === null ? { orders: [] } : yield* perform({ do: 'orders' })
  if (orders.length > 0) return yield* showOrders(turn)
  enter(turn, 'idle')
  return 'answered'
}

/** While an order is being confirmed or its address asked for, the order is not placed; else a placed one is meant. */
function* stopOrCancel(turn: TurnContext): Conversation<Next> {
  const { state } = turn.memory
  if (state === 'cancel') return 'lost'
  const isOrdering = state === 'confirm' || state === 'address' || state === 'notes' || state === 'name'
  return isOrdering ? declineSummary(turn) : yield* askCancel(turn)
}
