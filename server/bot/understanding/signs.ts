import type { Evidence } from './evidence.ts'

/** Wishes without the refused ones. */
export const wanted = (e: Evidence) => e.wishes.filter(({ change }) => change !== 'refuse')

const isIf = (e: Evidence) => e.tags.some(({ text }) => /^(?:اذا|لو|if|law)$/.test(text))

/** Words of trouble that are nothing else. `طعم الليمون` is a flavour, `العنوان غلط` an address to change. */
export const isTrouble = (e: Evidence): boolean => {
  const isFlavour = e.any('k:lemon', 'k:mint') && !e.any('arrive', 'myOrder')
  if (e.any('leak', 'complain')) return true
  if (e.any('refund') && !e.any('deposit')) return true
  if (e.any('undo', 'back') && e.any('money')) return true
  if (
    e.any('driver') &&
    !e.any('where', 'when', 'arrive', 'whether', 'noteWord') &&
    (e.any('not') || e.unknown > 0) &&
    e.state !== 'notes'
  )
    return true
  if (e.any('arrive') && e.tags.some(({ text }) => text === 'nothing')) return true
  if (e.any('taste') && !isFlavour) return true
  if (e.any('broken', 'missing')) return true
  if (
    e.only('wrong', 'no', 'nameWord', 'placeWord', 'yes', 'only') &&
    (e.any('nameWord') || ['confirm', 'cart', 'item'].includes(e.state))
  )
    return false
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
  if (e.any('arrive') && e.any('ordered', 'swap') && !e.any('when') && !isIf(e)) return true
  const isLack =
    e.any('less') &&
    !e.hasCart &&
    !e.any('same', 'again', 'last') &&
    e.tags.some(({ text }) => /^(?:نقص|na)/.test(text))
  return isLack || (e.any('less') && e.any('arrive', 'ordered')) || (e.has('arrive', 'only') && wanted(e).length > 0)
}

/** No more advertising, in any wording. */
export const optsOut = (e: Evidence): boolean => {
  if (e.any('unsubscribe') && !e.denied('unsubscribe')) return true
  const isAdvert = e.any('ads', 'offer') || e.denied('ads', 'offer')
  if (e.any('stop') && (isAdvert || e.any('send') || (e.any('subscription') && !e.isQuestion))) return true
  if (e.denied('send'))
    return isAdvert || (e.wishes.length === 0 && !e.hasDay && !e.any('order', 'myOrder', 'waterWord', 'deliver'))
  if (isAdvert && e.denied('want', 'bring')) return true
  if (e.any('send') && e.any('not') && e.denied('want') && e.wishes.length === 0) return true
  if (
    e.denied('bring') &&
    e.wishes.length === 0 &&
    e.state === 'idle' &&
    !e.hasCart &&
    e.tags.some(({ text }) => /send|رسل|طرش/.test(text))
  )
    return true
  if (e.any('remove') && e.any('phoneWord')) return true
  if (e.has('ads', 'only') && e.unknown === 0) return true
  if (e.has('cancel', 'subscription')) return !e.isQuestion
  if (e.any('ads') && e.any('no', 'not', 'done', 'without', 'remove', 'less', 'cancel', 'complain', 'nevermind'))
    return true
  return e.denied('ads')
}

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
  if (e.any('howMany') && e.any('arrive') && e.wishes.length === 0) return true
  if (e.any('driver') && e.isQuestion && !e.any('not')) return true
  if (e.any('numberWord') && e.any('myOrder') && !e.any('contact')) return true
  return e.only('myOrder', 'status', 'what') && e.any('myOrder')
}

/** The last order once more. */
export function repeats(e: Evidence): boolean {
  const isAgain = e.tags.some(
    ({ text, lexemes }) => lexemes.includes('again') && !/^(?:again|مره ثانيه|marra thanya)$/.test(text),
  )
  const isChange = e.wishes.some(({ isExplicit }) => isExplicit)
  if (
    e.any('again') &&
    (isAgain || !isChange) &&
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
