import type { Run } from '@qatra/contract/drivers'
import { beforeEach, expect, it, vi } from 'vitest'
import { clearPersonalStorage, OFFLINE_MAX_AGE_MS } from '../../app/personal-storage.ts'
import { savedRun, saveRun } from './run-store.ts'

const run = { date: '2026-11-22', stops: [] } as unknown as Run // other fields are not read
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

it('the saved run is deleted when the person changes', () => {
  saveRun(5, run)
  clearPersonalStorage()
  expect(JSON.stringify({ ...localStorage })).not.toContain('2026-11-22')
})
