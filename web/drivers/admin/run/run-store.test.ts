import { beforeEach, expect, it, vi } from 'vitest'
import { createQueries } from '../../../app/queries.ts'
import { clearPersonalStorage, OFFLINE_MAX_AGE_MS, savedRunKey } from '../../../app/session/personal-storage.ts'
import { outboxOf, runQuery, savedRun, saveRun } from './run-store.ts'
import { testRun, testStop } from './test-run.ts'

const run = testRun()
beforeEach(() => {
  localStorage.clear()
  vi.useRealTimers()
})

it('savedRun returns the run only to its driver', () => {
  saveRun(5, run)
  expect(savedRun(5, '2026-11-22')).toEqual(run)
  expect(savedRun(5, '2026-11-23')).toBeNull()
  expect(savedRun(6, '2026-11-22')).toBeNull()
})

it('savedRun deletes the run after the maximum age of a staff session', () => {
  vi.useFakeTimers({ now: 0 })
  saveRun(5, run)
  vi.setSystemTime(OFFLINE_MAX_AGE_MS - 1)
  expect(savedRun(5, undefined)).toEqual(run)
  vi.setSystemTime(OFFLINE_MAX_AGE_MS)
  expect(savedRun(5, undefined)).toBeNull()
  expect(JSON.stringify({ ...localStorage })).not.toContain('2026-11-22')
})

it.each([
  ['no stops', { ...run, stops: undefined }],
  ['stops without their permitted actions', { ...run, stops: [{ id: 'O-1' }] }],
  ['no means of payment', { ...run, means: undefined }],
])('savedRun ignores a run of an older version: %s', (_, old) => {
  localStorage.setItem(savedRunKey, JSON.stringify({ userId: 5, at: Date.now(), run: old }))
  expect(savedRun(5, undefined)).toBeNull()
})

it('the saved run is deleted when the person changes', () => {
  saveRun(5, run)
  clearPersonalStorage()
  expect(JSON.stringify({ ...localStorage })).not.toContain('2026-11-22')
})

it('sends payments with their keys, and cash of an entry of an earlier version as it was stored', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_: unknown, { body }: RequestInit) => {
    bodies.push(JSON.parse(String(body)))
    return Response.json({})
  })
  const outbox = outboxOf(
    6,
    createQueries(() => Promise.reject(new Error('No network'))),
  )
  const at = '2026-11-22T08:00:00.000Z'
  const entry = { kind: 'deliver', orderId: 'O-1', at, sendAfter: 0 } as const
  const payments = [
    { means: 'cash', amount: 1.5, key: 'part-one' },
    { means: 'cheque', amount: 0.5, reference: '41', key: 'part-two' },
  ] as const
  outbox.add({ ...entry, key: 'a', amount: 2 })
  outbox.add({ ...entry, key: 'b', amount: 2, payments })
  outbox.add({ ...entry, key: 'c', amount: 0, payments: [] })
  outbox.add({ ...entry, key: 'd', amount: null })
  await outbox.flush()
  vi.unstubAllGlobals()
  const status = 'delivered'
  expect(bodies).toEqual([
    { status, cash: { amount: 2, key: 'a', at } },
    { status, payments: payments.map((part) => ({ ...part, at })) },
    { status, cash: { amount: 0, key: 'c', at } },
    { status },
  ])
})

it('a report that came after the close is delivered, and tells the day on which its money counts', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ bookedOn: '2026-11-23' }))
  const queries = createQueries(() => Promise.reject(new Error('No network')))
  const { queryKey } = runQuery(7)
  queries.setQueryData(queryKey, testRun([testStop('O-1', { cashToCollect: 2 })]))
  const outbox = outboxOf(7, queries)
  const action = { kind: 'deliver', orderId: 'O-1', at: '2026-11-22T08:00:00.000Z', sendAfter: 0, amount: 2 } as const
  outbox.add({ ...action, key: 'a' })
  outbox.add({ ...action, key: 'b', at: '2026-11-23T08:00:00.000Z' })
  await outbox.flush()
  vi.unstubAllGlobals()
  expect(outbox.state.get().entries).toMatchObject([
    { key: 'a', problem: { code: 'BOOKED_LATER', from: '2026-11-23' } },
  ])
  expect(queries.getQueryData(queryKey)?.stops[0]?.status).toBe('delivered')
})

it('a delivered stop stays delivered while the run cannot be read again', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}))
  const queries = createQueries(() => Promise.reject(new Error('No network')))
  const before = testRun([testStop('O-1', { cashToCollect: 2 })])
  const { queryKey } = runQuery(5)
  queries.setQueryData(queryKey, before)
  saveRun(5, before)
  const outbox = outboxOf(5, queries)
  outbox.add({ kind: 'deliver', key: 'a', orderId: 'O-1', at: '2026-11-22T08:00:00.000Z', sendAfter: 0, amount: 2 })
  await outbox.flush()
  vi.unstubAllGlobals()
  expect(outbox.state.get().entries).toEqual([])
  const runs = [queries.getQueryData(queryKey), savedRun(5, undefined)]
  expect(runs.map((one) => [one?.stops[0]?.status, one?.cash.inHand])).toEqual([
    ['delivered', 2],
    ['delivered', 2],
  ])
})
