import { hasTrait, type IntentName } from '../intent-table.ts'
import { changeOnlyLine, chooseOnly, chooseRow } from './choices.ts'
import { stayWithPerson } from './hand-over.ts'
import { chat, sayThanks } from './lost.ts'
import { isSecret, type State } from './memory.ts'
import {
  askNotes,
  editName,
  handleName,
  handleNotes,
  refuseName,
  skipNotes,
  takeGivenName,
  takeNote,
} from './order-details.ts'
import { applyChange, changePlaced, changePlacedAddress, keepUnchanged } from './orders/order-changes.ts'
import { changePlacedItems } from './orders/order-items.ts'
import { askCancel, cancelAsked, cancelIfEnough, keepOrder, reportTrouble } from './orders/orders.ts'
import { callPerson, goBack, isBesideSecret, takeLanguage } from './person.ts'
import { sameAddress } from './places/addresses.ts'
import {
  handleAddress,
  handlePlace,
  handlePlaceName,
  refuseAddress,
  takeAddressPart,
  takeNamedPlace,
  takeWholeAddress,
} from './places/place.ts'
import { isYes } from './read-text.ts'
import { type Next, type Part, resolve, type Step, type TurnContext } from './replies.ts'
import { answerFromCatalogue, answerTopic, answerWhen, reschedule, showDayAsked } from './shopping/answers.ts'
import { agreeToCollection, answerEmpties, giveAll, giveNone, leaveCollection } from './shopping/bottles.ts'
import { changeCart, changeEditedItem, undoChange, undoRemoval } from './shopping/cart-changes.ts'
import { optIn, optOut } from './shopping/offers.ts'
import { beginOrder, orderAdded, orderAgainDifferently, orderItems, orderOfSize } from './shopping/ordering.ts'
import { confirmByWords, declineSummary } from './shopping/placing.ts'
import { answerWhetherSold, showBrandOrVendors, showPricesAsked } from './shopping/prices.ts'
import { agree, agreeWhileIdle, dropItem, refuse, refuseItem } from './shopping/refusing.ts'
import { agreeToCount, chooseVendor, clearAll, editCart, keepVendor, switchVendor } from './shopping/shopping.ts'
import type { Conversation } from './turn-context.ts'

/** A function, or the question or view that follows. One that does not apply is `lost`: the next one is tried. */
export type Act = Step | Part
/** Leaves the words to the open question: `any` of its state. */
const asked = 'asked'
type Acts = readonly (Act | typeof asked)[]

/** What is done by an intent in any state. Before `asked` stand commands, after it what the question does not take. */
const usual: Readonly<Record<IntentName, Acts>> = {
  optOut: [optOut, doSecond],
  optIn: [optIn],
  trouble: [reportTrouble],
  person: [callPerson],
  callMe: [callPerson],
  cancelOrder: [askCancel],
  undo: [undoChange],
  clear: [clearAll],
  track: [asked, answerWhen, 'orders'],
  reschedule: [reschedule],
  again: [orderAgainDifferently, asked, 'again'],
  sameAddress: [asked, 'order'],
  change: [changePlacedItems, changeCart, orderAdded, asked],
  order: [orderItems, asked, beginOrder],
  price: [answerFromCatalogue, showPricesAsked],
  has: [answerFromCatalogue, asked, answerWhetherSold],
  shop: [answerFromCatalogue, answerTopic, asked],
  changePlace: [asked, 'place'],
  address: [asked, takeAddressPart],
  place: [takeNamedPlace, asked, handlePlace],
  name: [asked, takeGivenName],
  notes: [takeNote],
  number: [asked, orderOfSize],
  refuse: [undoRemoval, refuse],
  cart: [asked, 'cart'],
  checkout: [asked, 'checkout'],
  edit: [asked, editName, editCart],
  brands: [answerFromCatalogue, asked, showBrandOrVendors],
  language: [asked, takeLanguage],
  help: [asked, 'menu'],
  menu: ['menu'],
  back: [goBack],
  more: [asked, 'product'],
  skip: [asked],
  yes: [asked],
  no: [asked],
  greeting: [asked, 'greet'],
  thanks: [asked, sayThanks],
  smallTalk: [chat],
  unknown: [asked],
}

/** What a state does otherwise, by intent, and with any words that answer its question. */
const exceptions: Partial<Record<State, Partial<Record<IntentName, Acts>> & { any?: readonly Act[] }>> = {
  idle: {
    any: [chooseRow],
    changePlace: [changePlacedAddress, asked, 'place'],
    edit: [changePlaced, asked, editName, editCart, 'menu'],
    more: [asked, 'menu'],
    yes: [asked, agreeWhileIdle],
    no: [asked, agree],
    skip: [asked, agree],
    unknown: [asked, showDayAsked, handlePlaceName],
  },
  place: {
    any: [takeWholeAddress, chooseRow, placeIfLikely],
    sameAddress: [sameAddress],
    yes: [chooseOnly, asked],
    no: [asked, refuse],
  },
  vendor: { any: [chooseRow], no: [asked, refuse], unknown: [asked, handlePlaceName] },
  product: { any: [chooseRow], yes: [chooseOnly, asked], no: [asked, refuse], unknown: [asked, handlePlaceName] },
  quantity: { no: [refuse], yes: [agreeToCount] },
  cart: {
    any: [chooseRow, changeOnlyLine],
    yes: ['checkout'],
    checkout: ['checkout'],
    no: ['menu'],
    refuse: [undoRemoval, refuseItem],
    unknown: [asked, showDayAsked],
  },
  item: { any: [changeEditedItem], change: [asked], refuse: [dropItem] },
  switch: {
    any: [chooseVendor],
    change: [asked, changeCart],
    order: [asked, orderItems],
    yes: [switchVendor],
    no: [asked, keepVendor],
    refuse: [asked, keepVendor],
  },
  address: {
    any: [refuseAddress],
    address: [handleAddress],
    number: [handleAddress],
    place: [takeNamedPlace, handleAddress],
    sameAddress: [sameAddress],
    smallTalk: [asked],
    no: [declineSummary],
    cancelOrder: [declineSummary],
  },
  notes: {
    notes: [handleNotes],
    skip: [skipNotes],
    no: [skipNotes],
    thanks: [skipNotes],
    checkout: [skipNotes],
    yes: [askNotes],
    smallTalk: [asked],
    cancelOrder: [declineSummary],
  },
  name: {
    any: [refuseName],
    name: [handleName],
    number: [handleName],
    yes: [handleName],
    no: [handleName],
    place: [asked, handlePlace],
    smallTalk: [asked],
    cancelOrder: [declineSummary],
  },
  empties: {
    any: [answerEmpties],
    order: [asked, orderItems],
    change: [asked, changeCart],
    yes: [giveAll],
    no: [giveNone],
  },
  confirm: { yes: [confirmByWords], no: [declineSummary], cancelOrder: [declineSummary], unknown: [showDayAsked] },
  cancel: {
    any: [cancelIfEnough],
    yes: [cancelAsked],
    cancelOrder: [cancelAsked],
    no: [keepOrder],
    refuse: [keepOrder],
  },
  collect: { yes: [agreeToCollection], no: [leaveCollection], refuse: [leaveCollection] },
  change: { yes: [applyChange], no: [keepUnchanged], refuse: [keepUnchanged] },
  orderItems: { order: [changePlacedItems, orderItems, asked, beginOrder] },
  handback: { yes: ['menu'], no: [stayWithPerson], refuse: [stayWithPerson] },
}

function placeIfLikely(turn: TurnContext): Next {
  return hasTrait(turn.meaning.intent, 'placeName') ? handlePlace(turn) : 'lost'
}

/** What else is asked for with the stop of the offers. */
function doSecond(turn: TurnContext): Conversation<Next> {
  return firstOf(turn, actsFor(turn))
}

/** State × intent: what is tried until something applies. */
export function actsFor(turn: TurnContext): Act[] {
  const { state } = turn.memory
  const intent = turn.meaning.intent === 'yes' && !isYes(turn) ? 'unknown' : turn.meaning.intent
  const any = exceptions[state]?.any ?? []
  const all = exceptions[state]?.[intent] ?? usual[intent]
  const isAskedFirst = isSecret(state) && !isBesideSecret(turn)
  const acts = isAskedFirst ? all.slice(all.includes(asked) ? all.indexOf(asked) : all.length) : all
  return acts.flatMap((act) => (act === asked ? any : [act]))
}

/** Carries out the first act that applies. */
export function* firstOf(turn: TurnContext, acts: readonly Act[]): Conversation<Next> {
  for (const act of acts) {
    turn.intent = turn.meaning.intent
    const next = typeof act === 'string' ? act : yield* resolve(act(turn))
    if (next !== 'lost') return next
  }
  return 'lost'
}
