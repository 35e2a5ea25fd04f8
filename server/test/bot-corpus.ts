import { readdirSync, readFileSync } from 'node:fs'
import { sizeKey } from '@qatra/contract/products/sizes'
import type { State } from '../bot/dialogue/memory.ts'
import { type Known, SURE, type Understanding, understand } from '../bot/understanding/understand.ts'
import { demoCatalogue } from './bot-world.ts'

/**
 * A sentence as a customer writes it, with what is expected: `intent | items | @areas | block n | day d | name n |
 * address part=value …`. Intents separated by `~` are all right. A product is `hayrat/500` or `hayrat/lemon-330`; with
 * `?` the sentence leaves it open. Items count for orders and changes only.
 */
export interface Sentence {
  group: string
  text: string
  expect: string
  state: State
  /** `4 hayrat/500; 2 hayrat/200` */
  cart: string
  /** The product whose quantity was asked for. */
  asked: string
  /** The last order. */
  last: string
}

export const shop = demoCatalogue()

/** `hayrat/500`, `sidra/lowSodium-330`, `fayd/gallon`, `fayd/newBottle-gallon`. */
const slugs = new Map([...shop.products.values()].map((product) => [product.id, slugOf(product.id)]))
const ids = new Map([...slugs].map(([id, slug]) => [slug, id]))

function slugOf(id: number): string {
  const product = shop.products.get(id)
  const vendor = product && shop.vendors.get(product.vendorId)
  if (!product || !vendor) return ''
  const kind = ['alkaline', 'sparkling', 'lemon', 'mint', 'kids', 'sport', 'glass'].find((one) =>
    product.name.includes(one),
  )
  const special =
    kind ?? (product.name.includes('low sodium') ? 'lowSodium' : product.name.includes('new') ? 'newBottle' : null)
  return `${vendor.name.toLowerCase()}/${special === null ? '' : `${special}-`}${shortSize(product.size)}`
}

function shortSize(size: string): string {
  const key = sizeKey(size)
  if (key === sizeKey('5 gallon')) return 'gallon'
  const volume = Number(key.replace('ml', ''))
  return volume >= 1000 ? String(volume / 1000) : String(volume)
}

const linesIn = (text: string) =>
  text === ''
    ? []
    : text.split(';').map((line) => {
        const [quantity = '', slug = ''] = line.trim().split(' ')
        const productId = ids.get(slug)
        if (productId === undefined) throw new Error(`No product is called ${slug}`)
        return { productId, quantity: Number(quantity) }
      })

export function knownOf({ state, cart, asked, last }: Sentence): Known {
  const productId = asked === '' ? null : (ids.get(asked) ?? null)
  const vendorId = productId === null ? null : (shop.products.get(productId)?.vendorId ?? null)
  return { state, vendorId, productId, cart: linesIn(cart), lastOrder: linesIn(last) }
}

/** All sentences of the corpus. */
export function sentences(): Sentence[] {
  const folder = new URL('../bot/corpus/', import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap(
      (file) =>
        readFileSync(new URL(file, folder), 'utf8')
          .trim()
          .split('\n')
          .map(
            (line) =>
              ({
                group: file.replace('.jsonl', ''),
                state: 'idle',
                cart: '',
                asked: '',
                last: '',
                ...JSON.parse(line),
              }) as Sentence,
          ), // our own data
    )
}

/** Half of the sentences, by a hash of the text, only count; their failures are not looked at. */
export function halfOf({ text }: Sentence): 'tune' | 'count' {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return ((hash >>> 15) ^ hash) & 1 ? 'count' : 'tune'
}

const acting = new Set(['order', 'change', 'again', 'refuse'])

/** What was understood, in the notation of the corpus. */
export function noted(meaning: Understanding): string {
  const { slots, intent } = meaning
  const items = slots.items.map(({ change, quantity, productIds, vendorId, size }) => {
    const [only, ...others] = productIds
    const open = `${[shop.vendors.get(vendorId ?? 0)?.name.toLowerCase(), size ? shortSize(size) : null].filter(Boolean).join('/')}?`
    const product = only !== undefined && others.length === 0 ? slugs.get(only) : open
    return [change, quantity, product].filter((part) => part !== null).join(' ')
  })
  const { place, address, day, name } = slots
  const parts = [intent === 'shop' ? `shop/${slots.topics[0] ?? ''}` : intent]
  if (acting.has(intent) && items.length > 0) parts.push(items.join(', '))
  if (place && ['order', 'place', 'address'].includes(intent)) {
    const codes = place.areaIds.map((id) => shop.areas.get(id)?.areaId)
    parts.push(codes.length > 0 ? `@${codes.join('+')}` : place.block === null ? '@landmark' : `block ${place.block}`)
  }
  if (day !== null && ['order', 'reschedule'].includes(intent)) parts.push(`day ${day}`)
  if (name !== null && intent === 'name') parts.push(`name ${name}`)
  if (address && ['order', 'address'].includes(intent))
    parts.push(
      `address ${Object.entries(address.parts)
        .map(([part, value]) => `${part}=${value}`)
        .join(' ')}`,
    )
  return parts.join(' | ')
}

/** Intents that change the cart, an order, the name, the address or the subscription without a further question. */
const effects = new Set([
  'order',
  'change',
  'again',
  'clear',
  'undo',
  'yes',
  'name',
  'address',
  'optOut',
  'optIn',
  'notes',
  'number',
])

/** Whether the sentence would be carried out as it is: complete and sure. */
export function acts({ intent, slots, confidence, alternative }: Understanding, state: State): boolean {
  // A yes to no question opens the summary at most.
  if (intent === 'yes' && !['confirm', 'cancel', 'switch'].includes(state)) return false
  if (!effects.has(intent) || confidence < SURE || alternative !== null) return false
  if (intent !== 'order' && intent !== 'change') return true
  return slots.items.some(
    ({ productIds, quantity, change }) =>
      productIds.length === 1 && (quantity !== null || change === 'remove') && change !== 'refuse',
  )
}

export interface Outcome {
  sentence: Sentence
  found: string
  isRight: boolean
  /** Wrong, and carried out without a question. */
  isHarmful: boolean
}

const expectedNotes = (expect: string): string[] => {
  const [intents = '', ...rest] = expect.split(' | ')
  return intents.split('~').map((intent) => [intent, ...rest].join(' | '))
}
/** `order | add 3 ghaima?` is also right for `shop/days` where the rest does not count for that intent. */
const withoutRest = (note: string) => note.split(' | ')[0] ?? ''

export function judge(sentence: Sentence): Outcome {
  const meaning = understand(sentence.text, shop, knownOf(sentence))
  const found = noted(meaning)
  const isRight = expectedNotes(sentence.expect).some(
    (note) =>
      note === found ||
      (!acting.has(withoutRest(note)) &&
        !note.includes(' | name') &&
        found === withoutRest(note) &&
        sentence.expect.includes('~')),
  )
  return { sentence, found, isRight, isHarmful: !isRight && acts(meaning, sentence.state) }
}
