import { clausesOf, takesBack } from './clauses.ts'
import type { Evidence } from './evidence.ts'
import { namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'

/** How many of what, or that they are wanted. */
const isOrdered = (part: readonly Tag[]): boolean =>
  part.some((tag) => tag.type === 'number' || is(tag, 'pack', 'gallon', 'twoPacks', 'twoGallons')) &&
  part.some((tag) => ['vendor', 'size', 'product'].includes(tag.type) || is(tag, 'want', 'bring', 'add'))

/** `do you have the 1.5? If not, 2 of the 500`: what is ordered is said apart from the question. */
export function isOrderedApart({ tags }: Evidence): boolean {
  const question = tags.findLastIndex(({ type }) => type === 'question')
  const verb = tags.findLastIndex((tag) => tag.isJoined && is(tag, 'want', 'bring', 'add'))
  const at = Math.max(question + 1, verb)
  return at > 0 && isOrdered(tags.slice(at))
}

/** Item requests without the refused ones. */
export const wanted = (e: Evidence) => e.requests.filter(({ change }) => change !== 'refuse')

const goods = [
  'arrive',
  'order',
  'ordered',
  'myOrder',
  'waterWord',
  'pack',
  'packs',
  'bottle',
  'bottles',
  'gallon',
  'gallons',
  'refund',
  'complain',
] as const

/** `شيلوا كل الغراش الفاضية`: bottles to collect, not lines of the cart. */
export const isOfEmpties = (e: Evidence) =>
  e.tags.some(({ text }) =>
    /فاضي|فارغ|فوارغ|fawar[ei]gh|fath[iy]|fa[9d]h?[iy]|empty (?:bottle|gallon)|the empty$|^empties$/.test(text),
  ) ||
  (e.any('bottle', 'bottles', 'gallon', 'gallons') && e.tags.some(({ text }) => text === 'empty'))

/** `ما في مشكلة`, `no problem` */
const isNoProblem = (e: Evidence) =>
  e.tags.some(
    (tag, i) =>
      is(tag, 'complain') &&
      /^(?:لا|ما|مو|مب|ما ?في|في|ماكو|بدون|no|not|any|ma ?fi|mako)$/.test(e.tags[i - 1]?.text ?? ''),
  )

/** Fewer came than were ordered. */
const isLack = (e: Evidence) =>
  (e.any('less') &&
    !e.hasCart &&
    !e.any('same', 'again', 'last') &&
    e.tags.some(({ text }) => /^(?:نقص|na)/.test(text))) ||
  (e.any('less') && e.any('arrive', 'ordered')) ||
  (e.has('arrive', 'only') && wanted(e).length > 0)

/** Complaints about goods that came, not about their coming. */
export const isOfGoods = (e: Evidence) => e.any('broken', 'missing', 'leak', 'taste') || isLack(e)

/** Something about a driver that is no question where one is. */
export const isOfDriver = (e: Evidence): boolean =>
  e.any('driver') &&
  !e.any('where', 'when', 'arrive', 'whether', 'noteWord') &&
  (e.any('not', 'numberWord', 'phoneWord', 'contact') || e.unknown > 0) &&
  e.state !== 'notes'

/** Words that are a complaint and nothing else. `طعم الليمون` is a flavour, `العنوان غلط` an address to change. */
export const isTrouble = (e: Evidence): boolean => {
  // `الجرس خربان` is a note for the driver.
  if (e.state === 'notes' && !e.any(...goods) && !e.denied('arrive')) return false
  const isFlavour = e.any('k:lemon', 'k:mint') && !e.any('arrive', 'myOrder')
  if (e.any('leak') || (e.any('complain') && !isNoProblem(e))) return true
  if (e.any('refund') && !e.any('deposit') && !saysSentAgain(e)) return true
  if (e.any('undo', 'back') && e.any('money')) return true
  if (isOfDriver(e) && e.any('not')) return true
  if (e.any('arrive') && e.tags.some(({ text }) => text === 'nothing')) return true
  if (e.any('taste') && !isFlavour) return true
  if (e.any('broken', 'missing')) return true
  // `الاسم غلط، اكتبيه سارة احمد`
  if (e.any('nameWord') && e.any('wrong') && !e.any(...goods)) return false
  if (
    e.only('wrong', 'no', 'nameWord', 'placeWord', 'yes', 'only') &&
    (e.any('nameWord') || ['confirm', 'cart', 'item'].includes(e.state))
  )
    return false
  // `wrong size, I want 330`: what was said, not what came.
  if (e.any('wrong') && e.hasCart && e.state !== 'idle' && e.requests.length > 0 && !e.any(...goods)) return false
  if (e.any('wrong') && !e.any('mistakeOfMine') && (!e.has('placeWord') || e.any('arrive', 'driver', 'deliver')))
    return true
  if (e.any('late') && !e.any('reschedule')) return true
  if (
    (e.denied('arrive') && e.any('not')) ||
    (e.denied('deliver') && e.any('not') && e.state !== 'notes' && !e.hasArea && !e.hasDay && !e.isQuestion)
  )
    return true
  if (e.any('stillNot') && e.any('arrive', 'myOrder', 'order', 'driver', 'where') && !e.denied('confirm', 'order'))
    return true
  if (e.any('arrive') && e.any('ordered', 'swap') && !e.any('when', 'want', 'bring')) return true
  return isLack(e)
}

/** `خلوا كرتون عند الباب`: where to leave the order. */
export const isOfDoor = (e: Evidence) =>
  e.any('handover') ||
  e.tags.some(({ text }) =>
    /باب|حارس|ناطور|مدخل|كراج|حوش|جيران|door|guard|watchman|security|reception|upstairs|downstairs|neighbou?r|gate|garage|entrance/.test(
      text,
    ),
  )

/** A note about the delivery: `لا ترسلون رسالة، اتصلوا`. A message is no advertising there. */
const isOfDelivery = (e: Evidence) =>
  e.state === 'notes' &&
  (e.unknown > 0 ||
    e.any('callMe', 'handover') ||
    !e.tags.some((tag) => is(tag, 'ads', 'offer') && !/^(?:رسال|مسج|messag|msg|text)/.test(tag.text)))

/** `وقفوا لو سمحت`, outside an order that the words can be about. */
const isBareStop = (e: Evidence) =>
  e.state === 'idle' &&
  !e.hasCart &&
  !e.isQuestion &&
  e.only('stop') &&
  e.tags.some(({ text }) => /^(?:stop|[اي]?وقف|ايقاف|توقف|wa[gq8]?i?f)/.test(text))

/** `stop the offers, where is my order?`: the question is another part. */
const beginsWithStop = ({ tags }: Evidence) =>
  is(
    tags.find(({ type }) => type !== 'filler'),
    'stop',
  ) && tags.some(({ type }, i) => i > 0 && type === 'separator')

/** `no msg`, `ولا رسالة`: none came, or none is wanted. */
const lacksMessage = ({ tags }: Evidence) =>
  tags.some((tag, i) => is(tag, 'ads') && /^(?:رسا|مسج|messag|msg|text)/.test(tag.text) && is(tags[i - 1], 'no', 'not'))

/** No more advertising, in any wording. */
export const optsOut = (e: Evidence): boolean => {
  if (isBareStop(e)) return true
  // `شيلوا رقمي القديم` asks for another number.
  if (e.tags.some(({ text }) => /^(?:ال)?قديم|^old$/.test(text))) return e.any('ads')
  if (e.any('unsubscribe') && !e.denied('unsubscribe')) return true
  const isAdvert = e.any('ads', 'offer') || e.denied('ads', 'offer')
  // `don't send the invoice`, `لا ترسلون السايق قبل العصر`
  if (isOfDelivery(e) || (!isAdvert && e.any('driver', 'invoice'))) return false
  // `when does the offer stop?`
  const isAsking = e.isQuestion && !e.any('ads') && !e.denied('ads') && !beginsWithStop(e)
  if (e.any('stop') && ((isAdvert && !isAsking) || e.any('send') || (e.any('subscription') && !e.isQuestion)))
    return true
  if (e.denied('send'))
    return (
      isAdvert ||
      (e.requests.length === 0 &&
        e.state !== 'address' &&
        !e.hasDay &&
        !e.any('order', 'myOrder', 'waterWord', 'deliver'))
    )
  if (isAdvert && e.denied('want', 'bring')) return e.any('ads') || e.denied('ads') || !wanted(e).some(namesProduct)
  if (e.any('send') && e.any('not') && e.denied('want') && e.requests.length === 0) return true
  if (
    e.denied('bring') &&
    e.requests.length === 0 &&
    e.state === 'idle' &&
    !e.hasCart &&
    e.tags.some(({ text }) => /send|رسل|طرش/.test(text))
  )
    return true
  // A complaint that nobody wrote.
  if (lacksMessage(e) && e.any('complain', 'arrive', 'late', 'wrong', 'myOrder', 'driver')) return false
  if (e.any('remove') && e.any('phoneWord')) return !e.any('otherWord', 'change')
  if (e.has('ads', 'only') && e.unknown === 0) return true
  if (e.has('cancel', 'subscription')) return !e.isQuestion
  if (e.any('ads') && e.any('no', 'not', 'done', 'without', 'remove', 'less', 'cancel', 'complain', 'nevermind'))
    return true
  return e.denied('ads')
}

/** `I want to see the offers again` asks for them once, and orders nothing. */
const seesOffers = (e: Evidence) =>
  e.any('offer') && e.tags.some(({ text }) => /شوف|(?:^| )(?:see|view|show|ashoo?f|ashuf)/.test(text))

const isOfOffers = (e: Evidence) =>
  e.any('ads') || e.tags.some((tag) => is(tag, 'offer') && /عروض|خصومات|3[ou]?ro|s$/.test(tag.text))

/** `ترسلون`, `you send`: what the shop does, not a request. */
const mentionsSending = ({ tags }: Evidence) =>
  tags.some((tag, i) => {
    if (!is(tag, 'send', 'bring')) return false
    if (/^(?:ت|t(?!ext)|sending)/.test(tag.text)) return true
    return /(?:^|\s)(?:you|u)$/.test(tags[i - 1]?.text ?? '')
  })

/** `رجعتوا ترسلون عروض` */
const saysSentAgain = (e: Evidence) => e.any('refund') && e.any('send') && isOfOffers(e)

/** `you send me offers again!`, `offers again?`: either a complaint about offers or a request for them. */
export const isOfOffersAgain = (e: Evidence): boolean =>
  isOfOffers(e) &&
  (e.any('anew') || saysSentAgain(e)) &&
  !e.any('want', 'resume', 'resubscribe', 'same', 'stop', 'unsubscribe') &&
  !e.denied('ads', 'offer', 'send', 'want', 'bring') &&
  !seesOffers(e) &&
  wanted(e).length === 0 &&
  (e.any('why', 'arrive') || e.only('offer', 'ads', 'anew', 'again') || mentionsSending(e))

/** Advertising again, in any wording. A single offer that is wanted again is an order. */
export const optsIn = (e: Evidence): boolean =>
  e.any('resubscribe') ||
  (e.tags.some((tag) => is(tag, 'offer') && /عروض|خصومات|3[ou]?ro|s$/.test(tag.text)) &&
    ((e.any('resume') && !e.isQuestion) || (e.any('anew') && e.any('want', 'send', 'bring'))) &&
    !e.denied('offer', 'send', 'want') &&
    !e.any('same', 'why') &&
    !seesOffers(e) &&
    e.requests.length === 0)

/** Where an order is. */
export function tracks(e: Evidence): boolean {
  if (
    e.any('where') &&
    (e.any('order', 'myOrder', 'driver', 'arrive') || (e.any('waterWord') && wanted(e).length === 0) || e.only('where'))
  )
    return true
  if (e.any('when') && (e.any('myOrder') || (e.any('arrive') && !e.any('deliver', 'want')))) return true
  if (e.any('status') && e.any('order', 'myOrder', 'deliver')) return true
  if (e.any('driver') && e.any('arrive', 'when')) return true
  if (e.any('howMany') && e.any('arrive') && e.requests.length === 0) return true
  if (e.any('driver') && e.isQuestion && !e.any('not')) return true
  if (e.any('numberWord') && e.any('myOrder') && !e.any('contact')) return true
  return e.only('myOrder', 'status', 'what') && e.any('myOrder')
}

/** The last order once more. */
export function repeats(e: Evidence): boolean {
  const isAgain = e.tags.some(
    ({ text, lexemes }) => lexemes.includes('again') && !/^(?:again|مره ثانيه|marra thanya)$/.test(text),
  )
  const isChange = e.requests.some(({ isExplicit }) => isExplicit)
  if (
    e.any('again') &&
    (isAgain || !isChange) &&
    !seesOffers(e) &&
    !e.any('where', 'deliver', 'not', 'no', 'send', 'stop') &&
    e.unknown < 3
  )
    return true
  if (e.any('same'))
    return (
      e.any('order', 'myOrder', 'last', 'time', 'ordered', 'yesterday') || e.only('same', 'want', 'yes', 'otherWord')
    )
  return e.has('last') && e.any('order', 'myOrder', 'time') && !e.any('where', 'status', 'cancel')
}

/** `كم الكرتون`, `جم القالون`, `كم هيرات 500`: a price, not a count. */
export function asksPriceByCount(e: Evidence): boolean {
  if (!e.any('howMany') || e.any('inCarton', 'deliver', 'total', 'cart', 'arrive')) return false
  const at = e.tags.findIndex(({ lexemes }) => lexemes.includes('howMany'))
  const next = e.tags[at + 1]
  const isCount =
    /^how|^hw/.test(e.tags[at]?.text ?? '') ||
    (next?.lexemes.some((one) => one === 'bottle' || one === 'bottles') ?? false)
  return !isCount && (next === undefined || next.type !== 'word')
}

/** `my kid is tired` names no water. */
export const isKindAlone = (e: Evidence) =>
  e.unknown > 0 &&
  !e.any('waterWord') &&
  wanted(e).every(
    ({ vendorId, productId, size, relative, quantity }) =>
      vendorId === null && productId === null && size === null && relative === null && quantity === null,
  )

/** `لا خلاص شيل السبورت، هونت`: of that product alone. */
export const removesNamed = (e: Evidence) => wanted(e).some((one) => one.change === 'remove' && namesProduct(one))

/** `نقص كرتون... لا خلها`: the last clause takes back what was said. */
export function endsInNevermind(e: Evidence): boolean {
  const { tags } = e
  if (removesNamed(e)) return false
  const isSaid = ({ type }: Tag) => type !== 'filler' && type !== 'separator'
  if (takesBack(tags)) return true
  const last = clausesOf(tags).corrections.at(-1)?.filter(isSaid) ?? []
  return (
    is(tags.findLast(isSaid), 'nevermind') || (last.length > 0 && last.every((tag) => is(tag, 'keepAt', 'not', 'no')))
  )
}
