import type { AnswerKey, ShopTopic } from '@qatra/contract/whatsapp/bot'
import { isCorrection } from './clauses.ts'
import { isOfEmpties } from './conditions.ts'
import { dayLexemes, type Evidence } from './evidence.ts'

interface TopicRule {
  topic: ShopTopic
  when: (e: Evidence) => boolean
}

const isOrder = (e: Evidence) => e.requests.some(({ quantity, change }) => quantity !== null && change !== 'refuse')

const topicRules: readonly TopicRule[] = [
  { topic: 'robot', when: (e) => e.any('robot') },
  {
    topic: 'cancelPolicy',
    when: (e) =>
      e.any('cancel') &&
      (e.any('policy') ||
        (e.isQuestion && (e.any('how', 'when', 'howMuch') || e.tags.some(({ type }) => type === 'time')))),
  },
  {
    topic: 'fees',
    when: (e) =>
      e.any('fee') || (e.any('deliver') && e.any('howMuch', 'howMany', 'money') && !e.any('when', 'gallon', 'pack')),
  },
  { topic: 'minimum', when: (e) => e.any('minimum') },
  {
    topic: 'deposit',
    when: (e) => e.any('deposit') || (e.any('empty') && e.any('bottle', 'bottles', 'gallon', 'gallons')),
  },
  {
    topic: 'company',
    when: (e) => e.any('company') && e.state !== 'address' && (!isOrder(e) || e.any('howMuch', 'monthly', 'weekly')),
  },
  {
    topic: 'subscription',
    when: (e) => e.any('subscription') || (e.any('weekly', 'monthly') && !isOrder(e)),
  },
  { topic: 'invoice', when: (e) => e.any('invoice') },
  {
    topic: 'payment',
    when: (e) => e.any('payMeans') || (e.any('payWord') && !e.any('howMuch', 'howMany', 'total')),
  },
  { topic: 'hours', when: (e) => e.any('openWord') },
  {
    topic: 'offers',
    when: (e) => e.any('offer') && !e.any('company') && !(e.any('howMuch') && e.any('without', 'not', 'no')),
  },
  {
    topic: 'contact',
    when: (e) =>
      e.any('contact') ||
      (e.any('numberWord') &&
        e.any('phoneWord') &&
        !e.any('change', 'remove') &&
        !e.tags.some(({ type }) => type === 'phone')),
  },
  {
    topic: 'areas',
    when: (e) =>
      e.any('areasWord') ||
      (e.any('where') && e.any('deliver')) ||
      (e.hasArea && e.any('deliver', 'arrive') && (e.isQuestion || e.denied('deliver')) && !isOrder(e)),
  },
  {
    topic: 'days',
    when: (e) =>
      (e.any('daysWord') && (e.isQuestion || e.any('deliver'))) ||
      (e.any('deliver', 'arrive') &&
        e.any(...dayLexemes.slice(3)) &&
        !isOrder(e) &&
        !e.any('reschedule', 'keepAt', 'change')),
  },
  {
    topic: 'deliveryTime',
    when: (e) =>
      (e.any('when') && e.any('deliver', 'arrive')) ||
      (e.any('deliver', e.isQuestion ? 'arrive' : 'deliver') &&
        (e.any('today', 'tomorrow', 'afterTomorrow') || e.tags.some(({ type }) => type === 'time')) &&
        !isOrder(e) &&
        !e.any('keepAt', 'change')),
  },
  {
    topic: 'areas',
    when: (e) =>
      e.any('deliver') &&
      e.isQuestion &&
      e.tags.some(({ type }, i) => type === 'word' && (e.tags[i - 1]?.lexemes.includes('fromPlace') ?? false)),
  },
  { topic: 'deliveryTime', when: (e) => e.any('deliver') && e.isQuestion && !e.hasArea && !isOrder(e) },
  { topic: 'goods', when: (e) => e.any('accessory') && !e.requests.some(({ vendorId }) => vendorId !== null) },
  {
    topic: 'product',
    when: (e) => (e.any('product') && !isPreferred(e)) || catalogueQuestion(e) !== null,
  },
]

/** `no, 330 is better`: chooses, and asks nothing. */
const isPreferred = (e: Evidence) =>
  !e.isQuestion &&
  e.tags.some((_, i) => isCorrection(e.tags, i)) &&
  e.tags.some(
    ({ text }, i) =>
      /^(?:احسن|افضل|better|a7san|ahsan)$/.test(text) && e.tags.slice(0, i).some(({ type }) => type === 'size'),
  )

/** `كم حبة في الكرتون`, `how many bottles`. */
function asksCount(e: Evidence): boolean {
  const at = e.tags.findIndex(({ lexemes }) => lexemes.includes('howMany'))
  const [tag, next] = [e.tags[at], e.tags[at + 1]]
  if (!tag || e.any('cart')) return false
  return /^how|^hw/.test(tag.text) || (next?.lexemes.some((one) => one === 'bottle' || one === 'bottles') ?? false)
}

const bottleWords = ['bottle', 'bottles', 'gallon', 'gallons', 'empty', 'deposit'] as const

/** `how many bottles do I have?`, `كم قارورة عندي`: those at the customer's. */
const asksHeld = (e: Evidence) =>
  e.any('howMany') &&
  e.any(...bottleWords) &&
  (e.any('mine') || e.tags.some(({ text }) => /^(?:حسابي|رصيدي|لي|account|balance|7sabi|9isabi|raseedi)$/.test(text)))

/** `come and take the empties`, `تعالوا شيلوا الفوارغ` */
const asksCollection = (e: Evidence) =>
  isOfEmpties(e) && !isOrder(e) && e.tags.some(({ text }) => collected.test(text)) && e.state !== 'notes'
const collected =
  /^(?:collect|pick|pickup|take|come|ت?شيلو|خذو|خذوا|اخذو|تاخذو|تاخذون|تعالو|مرو|استلمو|ياخذ|تمرون|sheelo|shelo|5tho|5tha|khotho|ta3alo|take)/

/** What the catalogue answers, or the ledger of bottles: how many a pack or the customer has, or which sizes there are. */
export function catalogueQuestion(e: Evidence): 'count' | 'sizes' | 'held' | 'collect' | null {
  if (asksHeld(e)) return 'held'
  if (asksCollection(e)) return 'collect'
  if (e.any('inCarton') || asksCount(e)) return 'count'
  const isAsked = e.isQuestion || e.any('brands') || e.only('sizeWord')
  return e.any('sizeWord') && isAsked && !isOrder(e) ? 'sizes' : null
}

/** Questions to the shop, those in phrases by staff first. */
export const topicsOf = (e: Evidence): AnswerKey[] => [
  ...new Set([
    ...e.tags.flatMap(({ topic }) => topic ?? []),
    ...topicRules.filter(({ when }) => when(e)).map(({ topic }) => topic),
  ]),
]
