import { slotOn } from '@qatra/contract/calendar/slot'
import type { DeliveryDay, UnavailableDay } from '@qatra/contract/vendors/vendors'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noteServerTime } from '../lib/server-clock.ts'
import { renderIn } from '../ui/test-page.tsx'
import { DayChips } from './DayChips.tsx'
import { DayChoice } from './DayChoice.tsx'
import { deliveryDaysQuery } from './days.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  noteServerTime(new Date().toUTCString())
  vi.useRealTimers()
})

const days = ['2026-11-23', '2026-11-24'].map((date) => ({ date, closedBefore: [] }))
const show = () => renderIn('en', <DayChips days={days} chosen={null} onChoose={() => {}} />)
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

describe('a closed day', () => {
  const closed = (date: string, reason: UnavailableDay['reason'], name: string | null = null): UnavailableDay => ({
    date: `2026-12-${date}`,
    reason,
    name,
    nameAr: name && 'العيد الوطني',
  })
  const open = (date: string, ...closedBefore: UnavailableDay[]): DeliveryDay => ({
    date: `2026-12-${date}`,
    windows: [],
    closedBefore,
  })
  async function choose(lang: 'ar' | 'en') {
    const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
    queries.setQueryData(deliveryDaysQuery(1).queryKey, [
      open('14', closed('13', 'cutOff')),
      open('15'),
      open(
        '20',
        closed('16', 'holiday', 'National Day'),
        closed('17', 'holiday', 'National Day'),
        closed('18', 'friday'),
        closed('19', 'closure'),
      ),
    ])
    await renderIn(
      lang,
      <QueryClientProvider client={queries}>
        <DayChoice query={deliveryDaysQuery(1)} chosen={slotOn('2026-12-14')} onChoose={() => {}} />
      </QueryClientProvider>,
    )
  }

  it('shows its reason on the chip, and cannot be chosen', async () => {
    await choose('en')
    const chips = screen.getAllByRole<HTMLInputElement>('radio', { name: /no delivery/ })
    expect(chips.map(({ ariaLabel, disabled }) => [ariaLabel, disabled])).toEqual([
      ['Sunday 13 December, no delivery: Too late', true],
      ['Wednesday 16 December, no delivery: Holiday', true],
      ['Thursday 17 December, no delivery: Holiday', true],
      ['Friday 18 December, no delivery: Day off', true],
      ['Saturday 19 December, no delivery: Closed', true],
    ])
    expect(screen.getByText('Too late').closest('label')?.textContent).toContain('13')
  })

  it.each([
    [
      'en',
      'Sunday 13 December: the time to order for this day is over. ' +
        'Wednesday 16 December to Thursday 17 December: National Day. ' +
        'Saturday 19 December: the vendor does not deliver. No delivery on Fridays.',
    ],
    [
      'ar',
      'الأحد 13 ديسمبر: انتهى وقت الطلب لهذا اليوم. من الأربعاء 16 ديسمبر إلى الخميس 17 ديسمبر: العيد الوطني. ' +
        'السبت 19 ديسمبر: العلامة لا توصّل. لا توصيل أيام الجمعة.',
    ],
  ] as const)('is explained below the chips (%s)', async (lang, text) => {
    await choose(lang)
    expect(screen.getByText(text)).toBeTruthy()
  })
})
