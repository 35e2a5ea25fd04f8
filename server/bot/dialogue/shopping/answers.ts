import { addDays, FRIDAY, weekdayOf } from '@qatra/contract/calendar/calendar'
import { compareSlots, firstOpenSlot, slotWords } from '@qatra/contract/calendar/slot'
import { listIn, nameIn } from '@qatra/contract/lib/lang'
import { fromBhd, minimumLeft } from '@qatra/contract/lib/money'
import { fold, isolated } from '@qatra/contract/lib/text'
import { compareSizes, formatSize } from '@qatra/contract/products/sizes'
import { waterTexts } from '@qatra/contract/products/water'
import { type AnswerKey, isVendorTopic } from '@qatra/contract/whatsapp/bot'
import { translatorFor } from '../../../lib/translate.ts'
import type { CatalogueProduct } from '../../../products/snapshot.ts'
import { promisedSlotFor } from '../../../vendors/promised-dates.ts'
import { hasTrait, isIntent } from '../../intent-table.ts'
import { answerText } from '../../knowledge/facts.ts'
import { kindsOf, productsOf } from '../../understanding/products.ts'
import { isCheckingOut, remember } from '../memory.ts'
import { changeDay } from '../orders/order-changes.ts'
import { dateOf } from '../orders/order-edit.ts'
import { hasOpenOrder, readOrders, sendNewestReceipt, showOrders } from '../orders/orders.ts'
import { adoptDelivery } from '../places/addresses.ts'
import { chosenVendor, explainNotServed, namedVendor, serves, takePoint, takeSaidPlace } from '../places/place.ts'
import { areaOf, pointOf } from '../places/places.ts'
import {
  type Choice,
  type HandlerResult,
  type Next,
  offerBeside,
  replyText,
  say,
  type TurnContext,
} from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { itemName, packOf } from './cart-text.ts'
import { chooseDay, lateWords } from './delivery-day.ts'
import { productsAskedFor, productsOffered, sameSize, showPrices } from './prices.ts'
import { wantedOf } from './requested-items.ts'

const vendorOf = (turn: TurnContext) => namedVendor(turn) ?? chosenVendor(turn)

/** Says an answer; the open question goes on. */
function sayAnswer(turn: TurnContext, text: string, more: Choice = 'go:menu'): Next {
  if (!isCheckingOut(turn.memory.state))
    return offerBeside(turn, text, [turn.cart.items.length > 0 ? 'go:cart' : 'go:order', more])
  replyText(turn, text)
  return 'checkout'
}

const answerTo = ({ facts, memory }: TurnContext, topic: AnswerKey, vendor: ReturnType<typeof vendorOf>) =>
  answerText(facts.catalogue, topic, { lang: memory.language, now: facts.now, vendor })

/** Delivery fee, minimum order and delivery time of one vendor, or of each. */
function showTerms(turn: TurnContext, topic: AnswerKey): Next {
  adoptDelivery(turn)
  const vendor = vendorOf(turn)
  const area = areaOf(turn)
  if (vendor && area && !serves(vendor, area)) {
    explainNotServed(turn, vendor, area)
    return 'vendor'
  }
  // The list of brands has the terms of each.
  const answer = !vendor && area && topic !== 'deliveryTime' ? null : answerTo(turn, topic, vendor)
  if (answer === null) return 'vendor'
  const late = topic === 'deliveryTime' ? lateWords(turn, vendor) : null
  const hour = turn.meaning.slots.hasTime ? say(turn, 'bot.fee.hour') : null
  return sayAnswer(turn, [answer, late, hour].filter((line) => line !== null).join('\n'))
}

/** Delivery time of open orders, else of a new order. */
function* showDeliveryTime(turn: TurnContext): Conversation<Next> {
  return (yield* hasOpenOrder(turn)) ? yield* showOrders(turn) : showTerms(turn, 'deliveryTime')
}

/** `when does it come?`, of somebody without any order. */
export function* answerWhen(turn: TurnContext): Conversation<Next> {
  const isAsked = turn.meaning.slots.topics.includes('deliveryTime')
  return isAsked && (yield* readOrders(turn)).length === 0 ? showTerms(turn, 'deliveryTime') : 'lost'
}

/** A day, where a delivery is meant. */
export const showDayAsked = (turn: TurnContext): HandlerResult =>
  turn.meaning.slots.day === null ? 'lost' : isOfCart(turn) ? chooseDay(turn) : showDeliveryTime(turn)

/** `move it to Sunday`: of the cart, whose day is the first one, or of a placed order. */
export const reschedule = (turn: TurnContext): HandlerResult => (isOfCart(turn) ? chooseDay(turn) : changeDay(turn))

const isOfCart = ({ memory, cart }: TurnContext) => memory.state !== 'idle' && cart.items.length > 0

/** Questions to which a person can say more. */
const forPersons: ReadonlySet<AnswerKey> = new Set([
  ...(['offers', 'company', 'invoice', 'subscription', 'robot', 'contact', 'product', 'goods', 'door'] as const),
])

/** Folded words of questions about the water itself. */
const ofWater =
  /صوديوم|املاح|tds|sodium|salt|\bph\b|حموض|قلوي|alkalin|مصدر|منشا|source|mineral|معدن|تاريخ|انتاج|production|fresh/u

/** The facts of the product that is meant, or of the brand's products that have some. */
function waterAnswer(turn: TurnContext): string | null {
  const { meaning, facts, memory } = turn
  const vendor = vendorOf(turn)
  if (!vendor || !ofWater.test(fold(meaning.text))) return null
  const named = new Set(meaning.slots.items.flatMap(({ productId }) => productId ?? []))
  const words = { t: translatorFor(memory.language), lang: memory.language }
  const names = new Map<string, string[]>()
  for (const product of productsOf(facts.catalogue, vendor.id)) {
    if (named.size > 0 && !named.has(product.id)) continue
    const text = waterTexts(words, product)
      .map(({ label, text: value }) => `${label}: ${isolated(value)}`)
      .join('\n')
    if (text !== '') names.set(text, [...(names.get(text) ?? []), nameIn(memory.language, product)])
  }
  if (names.size === 0) return null
  return [...names]
    .slice(0, MOST_NAMED)
    .map(([text, products]) => `${[...new Set(products)].join(' / ')}\n${text}`)
    .join('\n\n')
}

/** Answers a question to the shop. */
export function* answerTopic(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, facts } = turn
  const { topics, place } = meaning.slots
  const [topic] = topics
  if (topic === undefined) return 'lost'
  if (topic !== 'areas') takeSaidPlace(turn)
  // A number after it is of the brand that was named last.
  const asked = sameSize(turn, namedVendor(turn))
  if (asked) remember(memory, { vendorId: asked.vendorId, productId: null, wanted: wantedOf(asked) })
  const isDaySaid = meaning.slots.day !== null && !meaning.slots.isQuestion
  if (isDaySaid && (topic === 'deliveryTime' || topic === 'days') && isOfCart(turn)) return chooseDay(turn)
  if (topic === 'deliveryTime') return yield* showDeliveryTime(turn)
  if (topic === 'invoice') {
    const next = yield* sendNewestReceipt(turn)
    if (next !== 'lost') return next
  }
  // The cart says what is left to it.
  const least = chosenVendor(turn)?.minDeliveryAmount ?? null
  const isShort = turn.cart.items.length > 0 && minimumLeft(fromBhd(turn.cart.subtotal), least) > 0
  if (topic === 'minimum' && isShort && memory.state === 'cart') return 'cart'
  if (isVendorTopic(topic)) return showTerms(turn, topic)
  const [areaId, ...others] = place?.areaIds ?? []
  const area = facts.catalogue.areas.get(areaId ?? 0)
  if (topic === 'areas' && area && others.length === 0) return takePoint(turn, pointOf(facts.catalogue, area), 'area')
  const text =
    (topic === 'product' ? waterAnswer(turn) : null) ?? answerTo(turn, topic, topic === 'days' ? vendorOf(turn) : null)
  return text === null ? 'lost' : sayAnswer(turn, text, forPersons.has(topic) ? 'go:person' : 'go:menu')
}

/** `how many in the carton?`, `what sizes do you have?` */
export function answerFromCatalogue(turn: TurnContext): Next {
  const { meaning, memory, cart, facts } = turn
  const { asks } = meaning.slots
  if (asks === null) return 'lost'
  const { language } = memory
  const named = namedVendor(turn)
  const vendor = named ?? chosenVendor(turn)
  const asked = productsAskedFor(turn, named)
  // Its price says how many a pack has.
  if (asks === 'count' && asked.length === 1) return showPrices(turn)
  const inCart = cart.items.flatMap(({ productId }) => facts.catalogue.products.get(productId) ?? [])
  const ofVendor = vendor ? productsOf(facts.catalogue, vendor.id) : productsOffered(turn)
  const isPack = (product: CatalogueProduct) =>
    product.unitsPerInventoryUnit > 1 && kindsOf(facts.catalogue, product).length === 0
  const [products = []] = [
    asked,
    asks === 'count' && !named ? inCart : [],
    asks === 'count' ? ofVendor.filter(isPack) : ofVendor,
  ].filter(({ length }) => length > 0)
  const bySize = Map.groupBy(
    [...products].sort((a, b) => compareSizes(a.size, b.size)),
    ({ size }) => formatSize(size, language),
  )
  if (asks === 'sizes') {
    const sizes = listIn(language, [...bySize.keys()])
    return sayAnswer(
      turn,
      say(turn, vendor ? 'bot.sizes.vendor' : 'bot.sizes', { sizes, vendor: vendor ? nameIn(language, vendor) : '' }),
    )
  }
  const packsIn = (some: readonly CatalogueProduct[]) =>
    listIn(language, [...new Set(some.map((one) => packOf(turn, one)).filter(Boolean))])
  const lines =
    products.length > MOST_NAMED
      ? [...bySize].map(([name, some]) => ({ name, terms: packsIn(some) }))
      : products.map((product) => ({ name: itemName(turn, product), terms: packsIn([product]) }))
  return sayAnswer(turn, lines.map((line) => say(turn, 'bot.price.line', line)).join('\n'))
}

/** More are named by their sizes. */
const MOST_NAMED = 4

/** Questions that are also answered beside an order. */
const beside: ReadonlySet<AnswerKey> = new Set(['deliveryTime', 'days', 'fees', 'minimum', 'payment', 'vat'] as const)
const isOrdering = (intent: string) => isIntent(intent) && (hasTrait(intent, 'items') || intent === 'checkout')

/** `3 Hayrat 500, and when do you deliver?`, `on Friday`: what is said before the reply to an order. */
export function answerBeside(turn: TurnContext): void {
  const { meaning, replies, intent } = turn
  const [topic] = meaning.slots.topics
  if (topic !== undefined && beside.has(topic) && isOrdering(meaning.intent) && isOrdering(intent)) {
    const text = answerTo(turn, topic, vendorOf(turn))
    if (text !== null) replies.unshift({ type: 'text', text })
  }
  const friday = fridayMeant(turn)
  if (friday === null) return
  const text = `${say(turn, 'bot.friday')} ${dayAfter(turn, friday)}`
  replies.unshift({ type: 'text', text })
}

/** A Friday that is named for a delivery. The day of a placed order is asked for with its own days. */
function fridayMeant({ meaning, facts, intent }: TurnContext): string | null {
  const { day, topics } = meaning.slots
  if (day === null || intent === 'unclear' || intent === 'reschedule') return null
  const isAsked = meaning.intent === 'shop' && (topics[0] === 'days' || topics[0] === 'deliveryTime')
  const date = dateOf(day, facts.now)
  return (isAsked || hasTrait(meaning.intent, 'ofDelivery')) && weekdayOf(date) === FRIDAY ? date : null
}

/** When is delivered instead. */
function dayAfter(turn: TurnContext, friday: string): string {
  const { catalogue, now } = turn.facts
  const { language } = turn.memory
  const vendor = vendorOf(turn)
  const promised = promisedSlotFor(catalogue, vendor, now)
  const closures = vendor?.closures ?? new Set<string>()
  const open = firstOpenSlot(addDays(friday, 1), { holidays: catalogue.holidays, closures })
  const difference = compareSlots(promised, open)
  const day = slotWords(difference > 0 ? promised : open, language, 'long')
  const isOrder = turn.meaning.intent === 'order' || turn.meaning.intent === 'again'
  return isOrder && difference < 0
    ? say(turn, 'bot.friday.order', { promised: slotWords(promised, language, 'long'), day })
    : say(turn, 'bot.friday.next', { day })
}
