import { type Draft, fresh, type ItemRequest, namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'

/** `بدل X ب Y`, `replace X with Y`, `change X to Y`; `Y instead of X`, `Y بدل X`. */
export function swapped(requests: Draft[], swapAt: number | null, tags: readonly Tag[]): Draft[] {
  const [single, ...more] = requests
  if (single && more.length === 0 && namesProduct(single) && tags.some((tag) => is(tag, 'swap', 'change', 'keepAt'))) {
    // `بدلها موجة`, `change it to 330`: the only line of the cart. `بدل هيرات` says what goes, not what comes.
    if (tags.some((tag, i) => isOfCart(tag, tags[i + 1])) && (swapAt !== null || single.quantity === null))
      return [
        { ...fresh('remove', true), swap: 'from' },
        { ...single, change: 'add', isExplicit: true, swap: 'to' },
      ]
    return swapAt === null ? requests : [{ ...single, change: 'refuse', isExplicit: false, swap: 'from' }]
  }
  const isChanged =
    swapAt === null &&
    requests.length === 2 &&
    tags.some((tag) => is(tag, 'change')) &&
    requests.every(({ change }) => change === 'add' || change === 'set')
  if (swapAt === null && !isChanged) return requests
  const at = swapAt ?? 0
  const [from, to] = at > 0 ? [requests[at], requests[at - 1]] : [requests[0], requests[1]]
  if (!from || !to) return requests
  const rest = requests.filter((request) => request !== from && request !== to)
  if (!namesProduct(to) && to.unit !== 'gallon') {
    // `خلها 4 بدل 3`: a number takes the place of a number.
    return [...rest, { ...from, change: 'set', isExplicit: true, quantity: to.quantity ?? from.quantity }]
  }
  if (isChanged && !namesProduct(from)) return requests
  const exchanged = namesProduct(from)
    ? { ...from, change: 'remove' as const, isExplicit: true, swap: 'from' as const }
    : null
  const taken = {
    ...to,
    change: 'add' as const,
    isExplicit: true,
    swap: 'to' as const,
    quantity: to.quantity ?? from.quantity,
  }
  return [...rest, ...(exchanged ? [{ ...exchanged, quantity: from.quantity }] : []), taken]
}

/** `بدلها`, `change it to`, `switch to`, `instead`. */
const isOfCart = (tag: Tag, next: Tag | undefined) =>
  is(tag, 'swap', 'change', 'keepAt') &&
  (/(?:ها|[^ي]ه|هم|it|them|that|to|ha)$/.test(tag.text) ||
    (tag.text === 'instead' && next === undefined) ||
    /^(?:to|الي|ل)$/.test(next?.text ?? ''))

/** A brand named once counts for the other requests of the message, except the two sides of an exchange. */
export function inherited(requests: Draft[]): ItemRequest[] {
  const isOfCart = ({ change }: Draft) => change === 'remove' || change === 'less' || change === 'refuse'
  const [first] = requests.filter((request) => request.vendorId !== null && !isOfCart(request))
  let last: number | null = null
  return requests.map(({ isSingular: _, ...request }) => {
    if (request.swap !== null || isOfCart({ ...request, isSingular: false })) return request
    const vendorId =
      request.vendorId ??
      (request.productId === null && namesProduct(request) ? (last ?? first?.vendorId ?? null) : null)
    last = vendorId ?? last
    return { ...request, vendorId }
  })
}
