import { sizeKey, volumeOf } from '@qatra/contract/products/sizes'
import type { CatalogueProduct } from '../../products/snapshot.ts'
import type { State } from '../dialogue/memory.ts'
import { type ItemRequest, namesProduct } from './item-request.ts'
import type { Shop } from './names.ts'
import { tokenize } from './normalize.ts'
import type { Lexeme } from './vocabulary.ts'
import { lexemesByPhrase } from './vocabulary.ts'

/** A line of the cart or of the last order. */
export interface Line {
  productId: number
  quantity: number
}

/** What a conversation already knows; context for the words, never a filter. */
export interface KnownOrder {
  vendorId: number | null
  /** The product that a quantity was asked for. */
  productId: number | null
  cart: readonly Line[]
  lastOrder: readonly Line[]
}

/** What the conversation knows, with its state. */
export interface Known extends KnownOrder {
  state: State
}

/** With a bottle that stays with the customer, or for which no empty one is given. */
const newBottle = 'k:newBottle'

const cache = new WeakMap<object, ReadonlyMap<number, readonly Lexeme[]>>()

/** Kinds of water by product, read from the names in both languages; of a bottle from its terms, where the product has some. */
function kindsByProduct(shop: Shop): ReadonlyMap<number, readonly Lexeme[]> {
  const made = cache.get(shop.products)
  if (made) return made
  const kinds = new Map(
    [...shop.products.values()].map(({ id, name, nameAr, bottle }) => {
      const named = [name, nameAr ?? ''].flatMap(kindsIn)
      const others = bottle ? named.filter((kind) => kind !== newBottle) : named
      const kinds: readonly Lexeme[] = bottle?.terms === 'sold' ? [...others, newBottle] : others
      return [id, kinds] as const
    }),
  )
  cache.set(shop.products, kinds)
  return kinds
}

export const kindsOf = (shop: Shop, { id }: CatalogueProduct): readonly Lexeme[] => kindsByProduct(shop).get(id) ?? []

/** Kinds by name; names of a new snapshot are mostly those of the last one. */
const kindsByName = new Map<string, readonly Lexeme[]>()
const MOST_NAMES = 10_000

function kindsIn(name: string): readonly Lexeme[] {
  const known = kindsByName.get(name)
  if (known) return known
  if (kindsByName.size > MOST_NAMES) kindsByName.clear()
  const kinds = readKinds(name)
  kindsByName.set(name, kinds)
  return kinds
}

function readKinds(name: string): Lexeme[] {
  const tokens = tokenize(name, (word) => lexemesByPhrase.has(word))
  return tokens.flatMap(({ forms }, i) =>
    [1, 2, 3, 4].flatMap((length) => {
      const tail = tokens.slice(i + 1, i + length).map(({ text }) => ` ${text}`)
      return forms
        .flatMap((form) => lexemesByPhrase.get(form + tail.join('')) ?? [])
        .filter((one) => one.startsWith('k:'))
    }),
  )
}

const gallonSize = sizeKey('5 gallon')
const volume = ({ size }: CatalogueProduct) => volumeOf(size) ?? 0

/** `small` and `large` by what is offered; gallons are large only where no carton is meant. */
function withSize(
  offered: readonly CatalogueProduct[],
  { size, relative, unit }: ItemRequest,
): readonly CatalogueProduct[] {
  if (size !== null && relative === null) return offered.filter((product) => sizeKey(product.size) === size)
  if (relative === null) return offered
  if (size === gallonSize) return offered.filter((product) => sizeKey(product.size) === size)
  const cartons = offered.filter((product) => sizeKey(product.size) !== gallonSize)
  const sizes = cartons.map(volume)
  const wanted = relative === 'small' ? Math.min(...sizes) : Math.max(...sizes)
  const fitting = cartons.filter((product) => volume(product) === wanted)
  return relative === 'large' && unit === null
    ? [...fitting, ...offered.filter((product) => sizeKey(product.size) === gallonSize)]
    : fitting
}

function fitting(shop: Shop, offered: readonly CatalogueProduct[], request: ItemRequest): readonly CatalogueProduct[] {
  const kinds = kindsByProduct(shop)
  const ofKind = (product: CatalogueProduct, kind: Lexeme) => kinds.get(product.id)?.includes(kind) ?? false
  const otherKinds = request.kinds.filter((kind) => kind !== newBottle)
  const named = offered.filter(
    (product) =>
      (request.productId === null || product.id === request.productId) &&
      (request.vendorId === null || product.vendorId === request.vendorId) &&
      (request.unit !== 'pack' || request.size === gallonSize || sizeKey(product.size) !== gallonSize) &&
      otherKinds.every((kind) => ofKind(product, kind)),
  )
  // A vendor that sells no bottle lends a new one: the product in exchange, without an empty bottle for it.
  const isNew = otherKinds.length < request.kinds.length
  const sold = isNew ? named.filter((product) => ofKind(product, newBottle)) : []
  const sellers = new Set(sold.map(({ vendorId }) => vendorId))
  const lent = ({ bottle, vendorId }: CatalogueProduct) => bottle?.terms === 'exchange' && !sellers.has(vendorId)
  const sized = withSize(isNew ? [...sold, ...named.filter(lent)] : named, request)
  if (otherKinds.length > 0 || (!isNew && request.size === null && request.relative === null)) return sized
  const plain = sized.filter((product) => (kinds.get(product.id) ?? []).every((kind) => isNew && kind === newBottle))
  return plain.length > 0 ? plain : sized
}

/** Active products that fit a request. */
export const offeredFor = (shop: Shop, request: ItemRequest): readonly CatalogueProduct[] =>
  fitting(
    shop,
    [...shop.products.values()].filter(({ isActive }) => isActive),
    request,
  )

export const productsOf = (shop: Pick<Shop, 'products'>, vendorId: number): CatalogueProduct[] =>
  [...shop.products.values()].filter((product) => product.vendorId === vendorId && product.isActive)

/** Products that a requested item can mean; one if it is clear. Changes mean lines of the cart (or of the last order). */
export function productsFor(shop: Shop, request: ItemRequest, known: KnownOrder, isOfLast: boolean): readonly number[] {
  const lines = isOfLast ? known.lastOrder : known.cart
  const inCart = lines.flatMap(({ productId }) => shop.products.get(productId) ?? [])
  if (request.change !== 'add') return fitting(shop, inCart, request).map(({ id }) => id)
  if (!namesProduct(request)) {
    if (known.productId !== null && !request.isExplicit) return [known.productId]
    return request.isExplicit ? inCart.map(({ id }) => id) : []
  }
  const vendorId = request.vendorId ?? known.vendorId ?? inCart[0]?.vendorId ?? null
  if (vendorId === null) return request.productId === null ? [] : [request.productId]
  const offered = offeredFor(shop, { ...request, vendorId: request.productId === null ? vendorId : null })
  // `زيد غالون`: the one already in the cart.
  const alreadyInCart = request.isExplicit
    ? offered.filter(({ id }) => inCart.some((product) => product.id === id))
    : []
  return (offered.length > 1 && alreadyInCart.length === 1 ? alreadyInCart : offered).map(({ id }) => id)
}
