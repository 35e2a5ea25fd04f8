import type { ClosedDay } from '@qatra/contract/calendar/admin'
import { bahrainDate, formatDay, weekdayOf } from '@qatra/contract/calendar/calendar'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { DayPanel } from './DayPanel.tsx'
import { MonthGrid } from './MonthGrid.tsx'
import { daysOf, monthOf, monthsOn, monthTitle } from './month.ts'

describe('month helpers', () => {
  it('list six weeks from a Saturday that contain all days of the month', () => {
    for (let n = 0; n < 48; n += 1) {
      const month = monthsOn('2026-01-01', n)
      const days = daysOf(month)
      expect([days.length, weekdayOf(days[0] ?? '')]).toEqual([42, 6])
      expect(days.filter((day) => monthOf(day) === month).length).toBeGreaterThanOrEqual(28)
      expect(days.slice(0, 7)).toContain(month)
    }
  })

  it('return the previous and next month, and a name in both languages', () => {
    expect([monthsOn('2026-12-01', 1), monthsOn('2026-01-01', -1)]).toEqual(['2027-01-01', '2025-12-01'])
    expect([monthTitle('2026-11-01', 'en'), monthTitle('2026-11-01', 'ar')]).toEqual(['November 2026', 'نوفمبر 2026'])
  })
})

const closedDay = (more: Partial<ClosedDay>): ClosedDay => ({
  id: 1,
  day: '2026-12-16',
  vendorId: null,
  name: 'National Day',
  nameAr: 'العيد الوطني',
  isEstimated: false,
  can: { remove: false },
  ...more,
})

beforeEach(() => setUpScreen())
afterEach(cleanup)

describe('month grid', () => {
  const grid =
    (onChoose: (day: string) => void, onMonth = (_: string) => {}) =>
    () => (
      <MonthGrid
        month="2026-12-01"
        today="2026-12-10"
        closed={[closedDay({}), closedDay({ id: 2, day: '2026-12-20', vendorId: 1, name: null, nameAr: null })]}
        loads={[{ date: '2026-12-17', orders: 48, units: 1 }]}
        chosen="2026-12-16"
        onChoose={onChoose}
        onMonth={onMonth}
      />
    )

  it('labels each day with its closure', async () => {
    await renderInAdmin(grid(() => {}))
    expect(screen.getByRole('button', { name: /Wednesday 16 December.*National Day/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /Thursday 17 December.*48 orders · one unit/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /Friday 18 December/ }).getAttribute('aria-label')).toMatch(/Friday/)
    expect(screen.getByRole('button', { name: /Thursday 10 December/ }).getAttribute('aria-current')).toBe('date')
  })

  it('moves by arrow keys in the direction of the language, and across months', async () => {
    const chosen = vi.fn()
    const month = vi.fn()
    const { unmount } = await renderInAdmin(grid(chosen, month))
    const day = () => screen.getByRole('button', { name: /16 December|16 ديسمبر/ })
    fireEvent.keyDown(day(), { key: 'ArrowRight' })
    fireEvent.keyDown(day(), { key: 'ArrowDown' })
    expect(chosen.mock.calls).toEqual([['2026-12-17'], ['2026-12-23']])
    unmount()
    await renderInAdmin(grid(chosen, month), { lang: 'ar' })
    fireEvent.keyDown(day(), { key: 'ArrowRight' })
    expect(chosen.mock.lastCall).toEqual(['2026-12-15'])
    const [first] = screen.getAllByRole('button')
    if (first) fireEvent.keyDown(first, { key: 'ArrowUp' })
    expect(month).toHaveBeenCalledWith('2026-11-01')
  })
})

describe('panel of a day', () => {
  const panel = (more: Partial<Parameters<typeof DayPanel>[0]>) => () => (
    <DayPanel
      day="2099-12-16"
      today={bahrainDate(new Date())}
      closed={[]}
      vendor={null}
      isMarket={false}
      problem={null}
      onClose={() => Promise.resolve()}
      onOpen={() => Promise.resolve()}
      {...more}
    />
  )

  it('closes a vendor’s own day without a vendor id', async () => {
    const close = vi.fn(() => Promise.resolve())
    await renderInAdmin(panel({ onClose: close }))
    fireEvent.change(screen.getByLabelText('Occasion in English'), { target: { value: 'Stocktaking' } })
    fireEvent.click(screen.getByRole('button', { name: 'Close this day' }))
    expect(close).toHaveBeenCalledWith({ day: '2099-12-16', name: 'Stocktaking', nameAr: null, isEstimated: false })
  })

  it('requires both names of a holiday from a super admin', async () => {
    const close = vi.fn(() => Promise.resolve())
    await renderInAdmin(panel({ isMarket: true, onClose: close }))
    fireEvent.click(screen.getByRole('button', { name: 'Add the holiday' }))
    expect(close).not.toHaveBeenCalled()
    expect(screen.getByText('Write the holiday’s name in both languages')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Occasion in English'), { target: { value: 'Eid' } })
    fireEvent.change(screen.getByLabelText('Occasion in Arabic'), { target: { value: 'عيد' } })
    fireEvent.click(screen.getByRole('button', { name: 'Add the holiday' }))
    expect(close).toHaveBeenCalledWith(expect.objectContaining({ vendorId: null, name: 'Eid', nameAr: 'عيد' }))
  })

  it('offers no action for a past day, and opens only closures that the user can remove', async () => {
    const open = vi.fn(() => Promise.resolve())
    const mine = closedDay({ id: 5, vendorId: 1, can: { remove: true } })
    const { unmount } = await renderInAdmin(panel({ closed: [closedDay({}), mine], onOpen: open }))
    expect(screen.getAllByRole('button', { name: 'Open the day' })).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'Open the day' }))
    expect(open).toHaveBeenCalledWith(mine)
    unmount()
    await renderInAdmin(panel({ day: '2020-01-05' }))
    const region = screen.getByRole('region', { name: formatDay('2020-01-05', 'en', 'long') })
    expect(within(region).queryByRole('button')).toBe(null)
  })
})
