import { formatDay } from '@qatra/contract/calendar/calendar'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import { callPerson } from './person.ts'
import { type Choice, enter, type Next, offer, say, type TurnContext } from './replies.ts'
import { type Conversation, perform } from './turn-context.ts'

/** The answer to a failed delivery attempt: `value` is the order's id and the offered day. */
export function* takeNextDay(turn: TurnContext, value: string): Conversation<Next> {
  const [orderId = '', date = ''] = value.split(' ')
  const outcome = yield* perform({ do: 'reschedule', orderId, date })
  enter(turn, 'idle')
  const id = orderIdInText(orderId)
  const menu: Choice = ['go:menu', say(turn, 'bot.menu.title')]
  if (outcome.ok) {
    const day = formatDay(outcome.order.promisedDate, turn.memory.language, 'long')
    offer(turn, say(turn, 'bot.attempt.moved', { id, day }), [['go:orders', say(turn, 'bot.menu.orders')], menu])
    return 'answered'
  }
  const next = outcome.code === 'DATE_NOT_AVAILABLE' ? firstDayIn(outcome.details) : null
  if (next === null) {
    offer(turn, say(turn, 'bot.attempt.closed', { id }), [['go:orders', say(turn, 'bot.menu.orders')], menu])
    return 'answered'
  }
  offer(turn, say(turn, 'bot.attempt.otherDay', { id, day: formatDay(next, turn.memory.language, 'long') }), [
    [`nextday:${orderId} ${next}`, say(turn, 'bot.attempt.yes')],
    [`callme:${orderId}`, say(turn, 'bot.attempt.call')],
  ])
  return 'answered'
}

/** `DATE_NOT_AVAILABLE` contains the next open days. */
function firstDayIn({ days }: Record<string, unknown>): string | null {
  const first: unknown = Array.isArray(days) ? days[0] : null
  return typeof first === 'string' ? first : null
}

/** Notifies staff about this order and hands the conversation to a person. */
export function* askForCall(turn: TurnContext, orderId: string): Conversation<Next> {
  yield* perform({ do: 'request-call', orderId })
  return yield* callPerson(turn)
}
