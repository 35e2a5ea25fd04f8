import {
  asksPriceByCount,
  endsInNevermind,
  isKindAlone,
  isOfDoor,
  isOfDriver,
  isOfEmpties,
  isOfOffersAgain,
  isTakenBack,
  isTrouble,
  optsIn,
  optsOut,
  politeness,
  repeats,
  tracks,
  wanted,
} from './conditions.ts'
import type { Evidence } from './evidence.ts'
import { type ItemRequest, namesProduct } from './item-request.ts'

/** What a customer wants, in descending order of importance where several are said. */
export type IntentName =
  | 'optOut'
  | 'optIn'
  | 'trouble'
  | 'person'
  | 'callMe'
  | 'cancelOrder'
  | 'undo'
  | 'clear'
  | 'track'
  | 'reschedule'
  | 'again'
  | 'sameAddress'
  | 'change'
  | 'order'
  | 'price'
  | 'has'
  | 'shop'
  | 'changePlace'
  | 'address'
  | 'place'
  | 'name'
  | 'notes'
  | 'number'
  | 'refuse'
  | 'cart'
  | 'checkout'
  | 'edit'
  | 'brands'
  | 'language'
  | 'help'
  | 'menu'
  | 'back'
  | 'more'
  | 'skip'
  | 'yes'
  | 'no'
  | 'greeting'
  | 'thanks'
  | 'smallTalk'
  | 'unknown'

type Rule = readonly [intent: IntentName, weight: number, when: (e: Evidence) => boolean]

const isFull = (request: ItemRequest) => namesProduct(request) && request.quantity !== null && request.change === 'add'
const isAsked = (e: Evidence) => ['confirm', 'cancel', 'switch', 'cart', 'name'].includes(e.state)
/** `صح؟` asks, and `send the order` is no yes to its cancelling. */
const isAgreement = (e: Evidence) =>
  e.any('yes', 'confirm') &&
  e.only(...politeness) &&
  !e.tags.some(({ type }) => type === 'question') &&
  !(e.state === 'cancel' && e.any('confirm', 'order', 'myOrder'))
const hasLeastWords = (e: Evidence) => e.unknown <= 1
/** `عندي قلنين فاضيين`: what the customer has, not what is wanted. */
const isOwn = (e: Evidence) =>
  (e.any('mine') || (e.any('deposit') && !e.requests.some(({ vendorId }) => vendorId !== null))) &&
  !e.any('want', 'bring')
const isPast = (e: Evidence) => e.any('ordered', 'yesterday', 'why')

/** Evidence for each intent, from the strongest. Complaints outrank orders; orders outrank questions beside them. */
export const rules: readonly Rule[] = [
  ['optOut', 97, optsOut],
  ['optOut', 90.5, isOfOffersAgain],
  ['optIn', 90, (e) => optsIn(e) || isOfOffersAgain(e)],
  ['trouble', 92, isTrouble],
  ['person', 88, (e) => e.any('person') && !e.any('robot', 'offer')],
  // `ابي اشتغل عندكم سايق`: about a driver, and no complaint.
  ['person', 87, (e) => isOfDriver(e) && !e.any('not')],
  ['callMe', 86, (e) => e.any('callMe')],
  [
    'cancelOrder',
    84,
    (e) =>
      e.any('cancel') && !wanted(e).some(namesProduct) && !e.any('policy') && !(e.isQuestion && e.any('how', 'when')),
  ],
  ['change', 84, (e) => e.any('cancel') && wanted(e).some(namesProduct)],
  ['cancelOrder', 84, (e) => e.any('stop') && e.any('order', 'myOrder', 'deliver') && !e.any('ads', 'offer')],
  ['no', 80, (e) => e.denied('cancel')],
  [
    'no',
    73,
    (e) => e.denied('change', 'remove', 'less', 'keepAt') && e.requests.every((request) => !namesProduct(request)),
  ],
  ['edit', 72, (e) => e.any('wrong', 'change') && e.any('nameWord', 'phoneWord')],
  ['edit', 71, (e) => e.only('wrong', 'no') && e.any('wrong') && e.state !== 'idle'],
  ['undo', 83, (e) => e.any('undo')],
  [
    'clear',
    82,
    (e) =>
      !isOfEmpties(e) &&
      ((e.any('empty') && e.any('cart', 'all')) ||
        (e.any('remove', 'less') &&
          e.any('all', 'cart') &&
          !wanted(e).some((request) => namesProduct(request) || request.quantity !== null))),
  ],
  ['track', 81, tracks],
  [
    'reschedule',
    80,
    (e) =>
      e.any('reschedule') ||
      ((e.any('keepAt', 'change') || e.any('deliver')) &&
        e.hasDay &&
        e.any('keepAt', 'change') &&
        !wanted(e).some(({ quantity }) => quantity !== null)),
  ],
  [
    'reschedule',
    79.5,
    (e) =>
      e.any('bring', 'send', 'deliver') && e.any('not', 'no') && e.any('tomorrow', 'afterTomorrow') && e.any('today'),
  ],
  ['notes', 58, (e) => e.any('handover')],
  [
    'sameAddress',
    79,
    (e) =>
      (e.any('same') || (e.any('last') && e.any('placeWord'))) &&
      e.any('placeWord', 'building') &&
      !e.any('change', 'otherWord'),
  ],
  ['again', 78, repeats],
  [
    'change',
    77.5,
    (e) =>
      wanted(e).some(({ isExplicit, change }) => isExplicit && (change !== 'add' || e.requests.length > 0)) &&
      !(e.state === 'notes' && isOfDoor(e)) &&
      !isOfEmpties(e) &&
      !e.any('howMuch', 'why', 'have') &&
      !repeats(e),
  ],
  [
    'order',
    76,
    (e) =>
      wanted(e).some(isFull) &&
      (!e.any('have') || e.any('want')) &&
      !e.any('howMuch', 'howMany', 'weekly', 'monthly') &&
      !isOwn(e) &&
      !isPast(e) &&
      e.unknown < 5,
  ],
  [
    'price',
    77,
    (e) =>
      e.any('howMuch') &&
      !e.any('deliver', 'fee', 'payWord', 'deposit', 'company', 'subscription', 'minimum', 'total') &&
      // `بدون عروض، كم سعر الكرتون؟`
      (!e.any('offer') || e.any('without', 'not', 'no')),
  ],
  ['price', 71, asksPriceByCount],
  ['has', 72, (e) => e.any('have') && (wanted(e).length > 0 || e.any('waterWord', 'accessory', 'brands'))],
  ['has', 60, (e) => e.any('accessory')],
  ['has', 57, (e) => e.any('have') && e.unknown > 0 && e.unknown < 3],
  ['has', 58, (e) => e.isQuestion && wanted(e).some(namesProduct)],
  [
    'order',
    70,
    (e) =>
      !isOwn(e) &&
      wanted(e).some((request) => request.quantity !== null && (request.unit !== null || namesProduct(request))) &&
      !isPast(e) &&
      !e.any('howMany'),
  ],
  ['order', 62, (e) => wanted(e).some(namesProduct) && e.any('want', 'bring', 'order') && !isPast(e)],
  [
    'order',
    56,
    (e) =>
      !e.isQuestion &&
      wanted(e).length > 0 &&
      e.requests.some(namesProduct) &&
      !isPast(e) &&
      e.unknown < 3 &&
      !isKindAlone(e),
  ],
  ['order', 60, (e) => e.any('waterWord') && e.any('want', 'bring', 'order') && !isPast(e)],
  ['order', 50, (e) => e.any('order') && !e.any('remove', 'less') && e.unknown < 3 && !isPast(e)],
  [
    'order',
    45,
    (e) =>
      e.any('waterWord', 'want') &&
      e.only('waterWord', 'want', 'bring', 'greeting', 'order', 'pack', 'packs', 'gallon', 'fromPlace', 'building'),
  ],
  [
    'refuse',
    75,
    (e) =>
      e.any('nevermind') ||
      (e.denied('want', 'order', 'confirm', 'add', 'bring', 'done', 'deliver') &&
        wanted(e).every((request) => !isFull(request)) &&
        !(e.denied('deliver') && e.hasArea)),
  ],
  // `نقص كرتون... لا خلها مثل ما هي`: the last word counts.
  ['refuse', 82.9, endsInNevermind],
  ['changePlace', 74, (e) => e.any('placeWord') && e.any('change', 'otherWord', 'wrong', 'swap')],
  ['changePlace', 58, (e) => e.only('placeWord', 'change', 'want')],
  ['place', 59, (e) => e.hasArea && e.unknown < (e.isQuestion ? 2 : 4)],
  [
    'cart',
    68,
    (e) =>
      e.any('total') ||
      (e.any('howMuch', 'howMany') && e.any('payWord')) ||
      (e.any('cart') && (e.any('what', 'howMany') || e.only('cart', 'want', 'where', 'what'))),
  ],
  ['checkout', 66, (e) => e.any('done') && !e.any('cancel') && hasLeastWords(e)],
  ['edit', 64, (e) => e.any('change') && !e.any('placeWord', 'language') && hasLeastWords(e)],
  ['edit', 56, (e) => e.any('remove', 'less', 'swap', 'keepAt', 'mistakeOfMine') && e.state !== 'idle'],
  ['edit', 54, (e) => e.any('remove', 'less', 'swap', 'mistakeOfMine') && (e.hasCart || e.unknown === 0)],
  ['brands', 63, (e) => (e.any('brands') && !e.any('company')) || (e.has('what', 'have') && wanted(e).length === 0)],
  ['brands', 65.5, (e) => e.any('brands') && e.any('change', 'otherWord', 'swap')],
  ['language', 76, (e) => e.any('arabic', 'english', 'language') && e.unknown <= 2 && wanted(e).length === 0],
  ['help', 61, (e) => e.any('help') || (e.tags.length > 0 && e.tags.every(({ type }) => type === 'question'))],
  ['menu', 67, (e) => e.any('menu') && e.unknown <= 1],
  ['menu', 78.2, (e) => e.any('menu') && e.unknown === 0 && !e.any('order', 'myOrder', 'last', 'same')],
  ['back', 65, (e) => e.only('back', 'want')],
  ['more', 55, (e) => e.only('more', 'add', 'want', 'again2', 'otherWord') && e.any('more', 'add', 'again2')],
  ['more', 65.2, (e) => e.only('otherWord') && e.any('otherWord')],
  ['skip', 64, (e) => e.only('skip', 'no', 'thanks', 'noteWord', 'not') && e.any('skip', 'noteWord')],
  ['yes', 69, (e) => isAsked(e) && isAgreement(e) && !e.any('no', 'not')],
  ['yes', 52, isAgreement],
  [
    'checkout',
    68.1,
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
  ['checkout', 68.1, (e) => e.state === 'cart' && e.only('no', 'only', 'thanks') && e.any('no') && e.any('only')],
  ['no', 67, (e) => e.any('no') && e.only('no', 'thanks', 'nevermind', 'want', 'only', 'done', 'not', 'again2')],
  ['no', 69.5, (e) => isAsked(e) && isTakenBack(e)],
  ['no', 55, (e) => e.only('keepAt', 'no')],
  ['no', 40, (e) => e.only('not')],
  ['greeting', 20, (e) => e.any('greeting') && e.unknown < (e.state === 'name' ? 1 : 3)],
  ['thanks', 30, (e) => e.any('thanks') && e.unknown < 4],
  ['smallTalk', 25, (e) => e.any('laugh', 'praise', 'wishes', 'chat', 'wait')],
]
