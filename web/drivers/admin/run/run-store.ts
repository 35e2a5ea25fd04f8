import { bahrainDate, isInstant } from '@qatra/contract/calendar/calendar'
import { getRun, type Run, reportAttempt } from '@qatra/contract/drivers'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { writeVan } from '@qatra/contract/van'
import { changeVisit } from '@qatra/contract/visits'
import type { QueryClient } from '@tanstack/react-query'
import { OFFLINE_MAX_AGE_MS, savedRunKey } from '../../../app/session/personal-storage.ts'
import { onPersonChanged } from '../../../app/session/session.ts'
import { CallError, call, read } from '../../../lib/api-client.ts'
import { createOutbox, type Outbox, type Outcome, storedEntries } from '../../../lib/outbox.ts'
import { localStore } from '../../../lib/site-data.ts'
import { applyActions, type RunAction, type StopAction } from './run-actions.ts'
import { type VanReport, vanKey } from './run-van.ts'

export const runQuery = (driverId: number, date?: string) =>
  read(getRun, { params: { id: String(driverId) }, query: date ? { date } : {} })

interface StoredRun {
  userId: number
  at: number
  run: Run
}

/** False for a run that an older version saved. Checks what the page reads before the run is read again. */
const isStoredRun = (value: unknown): value is StoredRun =>
  isRecord(value) &&
  typeof value['userId'] === 'number' &&
  typeof value['at'] === 'number' &&
  isRecord(value['run']) &&
  typeof value['run']['date'] === 'string' &&
  isRecord(value['run']['cash']) &&
  isRecord(value['run']['otherMeans']) &&
  Array.isArray(value['run']['means']) &&
  Array.isArray(value['run']['stops']) &&
  Array.isArray(value['run']['van']) &&
  value['run']['van'].every((line) => isRecord(line) && Array.isArray(line['keys'])) &&
  Array.isArray(value['run']['products']) &&
  value['run']['stops'].every(
    (stop) =>
      isRecord(stop) &&
      isRecord(stop['can']) &&
      'customerId' in stop &&
      'visit' in stop &&
      'due' in stop &&
      isRecord(stop['collectedMeans']) &&
      Array.isArray(stop['bottles']),
  )
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Saves the run for offline loads; deleted when the person changes. */
export function saveRun(userId: number, run: Run) {
  localStore.setItem(savedRunKey, JSON.stringify({ userId, at: Date.now(), run } satisfies StoredRun))
}
export function savedRun(userId: number, date: string | undefined): Run | null {
  const saved = localStore.readJson(savedRunKey)
  if (!isStoredRun(saved) || saved.userId !== userId) return null
  if (!(Math.abs(Date.now() - saved.at) < OFFLINE_MAX_AGE_MS)) {
    clearSavedRun()
    return null
  }
  return date === undefined || saved.run.date === date ? saved.run : null
}
export const clearSavedRun = () => localStore.removeItem(savedRunKey)
onPersonChanged(clearSavedRun)

const isForLater = ({ status }: CallError) =>
  status === 0 || status === 401 || status === 408 || status === 429 || status >= 500

/** Delivered; the driver sees that its day was closed, so that the money counts on another. */
const BOOKED_LATER = 'BOOKED_LATER'
const bookedLater = (day: string) =>
  ({ kind: 'refused', problem: { status: 200, code: BOOKED_LATER, from: day } }) as const

/** One after the other; what the server has already is written once. */
async function sendVan(driverId: number, { key, date, did, counts }: VanReport & { key: string }) {
  for (const { typeId, productId, full, empty } of counts) {
    const goods = typeId === null ? { productId: productId ?? 0 } : { typeId }
    const body = { ...goods, date, kind: did, full, empty, key: vanKey(key, { typeId, productId }) }
    await call(writeVan, { params: { id: String(driverId) }, body }, { keepalive: true })
  }
}

/** @returns the day on which a stop without an order is booked */
async function sendVisit(visitId: number, action: StopAction, at: string | undefined): Promise<string | null> {
  const { key } = action
  const params = { id: String(visitId) }
  if (action.kind === 'attempt') {
    const { reason, notes } = action
    await call(changeVisit, { params, body: { status: 'failed', reason, notes: notes || null, key, at } })
    return null
  }
  const { bottles = [], payments = [] } = action
  const body = { status: 'done' as const, bottles, payments: payments.map((part) => ({ ...part, at })), key, at }
  return (await call(changeVisit, { params, body }, { keepalive: true })).bookedOn
}

async function sendAction(userId: number, action: RunAction): Promise<Outcome<NonNullable<RunAction['problem']>>> {
  // Omit an implausible time: the server then uses its own.
  const at = isInstant(action.at) ? action.at : undefined
  const { key } = action
  try {
    if (action.kind === 'van') {
      await sendVan(userId, action)
      return { kind: 'done' }
    }
    const params = { id: action.orderId }
    if (action.visitId !== undefined) {
      const bookedOn = await sendVisit(action.visitId, action, at)
      if (at && bookedOn && bookedOn > bahrainDate(new Date(at))) return bookedLater(bookedOn)
    } else if (action.kind === 'attempt') {
      const { reason, notes } = action
      await call(reportAttempt, { params, body: { reason, notes: notes || null, key, at } })
    } else {
      const { amount, payments = [], delivered, added, bottles, refund, version } = action
      // Nothing taken of what was due is reported as no cash.
      const cash = amount === null || payments.length > 0 ? {} : { cash: { amount, key, at } }
      const parts = payments.length > 0 ? { payments: payments.map((part) => ({ ...part, at })) } : {}
      const body = { status: 'delivered', ...cash, ...parts, delivered, added, bottles, refund, version } as const
      const { bookedOn } = await call(changeOrderStatus, { params, body }, { keepalive: true })
      if (at && bookedOn && bookedOn > bahrainDate(new Date(at))) return bookedLater(bookedOn)
    }
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (isForLater(error)) return { kind: 'later', isSignedOut: error.status === 401 }
    const { status, code, details } = error
    return { kind: 'refused', problem: { status, code, from: String(details.from ?? details.status ?? '') || null } }
  }
}

/** The undo window. */
export const UNDO_MS = 5_000

const isAction = (value: unknown): value is RunAction =>
  isRecord(value) && 'key' in value && (value['kind'] === 'van' || ('orderId' in value && 'kind' in value))

let current: { userId: number; outbox: Outbox<RunAction> } | null = null

/** One outbox per person, independent of the rendered page. Other people on this device neither see nor send it. */
export function outboxOf(userId: number, queries: QueryClient): Outbox<RunAction> {
  if (current?.userId === userId) return current.outbox
  void current?.outbox.stop()
  /** Until the run is read again: without a network that may take long. */
  const keepDone = (action: RunAction) => {
    queries.setQueriesData<Run>({ queryKey: [getRun.path] }, (run) => run && applyActions(run, [action]))
    const saved = savedRun(userId, undefined)
    if (saved) saveRun(userId, applyActions(saved, [action]))
  }
  const outbox = createOutbox({
    entries: storedEntries(localStore, `run-acts.${userId}`, isAction),
    async send(action) {
      const outcome = await sendAction(userId, action)
      if (outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.problem.code === BOOKED_LATER))
        keepDone(action)
      return outcome
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: [getRun.path] }),
  })
  current = { userId, outbox }
  return outbox
}
