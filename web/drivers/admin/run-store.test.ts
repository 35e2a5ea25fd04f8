import type { Run } from '@qatra/contract/drivers'
import { beforeEach, expect, it, vi } from 'vitest'
import { forgetKept, KEPT_FOR_MS } from '../../app/kept-page.ts'
import { keepRun, keptRun } from './run-store.ts'

const run = { date: '2026-11-22', stops: [] } as unknown as Run // what else it says is not looked at
beforeEach(() => {
  localStorage.clear()
  vi.useRealTimers()
})

it('keeps the run for its driver alone', () => {
  keepRun(5, run)
  expect(keptRun(5, '2026-11-22')).toEqual(run)
  expect(keptRun(5, '2026-11-23')).toBeNull()
  expect(keptRun(6, '2026-11-22')).toBeNull()
})

it('keeps it no longer than a session of staff', () => {
  vi.useFakeTimers({ now: 0 })
  keepRun(5, run)
  vi.setSystemTime(KEPT_FOR_MS - 1)
  expect(keptRun(5, undefined)).toEqual(run)
  vi.setSystemTime(KEPT_FOR_MS)
  expect(keptRun(5, undefined)).toBeNull()
  expect(JSON.stringify({ ...localStorage })).not.toContain('2026-11-22')
})

it('keeps nothing once the person is gone', () => {
  keepRun(5, run)
  forgetKept()
  expect(JSON.stringify({ ...localStorage })).not.toContain('2026-11-22')
})
