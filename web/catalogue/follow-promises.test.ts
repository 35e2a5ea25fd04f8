import type { Vendor } from '@qatra/contract/vendors/vendors'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { vendorOf } from '../checkout/test-shop.tsx'
import { noteServerTime } from '../lib/server-clock.ts'
import { vendorsQuery } from './api.ts'
import { followPromises } from './follow-promises.ts'

let fetches: string[] = []
let isDown = false
let stop = () => {}
let visibility: DocumentVisibilityState = 'visible'

/** A page whose vendors were fetched at `at`, in Bahrain's time. */
async function openAt(at: string, cutOff: string | null) {
  vi.setSystemTime(`2026-11-22T${at}:00+03:00`)
  const queries = new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY },
    },
  })
  const vendor: Vendor = { ...vendorOf(1, 'Hayrat', 'هيرات'), cutOff }
  const queryFn = async () => {
    fetches.push(new Date(Date.now() + 3 * 3_600_000).toISOString().slice(11, 16))
    if (isDown) throw new Error('Offline')
    return [vendor]
  }
  await queries.fetchQuery({ ...vendorsQuery(), queryFn })
  fetches = []
  stop = followPromises(queries)
}

beforeEach(() => {
  vi.useFakeTimers()
  isDown = false
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
})
afterEach(() => {
  stop()
  noteServerTime(new Date().toUTCString())
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const pass = (minutes: number) => vi.advanceTimersByTimeAsync(minutes * 60_000)

describe('the promised days of an open page', () => {
  it('are fetched again after the cut-off, and not before', async () => {
    await openAt('15:00', '16:00')
    await pass(59)
    expect(fetches).toEqual([])
    await pass(2)
    expect(fetches).toEqual(['16:00'])
    await pass(60)
    expect(fetches).toEqual(['16:00'])
  })

  it('are fetched again after midnight where no vendor has a cut-off', async () => {
    await openAt('23:30', null)
    await pass(29)
    expect(fetches).toEqual([])
    await pass(2)
    expect(fetches).toEqual(['00:00'])
  })

  it('follow the server’s clock on a device that is an hour slow', async () => {
    vi.setSystemTime('2026-11-22T15:30:00+03:00')
    noteServerTime('Sun, 22 Nov 2026 13:30:00 GMT')
    await openAt('15:30', '17:00')
    await pass(29)
    expect(fetches).toEqual([])
    await pass(2)
    expect(fetches).toHaveLength(1)
  })

  it('are fetched at once on a page that slept across the cut-off', async () => {
    await openAt('15:00', '16:00')
    visibility = 'hidden'
    vi.setSystemTime('2026-11-22T18:00:00+03:00')
    visibility = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(0)
    expect(fetches).toEqual(['18:00'])
  })

  it('are fetched again after a failure, each half minute until it succeeds', async () => {
    await openAt('15:00', '16:00')
    isDown = true
    await pass(62)
    expect(fetches.length).toBeGreaterThan(2)
    expect(fetches.length).toBeLessThan(6)
    isDown = false
    await pass(1)
    const { length } = fetches
    await pass(30)
    expect(fetches).toHaveLength(length)
  })
})
