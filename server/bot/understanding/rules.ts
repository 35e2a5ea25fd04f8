import type { IntentName } from '../intent-table.ts'
import {
  asksPriceByCount,
  endsInNevermind,
  isKindAlone,
  isOfDoor,
  isOfDriver,
  isOfEmpties,
  isOfOffersAgain,
  isOrderedApart,
  isTrouble,
  optsIn,
  optsOut,
  removesNamed,
  repeats,
  tracks,
  wanted,
} from './conditions.ts'
import { type Evidence, isTakenBack, politeness } from './evidence.ts'
import { type ItemRequest, namesProduct } from './item-request.ts'
import { is } from './tags.ts'

type Rule = readonly [intent: IntentName, when: (e: Evidence) => boolean]

const isFull = (request: ItemRequest) => namesProduct(request) && request.quantity !== null && request.change === 'add'
const isAsked = (e: Evidence) => ['confirm', 'cancel', 'switch', 'cart', 'name'].includes(e.state)
/** `صح؟` asks, and `send the order` is no yes to its cancelling. */
const isAgreement = (e: Evidence) =>
  e.any('yes', 'confirm') &&
  e.only(...politeness) &&
  !e.tags.some(({ type }) => type === 'question') &&
  !(e.state === 'cancel' && e.any('confirm', 'order', 'myOrder'))
/** `ok done boss, cash ready`: the first words say it. */
const beginsWithDone = (e: Evidence) =>
  e.state === 'cart' &&
  !e.isQuestion &&
  e.unknown < 4 &&
  is(
    e.tags.find((tag) => tag.type !== 'filler' && !is(tag, 'yes')),
    'done',
  )
/** A price is asked instead of an order; the fee of a delivery also after it: `2 Hayrat 500, and how much is delivery`. */
function asksPrice(e: Evidence): boolean {
  const at = e.tags.findIndex((tag) => is(tag, 'howMuch'))
  const last = e.tags.findLastIndex(
    (tag) =>
      ['number', 'size', 'vendor'].includes(tag.type) || is(tag, 'pack', 'packs', 'twoPacks', 'gallon', 'gallons'),
  )
  const between = e.tags.slice(last + 1, at + 1)
  const isAfter = last >= 0 && between.some(({ type, isJoined }) => isJoined || type === 'separator')
  return e.any('howMuch') && !(e.any('fee', 'deliver') && isAfter)
}
const hasLeastWords = (e: Evidence) => e.unknown <= 1
/** `عندي قلنين فاضيين`: what the customer has, not what is wanted. */
const isOwn = (e: Evidence) =>
  (e.any('deposit') && (e.any('howMuch', 'howMany', 'what') || e.tags.some(({ type }) => type === 'question'))) ||
  ((e.any('mine') || (e.any('deposit') && !e.requests.some(({ vendorId }) => vendorId !== null))) &&
    !e.any('want', 'bring'))
const isPast = (e: Evidence) => e.any('ordered', 'yesterday', 'why')

/** Which words speak for an intent. How much they do, beside each other, is learnt from the examples. */
export const rules: readonly Rule[] = [
  ['optOut', optsOut],
  ['optOut', isOfOffersAgain],
  ['optIn', (e) => optsIn(e) || isOfOffersAgain(e)],
  ['trouble', isTrouble],
  ['person', (e) => e.any('person') && !e.any('offer') && (!e.any('robot') || e.any('not'))],
  // `ابي اشتغل عندكم سايق`: about a driver, and no complaint.
  ['person', (e) => isOfDriver(e) && !e.any('not')],
  ['callMe', (e) => e.any('callMe')],
  [
    'cancelOrder',
    (e) =>
      e.any('cancel') && !wanted(e).some(namesProduct) && !e.any('policy') && !(e.isQuestion && e.any('how', 'when')),
  ],
  ['change', (e) => e.any('cancel') && wanted(e).some(namesProduct)],
  ['no', (e) => e.denied('cancel')],
  [
    'no',
    (e) => e.denied('change', 'remove', 'less', 'keepAt') && e.requests.every((request) => !namesProduct(request)),
  ],
  ['undo', (e) => e.any('undo')],
  [
    'clear',
    (e) =>
      !isOfEmpties(e) &&
      ((e.any('empty') && e.any('cart', 'all')) ||
        (e.any('remove', 'less') &&
          e.any('all', 'cart') &&
          !wanted(e).some((request) => namesProduct(request) || request.unit !== null || request.quantity !== null))),
  ],
  ['track', tracks],
  [
    'reschedule',
    (e) =>
      e.any('reschedule') ||
      ((e.any('keepAt', 'change') || e.any('deliver')) &&
        e.hasDay &&
        e.any('keepAt', 'change') &&
        !wanted(e).some(({ quantity }) => quantity !== null)),
  ],
  ['notes', (e) => e.any('handover')],
  [
    'sameAddress',
    (e) =>
      (e.any('same') || (e.any('last') && e.any('placeWord'))) &&
      e.any('placeWord', 'building') &&
      !e.any('change', 'otherWord'),
  ],
  ['again', repeats],
  [
    'change',
    (e) =>
      wanted(e).some(({ isExplicit, change }) => isExplicit && (change !== 'add' || e.requests.length > 0)) &&
      !(e.state === 'notes' && isOfDoor(e)) &&
      !isOfEmpties(e) &&
      ((!asksPrice(e) && !e.any('have')) || isOrderedApart(e)) &&
      !e.any('why') &&
      !repeats(e),
  ],
  [
    'order',
    (e) =>
      wanted(e).some(isFull) &&
      (!e.any('have') || e.any('want') || isOrderedApart(e)) &&
      (isOrderedApart(e) ||
        !(asksPrice(e) || e.any('howMany', 'weekly', 'monthly')) ||
        wanted(e).filter(isFull).length > 1) &&
      !isOwn(e) &&
      !isPast(e) &&
      // `10 cartons, last price?`
      !(e.any('offer') && e.tags.some(({ type }) => type === 'question')) &&
      e.unknown < 5,
  ],
  [
    'price',
    (e) =>
      e.any('howMuch') &&
      !e.any('deliver', 'fee', 'payWord', 'deposit', 'company', 'subscription', 'minimum', 'total') &&
      // `بدون عروض، كم سعر الكرتون؟`
      (!e.any('offer') || e.any('without', 'not', 'no')),
  ],
  ['price', asksPriceByCount],
  ['has', (e) => e.any('have') && (wanted(e).length > 0 || e.any('waterWord', 'accessory', 'brands'))],
  ['has', (e) => e.any('accessory')],
  ['has', (e) => e.any('have') && e.unknown > 0 && e.unknown < 3],
  ['has', (e) => e.isQuestion && wanted(e).some(namesProduct)],
  [
    'order',
    (e) =>
      !isOwn(e) &&
      wanted(e).some((request) => request.quantity !== null && (request.unit !== null || namesProduct(request))) &&
      !isPast(e) &&
      !e.any('howMany', 'howMuch'),
  ],
  ['order', (e) => wanted(e).some(namesProduct) && e.any('want', 'bring', 'order') && !isPast(e) && !isOwn(e)],
  [
    'order',
    (e) =>
      !e.isQuestion &&
      wanted(e).length > 0 &&
      e.requests.some(namesProduct) &&
      !isPast(e) &&
      e.unknown < 3 &&
      !isKindAlone(e),
  ],
  ['order', (e) => e.any('waterWord') && e.any('want', 'bring', 'order') && !isPast(e)],
  ['order', (e) => e.any('order') && !e.any('remove', 'less') && e.unknown < 3 && !isPast(e)],
  [
    'order',
    (e) =>
      e.any('waterWord', 'want') &&
      e.only('waterWord', 'want', 'bring', 'greeting', 'order', 'pack', 'packs', 'gallon', 'fromPlace', 'building'),
  ],
  [
    'refuse',
    (e) =>
      (e.any('nevermind') && !removesNamed(e)) ||
      (e.denied('want', 'order', 'confirm', 'add', 'bring', 'done', 'deliver') &&
        wanted(e).every((request) => !isFull(request)) &&
        !(e.denied('deliver') && e.hasArea)),
  ],
  // `نقص كرتون... لا خلها مثل ما هي`: the last word counts.
  ['refuse', endsInNevermind],
  ['changePlace', (e) => e.any('placeWord') && e.any('change', 'otherWord', 'wrong', 'swap')],
  ['changePlace', (e) => e.only('placeWord', 'change', 'want')],
  ['place', (e) => e.hasArea && e.unknown < (e.isQuestion ? 2 : 4)],
  [
    'cart',
    (e) =>
      e.any('total') ||
      (e.any('howMuch', 'howMany') && e.any('payWord')) ||
      (e.any('cart') && (e.any('what', 'howMany') || e.only('cart', 'want', 'where', 'what'))),
  ],
  ['checkout', (e) => e.any('done') && !e.any('cancel') && (hasLeastWords(e) || beginsWithDone(e))],
  ['edit', (e) => e.any('change') && !e.any('placeWord', 'language') && hasLeastWords(e)],
  ['edit', (e) => e.any('remove', 'less', 'swap', 'keepAt', 'mistakeOfMine') && e.state !== 'idle' && !e.hasDay],
  ['edit', (e) => e.any('remove', 'less', 'swap', 'mistakeOfMine') && (e.hasCart || e.unknown === 0)],
  ['brands', (e) => (e.any('brands') && !e.any('company')) || (e.has('what', 'have') && wanted(e).length === 0)],
  ['brands', (e) => e.any('brands') && e.any('change', 'otherWord', 'swap')],
  ['menu', (e) => e.any('menu') && e.unknown <= 1],
  ['menu', (e) => e.any('menu') && e.unknown === 0 && !e.any('order', 'myOrder', 'last', 'same')],
  ['back', (e) => e.only('back', 'want')],
  ['more', (e) => e.only('more', 'add', 'want', 'again2', 'otherWord') && e.any('more', 'add', 'again2')],
  ['more', (e) => e.only('otherWord') && e.any('otherWord')],
  ['skip', (e) => e.only('skip', 'no', 'thanks', 'noteWord', 'not') && e.any('skip', 'noteWord')],
  ['yes', (e) => isAsked(e) && isAgreement(e) && !e.any('no', 'not')],
  ['yes', isAgreement],
  [
    'checkout',
    (e) =>
      e.any('done') &&
      e.any('no', 'not') &&
      e.tags.some(
        ({ text }) =>
          /^(?:nothing|no more|thats|that|anything|shay|شي|ما ا|ما ن|ma abi|dont)/.test(text) ||
          (e.state === 'cart' && /^(?:بس|bas)/.test(text)),
      ) &&
      hasLeastWords(e),
  ],
  ['checkout', (e) => e.state === 'cart' && e.only('no', 'only', 'thanks') && e.any('no') && e.any('only')],
  [
    'no',
    (e) =>
      e.any('no') && e.only('no', 'thanks', 'nevermind', 'want', 'only', 'done', 'not', 'again2', 'wait', 'correction'),
  ],
  ['no', (e) => isAsked(e) && isTakenBack(e)],
  ['no', (e) => e.only('keepAt', 'no')],
  ['no', (e) => e.only('not')],
  ['greeting', (e) => e.tags.length < 3 && e.tags.some(({ text }) => /^(?:good )?(?:morning|evening)$/.test(text))],
  ['greeting', (e) => e.any('greeting') && e.unknown < (e.state === 'name' ? 1 : 3)],
  ['smallTalk', (e) => e.any('laugh', 'praise', 'congratulation', 'chat', 'wait')],
]
