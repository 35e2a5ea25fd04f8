import { createHash } from 'node:crypto'
import { fromBhd } from '@qatra/contract/lib/money'
import { areaList } from '../../areas/bahrain/area-list.ts'
import { isState } from '../dialogue/memory.ts'
import inContext from '../examples/in-context.json' with { type: 'json' }
import orders from '../examples/orders.json' with { type: 'json' }
import shopQuestions from '../examples/shop.json' with { type: 'json' }
import talk from '../examples/talk.json' with { type: 'json' }
import trouble from '../examples/trouble.json' with { type: 'json' }
import { Classifier, type Example, type Likely, type Model } from './classifier.ts'
import { namesProduct } from './item-request.ts'
import model from './model.json' with { type: 'json' }
import type { Shop } from './names.ts'
import type { Known } from './products.ts'
import { type Found, foundIn, tagsIn } from './reading.ts'
import type { Tag } from './tags.ts'

/** Names of one kind are one word: what is said of a brand is said of each. */
const masks: Partial<Readonly<Record<Tag['type'], string>>> = {
  vendor: '#brand',
  product: '#brand',
  area: '#place',
  landmark: '#place',
  number: '#number',
  size: '#size',
  address: '#address',
  time: '#time',
  money: '#money',
  phone: '#phone',
  question: '?',
}

const SHORTEST = 3
const LONGEST = 5
/** Longer words say no more. */
const MOST_LETTERS = 12
const MOST_TAGS = 40

/** What the words speak for, the question that is open, and which details of an order are said. */
function contextOf({ evidence, said: intents, topics, number, name, address, place }: Found): string[] {
  const { state, requests, isQuestion, unknown, hasCart } = evidence
  const said = [...[...intents].filter((intent) => intent !== 'shop'), ...topics]
  return [
    `state ${state}`,
    `cart ${hasCart}`,
    `question ${isQuestion}`,
    `unknown ${Math.min(unknown, 4)}`,
    ...said.map((one) => `said ${one}`),
    ...said.map((one) => `said ${state} ${one}`),
    ...said.flatMap((one, i) => said.slice(i + 1).map((other) => `both ${[one, other].sort().join(' ')}`)),
    `requests ${Math.min(requests.length, 3)}`,
    ...requests.map(
      (request) =>
        `request ${request.change} ${request.isExplicit} ${namesProduct(request)} ${request.quantity !== null} ${request.unit !== null}`,
    ),
    ...(number === null ? [] : ['number']),
    ...(name === null ? [] : ['name']),
    ...(place === null ? [] : ['place']),
    `address ${Object.keys(address?.parts ?? {}).length}`,
  ]
}

/** Words and their neighbours, the meanings of known words, and the letters of all. */
export function featuresOf(found: Found): string[] {
  const { tags } = found
  const said = tags.filter(({ type }) => type !== 'separator').slice(0, MOST_TAGS)
  const words = said.map(({ type, text }) => masks[type] ?? text)
  const meanings = said.map((tag, i) => tag.lexemes[0] ?? words[i] ?? '')
  return [
    ...words.map((word) => `w ${word}`),
    ...words.slice(1).map((word, i) => `b ${words[i]} ${word}`),
    ...said.flatMap(({ lexemes }) => lexemes.map((lexeme) => `m ${lexeme}`)),
    ...meanings.slice(1).map((meaning, i) => `n ${meanings[i]} ${meaning}`),
    ...meanings.flatMap((one, i) => meanings.slice(i + 2, i + 6).map((other) => `s ${[one, other].sort().join(' ')}`)),
    ...said.flatMap(({ type, text }) => (masks[type] === undefined ? lettersOf(text) : [])),
    ...contextOf(found),
  ]
}

function lettersOf(text: string): string[] {
  const word = ` ${text.slice(0, MOST_LETTERS)} `
  const parts: string[] = []
  for (let length = SHORTEST; length <= LONGEST; length += 1)
    for (let at = 0; at + length <= word.length; at += 1) parts.push(`c ${word.slice(at, at + length)}`)
  return parts
}

/** The brands that the examples name. */
const brands = [
  ['Hayrat', 'هيرات'],
  ['Ghaima', 'غيمة'],
] as const

/** Where the examples are spoken: two brands, and Bahrain's areas. */
function exampleShop(): Shop {
  const nothing = { logoUrl: null, description: null, descriptionAr: null, whatsappLink: null, contactNumber: null }
  const terms = { deliveryFee: fromBhd(0), minDeliveryAmount: fromBhd(0), tint: null, emblem: null, cutOff: null }
  const none = { areaIds: new Set<number>(), closures: new Set<string>() }
  return {
    vendors: new Map(
      brands.map(([name, nameAr], i) => [
        i + 1,
        { id: i + 1, name, nameAr, isActive: true, ...nothing, ...terms, ...none },
      ]),
    ),
    products: new Map(),
    areas: new Map(
      areaList.map(({ areaId, name, nameAr, centre: [lng, lat] }, i) => {
        const geometry = { type: 'Polygon' as const, coordinates: [] }
        return [i + 1, { id: i + 1, areaId, name, nameAr, geometry, centre: { lat, lng } }]
      }),
    ),
    blocks: new Map(),
  }
}

const idle: Known = { state: 'idle', vendorId: null, productId: null, cart: [], lastOrder: [] }

type Labelled = Readonly<Record<string, readonly string[]>>

/** What is wanted, by the texts of the examples. */
function examples(): Example[] {
  const shop = exampleShop()
  const of = (texts: Labelled, known: Known): Example[] =>
    Object.entries(texts).flatMap(([label, all]) =>
      all.map((text) => ({ features: featuresOf(foundIn(tagsIn(text, shop), { text, shop, known })), label })),
    )
  const answers = Object.entries<Labelled>(inContext).flatMap(([context, texts]) => of(texts, contextIn(context)))
  return [...[orders, shopQuestions, talk, trouble].flatMap((file) => of(file, idle)), ...answers]
}

/** `confirm 1`: the state and the lines of the cart; `asked`: the quantity of a product is asked for. */
function contextIn(context: string): Known {
  const [state, lines = '0', asked] = context.split(' ')
  const cart = Array.from({ length: Number(lines) }, (_, i) => ({ productId: i + 1, quantity: 4 }))
  const isAsked = asked !== undefined
  return {
    state: isState(state) ? state : 'idle',
    vendorId: cart.length > 0 || isAsked ? 1 : null,
    productId: isAsked ? 1 : null,
    cart,
    lastOrder: [],
  }
}

/** What `node server/bot/understanding/learn.ts` stores. */
export function learnModel(): Model & { examples: string } {
  const all = examples()
  const model = Classifier.learn(all, Classifier.temperatureFor(all)).toModel()
  return { ...model, examples: digestOf(all) }
}

/** Changes with the examples, and with the words and rules that they are read by. */
const digestOf = (all: readonly Example[]) => createHash('sha256').update(JSON.stringify(all)).digest('base64')

/** Whether model.json was learnt from these examples. */
export const isModelCurrent = (): boolean => model.examples === digestOf(examples())

let classifier: Classifier | undefined

/** What a text means by the examples, the most likely first. */
export function likelyMeanings(found: Found): Likely[] {
  classifier ??= Classifier.of(model)
  return classifier.likely(featuresOf(found))
}
