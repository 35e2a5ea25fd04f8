import { type AnswerKey, isVendorTopic } from '@qatra/contract/whatsapp/bot'
import { answerText } from '../../knowledge/facts.ts'
import { isFree } from '../memory.ts'
import { chosenVendor, takePoint } from '../places/place.ts'
import { pointOf } from '../places/places.ts'
import { type Next, offer, replyText, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { namedVendor, showDeliveryTime, showTerms } from './prices.ts'
import { sendNewestReceipt } from './receipt.ts'

/** Questions to which a person can say more. */
const forPersons: ReadonlySet<AnswerKey> = new Set([
  'offers',
  'company',
  'invoice',
  'subscription',
  'robot',
  'contact',
  'product',
] as const)

/** Answers a question to the shop and keeps the question of the conversation. */
export function* answerTopic(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, facts } = turn
  const { topics, place } = meaning.slots
  const [topic] = topics
  if (topic === undefined) return 'lost'
  if (topic === 'deliveryTime') return yield* showDeliveryTime(turn)
  if (topic === 'invoice') {
    const next = yield* sendNewestReceipt(turn)
    if (next !== 'lost') return next
  }
  if (isVendorTopic(topic)) return showTerms(turn, topic)
  const [areaId, ...others] = place?.areaIds ?? []
  const area = facts.catalogue.areas.get(areaId ?? 0)
  if (topic === 'areas' && area && others.length === 0) return takePoint(turn, pointOf(facts.catalogue, area), 'area')
  const text = answerText(facts.catalogue, topic, {
    lang: memory.language,
    now: facts.now,
    vendor: topic === 'days' ? (namedVendor(turn) ?? chosenVendor(turn)) : null,
  })
  if (text === null) return 'lost'
  if (isFree(memory.state) || memory.state === 'confirm') {
    replyText(turn, text)
    return 'checkout'
  }
  const { choices } = memory
  offer(turn, text, [
    turn.cart.items.length > 0 ? ['go:cart', say(turn, 'bot.menu.cart')] : ['go:order', say(turn, 'bot.menu.order')],
    forPersons.has(topic) ? ['go:person', say(turn, 'bot.menu.person')] : ['go:menu', say(turn, 'bot.menu.title')],
  ])
  // A list shown before can still be chosen from.
  if (memory.state !== 'idle') memory.choices = choices
  return 'answered'
}
