import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noteServerTime } from '../lib/server-clock.ts'
import { renderIn } from '../ui/test-page.tsx'
import { DayChips } from './DayChips.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  noteServerTime(new Date().toUTCString())
  vi.useRealTimers()
})

const show = () => renderIn('en', <DayChips days={['2026-11-23', '2026-11-24']} chosen={null} onChoose={() => {}} />)
const tomorrow = () => screen.getByText('Tomorrow').closest('label')?.querySelector('input')?.value

describe('the chip of tomorrow', () => {
  it('is the next one after midnight on an open page', async () => {
    vi.setSystemTime('2026-11-22T23:59:00+03:00')
    noteServerTime(new Date().toUTCString())
    await show()
    expect(tomorrow()).toBe('2026-11-23')
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(tomorrow()).toBe('2026-11-24')
    expect(screen.getByText('Today')).toBeTruthy()
  })

  it('follows the server’s clock on a device that is a day slow', async () => {
    vi.setSystemTime('2026-11-21T12:00:00+03:00')
    noteServerTime('Sun, 22 Nov 2026 09:00:00 GMT')
    await show()
    expect(tomorrow()).toBe('2026-11-23')
  })
})
