import { sizeKey } from '@qatra/contract/products/sizes'
import type { CatalogueProduct } from '../../products/snapshot.ts'
import type { Evidence } from './evidence.ts'
import { emptyRequest, type ItemRequest, namesProduct } from './item-request.ts'
import type { Shop } from './names.ts'
import { type KnownOrder, kindsOf, type Line, offeredFor, productsFor } from './products.ts'

/** A requested item with the products that it can mean; exactly one if it is clear. */
export interface Item extends ItemRequest {
  productIds: readonly number[]
}

interface Context {
  shop: Shop
  known: KnownOrder
  /** The lines are those of the last order. */
  isOfLast: boolean
  evidence: Evidence
}

/** Item requests with their products. */
export function resolved(asked: readonly ItemRequest[], context: Context): Item[] {
  const requests = ofLastExchanged(asked, context)
  if (requests.some(({ change }) => change === 'keep')) return allBut(requests, context)
  const { evidence, shop } = context
  const to = requests.find(({ swap }) => swap === 'to')
  const isAll = evidence.any('all', 'each', 'packs', 'gallons', 'bottles')
  const leaving = to ? leavingFor(requests, context) : []
  const whole = to && leaving.length > 1 ? exchangedWhole(to, leaving, context) : null
  if (whole) return whole
  const [only, ...more] = leaving
  const product = more.length > 0 ? undefined : shop.products.get(only?.productId ?? 0)
  return requests.flatMap((request) => {
    const item = request === to && product ? exchanged(request, product, context) : withProducts(request, context)
    const isMore = (item.change === 'add' || item.change === 'less') && !namesProduct(item) && evidence.any('each')
    const isOfEach = item.productIds.length > 1 && (item.change === 'remove' || item.change === 'set' ? isAll : isMore)
    return isOfEach ? item.productIds.map((id) => ({ ...item, productIds: [id] })) : [item]
  })
}

/** `the same but Ghaima`, `the same but 330`: in the place of what was ordered. */
function ofLastExchanged(requests: readonly ItemRequest[], { shop, known, isOfLast }: Context): readonly ItemRequest[] {
  const [only, ...others] = requests
  if (!isOfLast || !only || others.length > 0 || only.isExplicit || only.change !== 'add' || only.quantity !== null)
    return requests
  if (!namesProduct(only) || productsFor(shop, { ...only, change: 'set' }, known, true).length > 0) return requests
  return [
    { ...emptyRequest('remove', true), swap: 'from' },
    { ...only, isExplicit: true, swap: 'to' },
  ]
}

const linesOf = ({ known, isOfLast }: Context) => (isOfLast ? known.lastOrder : known.cart)

function withProducts(request: ItemRequest, { shop, known, isOfLast, evidence }: Context): Item {
  const full =
    isOfLast && !request.isExplicit && request.change === 'add' ? { ...request, change: 'set' as const } : request
  const ofCart = productsFor(shop, full, known, isOfLast)
  // `خل ٢ ٥٠٠ و ٢ ٣٣٠`: what is not in the cart yet is added.
  const isNew =
    !evidence.any('reverse') &&
    full.change === 'set' &&
    ofCart.length === 0 &&
    namesProduct(full) &&
    full.quantity !== null &&
    known.cart.length > 0
  const taken = isNew ? { ...full, change: 'add' as const } : full
  const productIds = isNew ? productsFor(shop, taken, known, isOfLast) : ofCart
  const only = productIds.length === 1 ? shop.products.get(productIds[0] ?? 0) : undefined
  return { ...taken, vendorId: taken.vendorId ?? only?.vendorId ?? null, productIds }
}

/** The lines that an exchange takes out. */
function leavingFor(requests: readonly ItemRequest[], context: Context): readonly Line[] {
  const { shop, known, isOfLast } = context
  const from = requests.find(({ swap }) => swap === 'from')
  const ids = from ? productsFor(shop, from, known, isOfLast) : []
  return linesOf(context).filter(({ productId }) => ids.includes(productId))
}

const isBare = ({ size, relative, kinds }: ItemRequest) => size === null && relative === null && kinds.length === 0

/** What is like a product, of exactly these kinds and this size. */
function alike({ shop }: Context, product: CatalogueProduct, request: ItemRequest): CatalogueProduct[] {
  const kinds = request.kinds.length > 0 ? request.kinds : kindsOf(shop, product)
  const size = request.size ?? (request.relative === null ? sizeKey(product.size) : null)
  const vendorId = request.vendorId ?? product.vendorId
  return offeredFor(shop, { ...request, vendorId, size, kinds: [...new Set(kinds)], unit: null }).filter(
    (one) => new Set([...kindsOf(shop, one), ...kinds]).size === new Set(kinds).size,
  )
}

/**
 * The other side of an exchange takes the size and the kind of the first: `بدل هيرات بغيمة`. Another kind or size is only
 * taken if it is said, else the customer is asked.
 */
function exchanged(to: ItemRequest, product: CatalogueProduct, context: Context): Item {
  const found = alike(context, product, to)
  const vendorId = to.vendorId ?? product.vendorId
  const kinds = to.kinds.length > 0 ? to.kinds : [...new Set(kindsOf(context.shop, product))]
  const size = to.size ?? (isBare(to) ? sizeKey(product.size) : null)
  return { ...to, vendorId, kinds, size, productIds: found.map(({ id }) => id) }
}

/** Another brand for the whole cart: every line by the one that is alike. Null if not all have one. */
function exchangedWhole(to: ItemRequest, leaving: readonly Line[], context: Context): Item[] | null {
  const { shop } = context
  if (!isBare(to) || to.vendorId === null || leaving.length < linesOf(context).length) return null
  const pairs = leaving.map((line) => {
    const product = shop.products.get(line.productId)
    const item = product ? exchanged(to, product, context) : null
    return item && { ...item, quantity: line.quantity }
  })
  const items = pairs.flatMap((item) => (item && item.productIds.length === 1 ? [item] : []))
  if (items.length < leaving.length) return null
  return [...leaving.map((line) => removal(line, 'from')), ...items]
}

const removal = ({ productId }: Line, swap: ItemRequest['swap']): Item => ({
  ...emptyRequest('remove', true),
  productId,
  swap,
  productIds: [productId],
})

/** `keep Hayrat only`, `شيل كل شي الا ٢٠٠`: the lines that are not named leave. */
function allBut(requests: readonly ItemRequest[], context: Context): Item[] {
  const { shop, known, isOfLast } = context
  const kept = requests.flatMap((request) => productsFor(shop, request, known, isOfLast))
  if (kept.length === 0) return requests.map((request) => ({ ...request, productIds: [] }))
  return linesOf(context)
    .filter(({ productId }) => !kept.includes(productId))
    .map((line) => removal(line, null))
}
