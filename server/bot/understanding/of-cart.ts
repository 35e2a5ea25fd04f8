import type { State } from '../dialogue/memory.ts'
import { isDenied, keepsNamed } from './changes.ts'
import { isCorrection, takesBack } from './clauses.ts'
import { emptyRequest, type ItemRequest, namesProduct } from './item-request.ts'
import { isOnly } from './items.ts'
import type { Shop } from './names.ts'
import { type Known, productsFor } from './products.ts'
import { is, type Tag } from './tags.ts'

interface Context {
  known: Known
  shop: Shop
}

const settling: ReadonlySet<State> = new Set(['cart', 'confirm', 'item'])

/** `ابيها 5`, `لا ابي 5`, `just 2, not 4` after the cart was shown: the number is the quantity of its only line. */
export function ofCart(
  requests: readonly ItemRequest[],
  tags: readonly Tag[],
  { known, shop }: Context,
): readonly ItemRequest[] {
  const [only, ...others] = requests
  const [line, ...moreLines] = known.cart
  // `ضبلها`, `half of that`: of the only line, before anything else.
  const factor = tags.some((tag) => is(tag, 'double')) ? 2 : tags.some((tag) => is(tag, 'halve')) ? 0.5 : 1
  if (line && moreLines.length === 0 && factor !== 1)
    return [{ ...emptyRequest('set', true), quantity: line.quantity * factor }, ...requests]
  // `double both`, `half of everything`
  if (factor !== 1 && requests.length === 0 && tags.some((tag) => is(tag, 'each', 'all')))
    return known.cart.map(({ productId, quantity }) => ({
      ...emptyRequest('set', true),
      productId,
      quantity: quantity * factor,
    }))
  // `كرتونين وثلاث`, `two or three`: which?
  const isEither = requests.length > 1 && known.state === 'quantity' && !requests.some(namesProduct)
  if (only && isEither && requests.every(({ change, isExplicit }) => change === 'add' && !isExplicit))
    return [{ ...only, quantity: null, unit: null }]
  if (takesBack(tags)) return []
  // `make it 6`, where nothing is to be changed yet: the answer.
  const isAnswer =
    known.state === 'quantity' && known.productId !== null && !line && !tags.some((tag) => is(tag, 'again'))
  if (only?.quantity && isAnswer && others.length === 0 && !namesProduct(only) && /^(?:add|set)$/.test(only.change))
    return [{ ...only, change: 'add', isExplicit: false }]
  if (line && keepsNamed(requests, tags)) return requests.map((one) => ({ ...one, change: 'keep', isExplicit: true }))
  const leaving = line ? leavingBeside(requests, tags, { known, shop }) : null
  if (leaving) return leaving
  // `the other way round`, of two lines
  if (!only && moreLines.length === 1 && tags.some((tag) => is(tag, 'reverse')))
    return known.cart.map(({ productId }, i) => ({
      ...emptyRequest('set', true),
      productId,
      quantity: known.cart[1 - i]?.quantity ?? null,
    }))
  const ofLines = known.cart.length > 1 ? ofSeveralLines(requests, tags, known) : null
  if (ofLines) return ofLines
  const isMeant =
    only && others.length === 0 && only.change !== 'remove' && only.quantity === null && namesProduct(only)
  const hasOne = line !== undefined && moreLines.length === 0
  // `sorry, I meant the 600`, `no, 330`: in the place of the only line.
  const isCorrected = tags.some(
    (tag, i) => is(tag, 'correction', 'mistakeOfMine', 'wrong') || (i === 0 && isCorrection(tags, i)),
  )
  const [refused, meant] = only?.change === 'refuse' ? requests : requests.toReversed()
  // `not 500, 330`
  const isOther =
    requests.length === 2 && refused?.change === 'refuse' && meant?.change === 'add' && meant.quantity === null
  if (hasOne && isOther && settling.has(known.state) && namesProduct(refused) && namesProduct(meant))
    return [
      { ...refused, change: 'remove', isExplicit: true, swap: 'from' },
      { ...meant, isExplicit: true, swap: 'to' },
    ]
  if (hasOne && isMeant && isCorrected)
    return [
      { ...emptyRequest('remove', true), swap: 'from' },
      { ...only, change: 'add', isExplicit: true, swap: 'to' },
    ]
  const isOfTurn = line === undefined || tags.some(({ text }) => text === '\n')
  if (isOfTurn && requests.length > 1) return withoutChanges(requests, line !== undefined)
  const hasLine = known.state === 'item' || (known.state === 'cart' && (hasOne || tags.some(isOfThat)))
  const isTakenOut = !only && hasLine && isOut(tags)
  // `شيل`, `remove it`, `no, don't add it`: the line that is open, the only one, or the one that was added last.
  if (isTakenOut && tags.every((tag) => tag.type === 'filler' || is(tag, ...outWords)))
    return [emptyRequest('remove', true)]
  if (!only || others.length > 0 || only.isExplicit || only.quantity === null || namesProduct(only)) return requests
  const isOfIt = tags.some((tag) => is(tag, 'want') && /(?:ها|ه|هم|eeha|eeh|ihom)$/.test(tag.text))
  // A number among words that mean nothing changes nothing.
  const isSettled =
    settling.has(known.state) &&
    tags.filter(({ type }) => type === 'word').length < 2 &&
    tags.some(
      (tag, i) =>
        is(tag, 'want', 'wait', 'change') ||
        isOnly(tag) ||
        isCorrection(tags, i) ||
        (tag.type === 'number' && isDenied(tags, i)),
    )
  const isSet = known.cart.length > 0 && known.productId === null && (isOfIt || isSettled)
  return isSet ? [{ ...only, change: 'set', isExplicit: true }] : requests
}

const ofLine = ['filler', 'separator', 'size', 'product', 'vendor']

/**
 * `remove the 500, only the 200 I need`, `شيل ٥٠٠ وخل ٢٠٠`: what goes, where what stays is a line of the cart named beside
 * it. `only the 200`, of several lines: that one stays. Null if it is not said so.
 */
function leavingBeside(
  requests: readonly ItemRequest[],
  tags: readonly Tag[],
  { known, shop }: Context,
): readonly ItemRequest[] | null {
  const isOfLine = (request: ItemRequest) =>
    namesProduct(request) &&
    request.quantity === null &&
    request.swap === null &&
    productsFor(shop, { ...request, change: 'set' }, known, false).length > 0
  if (requests.length === 0 || !requests.every(isOfLine)) return null
  const gone = requests.filter(({ change }) => change === 'remove' || change === 'refuse')
  const isKept =
    requests.length === 1 &&
    known.cart.length > 1 &&
    tags.some(isOnly) &&
    tags.every(
      (tag) => ofLine.includes(tag.type) || isOnly(tag) || is(tag, 'want', 'small', 'large', 'gallon', 'gallons'),
    )
  if (gone.length === requests.length || (gone.length === 0 && !isKept)) return null
  return gone.length === 0
    ? requests.map((one) => ({ ...one, change: 'keep', isExplicit: true }))
    : gone.map((one) => ({ ...one, change: 'remove', isExplicit: true }))
}

/** What is said of several lines of the cart, which adds nothing. */
function ofSeveralLines(
  requests: readonly ItemRequest[],
  tags: readonly Tag[],
  { state }: Known,
): readonly ItemRequest[] | null {
  const [only, ...others] = requests
  if (!only || requests.some(({ quantity }) => quantity === null)) return null
  // `make everything 3`, `everything to 3`
  const isOfAll = others.length === 0 && (only.change === 'set' || !only.isExplicit) && !namesProduct(only)
  if (isOfAll && tags.some((tag) => is(tag, 'all', 'each'))) return [{ ...only, change: 'set', isExplicit: true }]
  // `the other way round! 4 of the small one and 2 of the large`
  const isReversed = tags.some((tag) => is(tag, 'reverse')) && requests.every(namesProduct)
  const isCorrected =
    settling.has(state) && isCorrection(tags, 0) && requests.every(({ relative }) => relative !== null)
  const isOfLines =
    (isReversed || isCorrected) && requests.every(({ change, isExplicit }) => change === 'add' && !isExplicit)
  return isOfLines ? requests.map((request) => ({ ...request, change: 'set' as const, isExplicit: true })) : null
}

const outWords = ['remove', 'add', 'nevermind', 'want', 'no', 'not', 'wait', 'thanks'] as const
const isOfThat = (tag: Tag) =>
  /(?:^| )(?:it|them|that)$/.test(tag.text) || (is(tag, 'remove', 'add') && /(?:ه|ها|هم|ha)$/.test(tag.text))
/** A word of taking out, or one of adding that is denied. */
const isOut = (tags: readonly Tag[]) =>
  tags.some((tag, i) => is(tag, 'remove') || (is(tag, 'add') && isDenied(tags, i)))

/** `2 gallons … make it 4`, `… cancel the gallons`: the change is one of a request before it, which is not in the cart yet. */
function withoutChanges(requests: readonly ItemRequest[], hasCart: boolean): readonly ItemRequest[] {
  const [from, to] = ['from', 'to'].map((side) => requests.find(({ swap }) => swap === side))
  // `Ghaima … half litre … 3 … no, Hayrat instead of Ghaima`
  if (from && to && !hasCart && namesProduct(from) && requests.some((one) => one.swap === null && isPartOf(from, one)))
    return requests.flatMap((one) => {
      if (one.swap !== null) return []
      const isLeft = (one.vendorId ?? from.vendorId) !== from.vendorId || !isPartOf(from, one)
      return isLeft ? one : { ...one, vendorId: to.vendorId ?? one.vendorId, size: to.size ?? one.size }
    })
  if (from || to) return requests
  const kept: ItemRequest[] = []
  for (const request of requests) {
    const { change, quantity, isExplicit } = request
    const last = kept.findLast((one) => one.quantity !== null && one.change === 'add')
    const isOfLast = isExplicit && quantity !== null && !namesProduct(request)
    const isOut = change === 'remove' || change === 'refuse'
    const taken = isOut ? kept.findLast((one) => one.change === 'add' && isSameItem(request, one)) : undefined
    if (last && isOfLast && change === 'set') last.quantity = quantity
    else if (last && isOfLast && change === 'add' && !hasCart) last.quantity = (last.quantity ?? 0) + quantity
    else if (last && isOfLast && change === 'less' && !hasCart)
      last.quantity = Math.max(0, (last.quantity ?? 0) - quantity)
    else if (taken) kept.splice(kept.indexOf(taken), 1)
    // `make it 200 ml`
    else if (last && change === 'set' && quantity === null && request.size !== null && !hasCart)
      last.size = request.size
    else kept.push({ ...request })
  }
  return kept
}

/** Whether what is taken out is the item that was requested before. */
const isSameItem = (out: ItemRequest, item: ItemRequest) =>
  namesProduct(out) &&
  (out.vendorId ?? item.vendorId) === item.vendorId &&
  (out.size ?? item.size) === item.size &&
  out.kinds.every((kind) => item.kinds.includes(kind))

/** Whether all that the first says is said by the second. */
const isPartOf = (part: ItemRequest, whole: ItemRequest) =>
  (part.vendorId === null || part.vendorId === whole.vendorId) && (part.size === null || part.size === whole.size)
