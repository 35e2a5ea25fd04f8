import type { AnswerKey, ShopTopic } from '@qatra/contract/whatsapp/bot'
import { dayLexemes, type Evidence } from './evidence.ts'

interface TopicRule {
  topic: ShopTopic
  weight: number
  when: (e: Evidence) => boolean
}

const isOrder = (e: Evidence) => e.requests.some(({ quantity, change }) => quantity !== null && change !== 'refuse')

const topicRules: readonly TopicRule[] = [
  { topic: 'robot', weight: 89, when: (e) => e.any('robot') },
  {
    topic: 'cancelPolicy',
    weight: 85,
    when: (e) =>
      e.any('cancel') &&
      (e.any('policy') ||
        (e.isQuestion && (e.any('how', 'when', 'howMuch') || e.tags.some(({ type }) => type === 'time')))),
  },
  {
    topic: 'fees',
    weight: 75,
    when: (e) => e.any('fee') || (e.any('deliver') && e.any('howMuch', 'howMany', 'money') && !e.any('when')),
  },
  { topic: 'minimum', weight: 75.5, when: (e) => e.any('minimum') },
  {
    topic: 'deposit',
    weight: 75.4,
    when: (e) => e.any('deposit') || (e.any('empty') && e.any('bottle', 'bottles', 'gallon', 'gallons')),
  },
  {
    topic: 'company',
    weight: 75.3,
    when: (e) => e.any('company') && e.state !== 'address' && (!isOrder(e) || e.any('howMuch', 'monthly', 'weekly')),
  },
  {
    topic: 'subscription',
    weight: 75.2,
    when: (e) => e.any('subscription') || (e.any('weekly', 'monthly') && !isOrder(e)),
  },
  { topic: 'invoice', weight: 74, when: (e) => e.any('invoice') },
  {
    topic: 'payment',
    weight: 74,
    when: (e) => e.any('payMeans') || (e.any('payWord') && !e.any('howMuch', 'howMany', 'total')),
  },
  { topic: 'hours', weight: 74, when: (e) => e.any('openWord') },
  { topic: 'offers', weight: 74, when: (e) => e.any('offer') && !e.any('company') },
  {
    topic: 'contact',
    weight: 74,
    when: (e) =>
      e.any('contact') ||
      (e.any('numberWord') &&
        e.any('phoneWord') &&
        !e.any('change', 'remove') &&
        !e.tags.some(({ type }) => type === 'phone')),
  },
  {
    topic: 'areas',
    weight: 73,
    when: (e) =>
      e.any('areasWord') ||
      (e.any('where') && e.any('deliver')) ||
      (e.hasArea && e.any('deliver', 'arrive') && (e.isQuestion || e.denied('deliver')) && !isOrder(e)),
  },
  {
    topic: 'days',
    weight: 72.5,
    when: (e) =>
      (e.any('daysWord') && (e.isQuestion || e.any('deliver'))) ||
      (e.any('deliver', 'arrive') &&
        e.any(...dayLexemes.slice(3)) &&
        !isOrder(e) &&
        !e.any('reschedule', 'keepAt', 'change')),
  },
  {
    topic: 'deliveryTime',
    weight: 72,
    when: (e) =>
      (e.any('when') && e.any('deliver', 'arrive')) ||
      (e.any('deliver', e.isQuestion ? 'arrive' : 'deliver') &&
        (e.any('today', 'tomorrow', 'afterTomorrow') || e.tags.some(({ type }) => type === 'time')) &&
        !isOrder(e) &&
        !e.any('keepAt', 'change')),
  },
  {
    topic: 'areas',
    weight: 61,
    when: (e) =>
      e.any('deliver') &&
      e.isQuestion &&
      e.tags.some(({ type }, i) => type === 'word' && (e.tags[i - 1]?.lexemes.includes('fromPlace') ?? false)),
  },
  { topic: 'deliveryTime', weight: 60, when: (e) => e.any('deliver') && e.isQuestion && !e.hasArea && !isOrder(e) },
  { topic: 'product', weight: 73, when: (e) => e.any('product', 'inCarton') || asksCount(e) },
]

/** `كم حبة في الكرتون`, `how many bottles`. */
function asksCount(e: Evidence): boolean {
  const at = e.tags.findIndex(({ lexemes }) => lexemes.includes('howMany'))
  const [tag, next] = [e.tags[at], e.tags[at + 1]]
  if (!tag || e.any('cart')) return false
  return /^how|^hw/.test(tag.text) || (next?.lexemes.some((one) => one === 'bottle' || one === 'bottles') ?? false)
}

/** Phrases by staff. Above most questions to the shop, below an order with brand and quantity. */
const PHRASE = 75.7
const phrasesIn = ({ tags }: Evidence) => tags.flatMap(({ topic }) => topic ?? [])

/** Weight of the strongest question to the shop; 0 without any. */
export const topicWeight = (e: Evidence): number =>
  Math.max(phrasesIn(e).length > 0 ? PHRASE : 0, ...topicRules.map(({ weight, when }) => (when(e) ? weight : 0)))

/** Questions to the shop, those in phrases by staff first. */
export const topicsOf = (e: Evidence): AnswerKey[] => [
  ...new Set([
    ...phrasesIn(e),
    ...topicRules
      .filter(({ when }) => when(e))
      .sort((a, b) => b.weight - a.weight)
      .map(({ topic }) => topic),
  ]),
]
