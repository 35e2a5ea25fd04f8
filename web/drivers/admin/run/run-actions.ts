import { type AttemptReason, isTriedOn, type Run, type RunStop, untriedFirst } from '@qatra/contract/drivers'
import { addFils, fromBhd, nearestFils, toBhd, zeroFils } from '@qatra/contract/lib/money'
import type { BottleCount } from '@qatra/contract/orders/bottles'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import type { OutboxEntry } from '../../../lib/outbox.ts'
import { type CountedDelivery, type VanReport, withDelivery, withVanReport } from './run-van.ts'

interface Queued extends OutboxEntry<{ status: number; code: string; from: string | null }> {
  /** Time of the action. */
  at: string
}

/** Money taken at the door by one means, in BHD. */
export interface Taken {
  means: PaymentMeans
  amount: number
  reference?: string
}

interface Delivery extends CountedDelivery {
  kind: 'deliver'
  /** Of a stop without an order. */
  visitId?: number
  /** BHD by all means, without what was paid back; null if nothing was due or paid back. */
  amount: number | null
  /** The amount by means, each part with its own key; an entry of an earlier version has none, its amount is cash. */
  payments?: readonly (Taken & { key: string })[]
}
type Attempt = { kind: 'attempt'; visitId?: number; reason: AttemptReason; notes: string }
export type StopAction = Queued & (Delivery | Attempt) & { orderId: string }
export type RunAction = StopAction | (Queued & VanReport)

export const addBhd = (bhd: number, more: number) => toBhd(nearestFils(bhd + more))

/** Applies the unsent actions to the server's run. */
export function applyActions(run: Run, actions: readonly RunAction[]): Run {
  return actions.filter(({ problem }) => !problem).reduce(applyAction, run)
}

function applyAction(before: Run, action: RunAction): Run {
  if (action.kind === 'van') return withVanReport(before, action)
  const stop = before.stops.find(({ id }) => id === action.orderId)
  if (!stop?.can.attempt) return before
  const run = action.kind === 'attempt' ? before : withDelivery(before, stop, action)
  const stops = run.stops.map((one) => (one.id === stop.id ? changed(one, action) : one))
  if (action.kind === 'attempt') return { ...run, stops }
  const { amount } = action
  // What was counted at the door is due as it was computed there.
  return takenBy(action).reduce(addTaken, {
    ...run,
    stops,
    refundLimit: run.refundLimit && { ...run.refundLimit, refunded: run.refundLimit.refunded + refundedBy(action) },
    left: action.due ?? (action.version === undefined ? stop.cashToCollect : (amount ?? 0)),
  })
}

/** By means; a report of an earlier version has cash alone. */
export const takenBy = ({ amount, payments }: Delivery): readonly Taken[] =>
  payments ?? [{ means: 'cash', amount: amount ?? 0 }]

/** Fils that are paid back with a report. */
const refundedBy = (action: Delivery): number =>
  addFils(zeroFils, ...takenBy(action).map(({ amount }) => fromBhd(Math.max(0, -amount))))

/** @param left BHD still due of the order: only that part of cash is expected, the rest is a surplus */
function addTaken({ left, cash, otherMeans, ...run }: Run & { left: number }, { means, amount }: Taken) {
  const covered = Math.min(amount, left)
  const isCash = means === 'cash'
  return {
    ...run,
    left: addBhd(left, -covered),
    otherMeans: isCash ? otherMeans : { ...otherMeans, [means]: addBhd(otherMeans[means] ?? 0, amount) },
    cash: isCash
      ? {
          ...cash,
          expected: addBhd(cash.expected, covered),
          collected: addBhd(cash.collected, amount),
          inHand: addBhd(cash.inHand, amount),
        }
      : cash,
  }
}

function changed(stop: RunStop, action: StopAction): RunStop {
  if (action.kind === 'attempt') {
    const attempt = { reason: action.reason, notes: action.notes || null, at: action.at }
    return { ...stop, attempts: [...stop.attempts, attempt] }
  }
  return {
    ...stop,
    status: 'delivered',
    deliveredAt: action.at,
    cashCollected: action.amount === null ? stop.cashCollected : addBhd(stop.cashCollected ?? 0, action.amount),
    collectedMeans: takenBy(action).reduce(
      (sums, { means, amount }) => (amount === 0 ? sums : { ...sums, [means]: addBhd(sums[means] ?? 0, amount) }),
      stop.collectedMeans,
    ),
    cashToCollect: 0,
    visit: stop.visit && { ...stop.visit, returned: sumOf(action.bottles), paid: -(action.amount ?? 0) },
    can: { deliver: false, attempt: false },
  }
}

const sumOf = (bottles: readonly BottleCount[] = []) => bottles.reduce((sum, { returned }) => sum + returned, 0)

/** Stops by state, each group in run order. */
export function groupsOf({ stops, date }: Pick<Run, 'stops' | 'date'>) {
  const isTried = ({ attempts }: RunStop) => isTriedOn(date, attempts)
  const open = stops.filter(({ status }) => !isClosed(status))
  const [next = null, ...later] = untriedFirst(open, isTried)
  return {
    next,
    later: later.filter((stop) => !isTried(stop)),
    tried: later.filter(isTried),
    done: stops.filter(({ status }) => status === 'delivered').reverse(),
    cancelled: stops.filter(({ status }) => status === 'cancelled'),
  }
}

/** Ids of all stops after moving one. */
export function rearranged(stops: readonly RunStop[], id: string, onto: string): string[] {
  const ids = stops.map((stop) => stop.id)
  const [from, to] = [ids.indexOf(id), ids.indexOf(onto)]
  if (from < 0 || to < 0) return ids
  ids.splice(from, 1)
  ids.splice(to, 0, id)
  return ids
}
