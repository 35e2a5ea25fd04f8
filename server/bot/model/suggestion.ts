import { sizeKey } from '@qatra/contract/products/sizes'
import { type ShopTopic, shopTopics } from '@qatra/contract/whatsapp/bot'
import * as z from 'zod/mini'
import { type IntentName, intentsOfCost, intentTable, isIntent } from '../intent-table.ts'
import { emptyRequest } from '../understanding/item-request.ts'
import type { Shop } from '../understanding/names.ts'
import type { Item } from '../understanding/resolving.ts'
import type { Day } from '../understanding/slots.ts'
import type { Understanding } from '../understanding/understand.ts'

/** Each is a command of its own. */
export const MOST_ITEMS = 10
const MOST_OF_ONE = 100
export const changes = ['add', 'set', 'remove'] as const
/** From Sunday, as the reading counts them. */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const nearDays = ['today', 'tomorrow', 'afterTomorrow'] as const
export const days = [...nearDays, ...weekdays] as const

/** What only words of the customer can say: the model gets none of them. */
const ownWords: ReadonlySet<IntentName> = new Set(['unknown', 'address', 'notes', 'language'] as const)

/** What can be suggested: what is only answered, or has a name by which the customer is asked. */
export const suggestedIntents: readonly IntentName[] = intentsOfCost('word', 'step', 'time', 'deed').filter(
  (intent) => !ownWords.has(intent) && (intentTable[intent].cost === 'word' || intentTable[intent].title !== undefined),
)

const shape = z.object({
  intent: z.string(),
  items: z
    .array(
      z.object({
        productId: z.int(),
        quantity: z.nullable(z.int().check(z.gte(1), z.lte(MOST_OF_ONE))),
        change: z.enum(changes),
      }),
    )
    .check(z.maxLength(MOST_ITEMS)),
  areaId: z.nullable(z.int()),
  day: z.nullable(z.enum(days)),
  topic: z.nullable(z.enum(shopTopics)),
})

/** What a model reads in a message: ids of the catalogue, and nothing in words. */
export interface Suggestion extends Omit<z.output<typeof shape>, 'intent'> {
  intent: IntentName
}

function suggestionIn(value: unknown): Suggestion | null {
  const { data } = shape.safeParse(value)
  const intent = data?.intent
  return data && isIntent(intent) && suggestedIntents.includes(intent) ? { ...data, intent } : null
}

/** The suggestion in an answer of the model, or as stored; null unless the shop sells and serves all that its ids name. */
export function readSuggestion(value: unknown, shop: Shop): Suggestion | null {
  const suggestion = suggestionIn(value)
  return suggestion && isOfShop(suggestion, shop) ? suggestion : null
}

function isOfShop({ intent, items, areaId, topic }: Suggestion, { products, vendors, areas }: Shop): boolean {
  const isSold = ({ productId }: Suggestion['items'][number]) => {
    const product = products.get(productId)
    return product !== undefined && product.isActive && vendors.get(product.vendorId)?.isActive === true
  }
  if (!items.every(isSold) || new Set(items.map(({ productId }) => productId)).size < items.length) return false
  if (areaId !== null && !areas.has(areaId)) return false
  if (intent === 'shop' && topic === null) return false
  return !(intent === 'change' && items.length === 0) && !(intent === 'place' && areaId === null)
}

const dayOf = (day: (typeof days)[number]): Day =>
  nearDays.find((one) => one === day) ?? weekdays.findIndex((one) => one === day)

/** The reading of the message with the meaning that was suggested for it. */
export function suggestedMeaning(meaning: Understanding, suggestion: Suggestion, shop: Shop): Understanding {
  const { intent, areaId, day, topic } = suggestion
  const items = suggestion.items.flatMap(({ productId, quantity, change }): Item[] => {
    const product = shop.products.get(productId)
    if (!product) return []
    const size = sizeKey(product.size)
    const request = {
      ...emptyRequest(change, intent === 'change'),
      vendorId: product.vendorId,
      productId,
      size,
      quantity,
    }
    return [{ ...request, productIds: [productId] }]
  })
  const topics: readonly ShopTopic[] = topic === null ? [] : [topic]
  return {
    ...meaning,
    intent,
    intents: [intent],
    alternative: null,
    secondIntent: null,
    likeliest: null,
    probability: 1,
    certainty: 'act',
    isExplained: true,
    guesses: [],
    slots: {
      ...meaning.slots,
      items,
      topics,
      place: areaId === null ? null : { areaIds: [areaId], landmark: null, block: null },
      day: day === null ? null : dayOf(day),
      address: null,
      name: null,
      note: null,
      number: null,
      asks: null,
      rows: [],
      unknown: '',
      isInstead: false,
      isCorrection: false,
    },
  }
}
