import { type Draft, fresh, type ItemRequest, namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'

/** In the place of what was taken out. */
export const inPlace = /^(?:مكان|بدال|بدل)(?:ه|ها|هم)$|^(?:ba?da|mekan|makan)l?(?:ha|hom|hum|eh)$/

/** `بدل X ب Y`, `replace X with Y`, `change X to Y`; `Y instead of X`, `Y بدل X`. */
export function swapped(requests: Draft[], swapAt: number | null, tags: readonly Tag[]): Draft[] {
  const [single, ...more] = requests
  const isInPlace = tags.some(({ text }) => inPlace.test(text))
  if (single && more.length === 0 && namesProduct(single) && tags.some((tag) => is(tag, 'swap', 'change', 'keepAt'))) {
    // `بدلها موجة`, `change it to 330`: the only line of the cart. `بدل هيرات` says what goes, not what comes.
    if (
      tags.some((tag, i) =>
        isOfCart(tag, tags[i + 1]?.type === 'filler' ? (tags[i + 2] ?? tags[i + 1]) : tags[i + 1]),
      ) &&
      (swapAt !== null || single.quantity === null || isInPlace)
    )
      return [
        { ...fresh('remove', true), swap: 'from' },
        { ...single, change: 'add', isExplicit: true, swap: 'to' },
      ]
    return swapAt === null ? requests : [{ ...single, change: 'refuse', isExplicit: false, swap: 'from' }]
  }
  // `شيل هيرات وحط غيمة مكانها`
  const [gone, came, ...others] = requests
  if (
    isInPlace &&
    others.length === 0 &&
    gone?.change === 'remove' &&
    came?.change === 'add' &&
    namesProduct(gone) &&
    namesProduct(came)
  )
    return [
      { ...gone, swap: 'from' },
      { ...came, isExplicit: true, swap: 'to' },
    ]
  const refused = requests.find(({ change }) => change === 'refuse')
  const meant = requests.find((request) => request !== refused)
  const isCorrected = tags.some((tag) => is(tag, 'correction', 'mistakeOfMine'))
  // `remove the 200. Not the 200, I meant the 500`: corrected already.
  const isOfOther = meant !== undefined && ['remove', 'less', 'set'].includes(meant.change)
  if (swapAt === null && refused && isOfOther && requests.length === 2 && isCorrected) return [meant]
  // `not Hayrat, I meant Qamra`
  if (swapAt === null && refused && meant && requests.length === 2 && isCorrected && namesProduct(meant))
    return [
      { ...refused, change: 'remove', isExplicit: true, swap: 'from' },
      { ...meant, change: 'add', isExplicit: true, swap: 'to' },
    ]
  const isChanged =
    swapAt === null &&
    requests.length === 2 &&
    tags.some((tag) => is(tag, 'change')) &&
    requests.every(({ change }) => change === 'add' || change === 'set') &&
    !requests.every(({ change, quantity }) => change === 'set' && quantity !== null)
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
  // `make the Hayrat 6 instead of 4`
  if (!namesProduct(from) && from.quantity !== null && from.unit === null && to.quantity !== null)
    return [...rest, { ...to, change: 'set', isExplicit: true }]
  const exchanged =
    namesProduct(from) || (from.unit !== null && from.quantity !== null)
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
  (/(?:ها|[^ي]ه|هم|it|them|that|to|ha|hom|hum)$/.test(tag.text) ||
    (tag.text === 'instead' && next === undefined) ||
    is(next, 'sizeWord') ||
    /^(?:to|it|that|them|with|by|الي|ل)$/.test(next?.text ?? ''))

/** A brand named once counts for the other requests of the message, except the two sides of an exchange. */
export function inherited(requests: Draft[], tags: readonly Tag[]): ItemRequest[] {
  const isOfCart = ({ change }: Draft) => change === 'remove' || change === 'less' || change === 'refuse'
  const [first] = requests.filter((request) => request.vendorId !== null && !isOfCart(request))
  let last: number | null = null
  return shared(partsOf(requests), tags).map(({ isSingular: _, ...request }) => {
    if (request.swap !== null || isOfCart({ ...request, isSingular: false })) return request
    const vendorId =
      request.vendorId ??
      (request.productId === null && namesProduct(request) ? (last ?? first?.vendorId ?? null) : null)
    last = vendorId ?? last
    return { ...request, vendorId }
  })
}

/** `2 each of Hayrat 330 and 500`: the only quantity counts for all of them. */
function shared(requests: readonly Draft[], tags: readonly Tag[]): readonly Draft[] {
  const [only, ...others] = new Set(requests.flatMap(({ quantity }) => quantity ?? []))
  if (only === undefined || others.length > 0 || !tags.some((tag) => is(tag, 'each'))) return requests
  // `make each of them 3`: of the cart.
  if (requests.every((request) => request.change === 'set' && !namesProduct(request))) return requests
  const named = requests.filter(namesProduct)
  return named.length === 0 ? requests : named.map((request) => ({ ...request, quantity: only }))
}

/** `كرتونين هيرات، واحد ٥٠٠ وواحد ٣٣٠`: the parts of the quantity before them. */
function partsOf(requests: readonly Draft[]): readonly Draft[] {
  const [whole, ...parts] = requests
  if (whole === undefined || parts.length < 2 || whole.kinds.length > 0) return requests
  const { vendorId, unit, size, quantity } = whole
  const counted = parts.reduce((sum, part) => sum + (part.quantity ?? Number.NaN), 0)
  const isOpen = (part: Draft) => part.vendorId === null && part.unit === null && !part.isExplicit
  if (counted !== quantity || !parts.every(isOpen) || !parts.some(namesProduct)) return requests
  return parts.map((part) => ({ ...part, vendorId, unit, size: part.size ?? size }))
}
