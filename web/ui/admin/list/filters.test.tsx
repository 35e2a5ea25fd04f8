import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  dayIn,
  flagIn,
  idIn,
  manyIds,
  manyOf,
  oneOf,
  pageNumber,
  readSearch,
  type StateOf,
  sortBy,
  textIn,
  useSearchState,
  writeSearch,
} from '../../../lib/search-state.ts'
import { Tabs } from '../Tabs.tsx'
import { renderInAdmin, setUpScreen } from '../test-admin.tsx'
import { ChoiceFilter } from './ChoiceFilter.tsx'
import { DateFilter, rangeOf } from './DateFilter.tsx'
import { FilterBar, SearchFilter } from './FilterBar.tsx'

const states = ['new', 'shipped', 'delivered'] as const
const drivers = [
  { value: 5, label: 'بلال حسين' },
  { value: 7, label: 'أحمد علي' },
]
const shape = {
  status: oneOf(states),
  drivers: manyIds,
  text: textIn(20),
  from: dayIn,
  to: dayIn,
  page: pageNumber,
  sort: sortBy(['time', 'total'], '-time'),
  many: manyOf(states),
  id: idIn,
  isLate: flagIn,
}

function Filters() {
  const [filters, set] = useSearchState(shape)
  return (
    <>
      <Tabs
        label="Status"
        chosen={filters.status ?? 'all'}
        items={[
          { key: 'all', label: 'All', count: 64, search: { status: undefined } },
          { key: 'new', label: 'New', count: 6, search: { status: 'new' } },
        ]}
      />
      <FilterBar end={<button type="button">CSV</button>}>
        <ChoiceFilter
          label="Driver"
          multiple
          searchable
          values={filters.drivers}
          options={drivers}
          onChange={(chosen) => set({ drivers: chosen })}
        />
        <DateFilter label="Placed" from={filters.from} to={filters.to} onChange={set} />
        <SearchFilter
          label="Order or name"
          value={filters.text}
          onChange={(text) => set({ text }, { replace: true })}
        />
      </FilterBar>
      <output>{JSON.stringify(filters.drivers)}</output>
    </>
  )
}
const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(400)))
const click = async (element: HTMLElement) => {
  fireEvent.click(element)
  await settle()
}

beforeEach(() => {
  setUpScreen()
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-18T07:00:00Z') })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('search parameters', () => {
  it('round-trips through the address', () => {
    const state: StateOf<typeof shape> = {
      status: 'shipped',
      drivers: [5, 7],
      text: 'نورة',
      from: '2026-11-01',
      to: undefined,
      page: 3,
      sort: 'total',
      many: ['new', 'delivered'],
      id: 12,
      isLate: true,
    }
    expect(readSearch(shape, writeSearch(shape, state))).toEqual(state)
  })

  it('omits empty and default values, and drops invalid ones', () => {
    const nothing = readSearch(shape, {})
    expect(Object.values(writeSearch(shape, nothing)).filter((value) => value !== undefined)).toEqual([])
    const nonsense = {
      status: 'gone',
      drivers: ['5', 'x', '-1', '05', '5'],
      text: '  x  ',
      from: '2026-02-30',
      page: '0',
      sort: 'name',
      id: '9e9',
      isLate: 'yes',
      many: ['new', 'old'],
      to: ['2026-01-01', '2026-01-02'],
    }
    expect(readSearch(shape, nonsense)).toEqual({
      ...nothing,
      drivers: [5],
      text: 'x',
      many: ['new'],
      to: '2026-01-01',
    })
  })
})

describe('filters', () => {
  it('are stored in the address and reset the page number', async () => {
    const { search } = await renderInAdmin(() => <Filters />, { at: '/here?page=4&other=kept' })
    await click(screen.getByRole('button', { name: 'Driver' }))
    await click(screen.getByRole('menuitemcheckbox', { name: /بلال حسين/ }))
    await click(screen.getByRole('menuitemcheckbox', { name: /أحمد علي/ }))
    expect(search()).toBe('?other=kept&drivers=5&drivers=7')
    await click(screen.getByRole('link', { name: /New/ }))
    expect(search()).toContain('status=new')
    expect(screen.getByRole('link', { name: /New/ }).getAttribute('aria-current')).toBeTruthy()
    expect(screen.getByRole('link', { name: /All/ }).getAttribute('aria-current')).toBeNull()
    await click(screen.getByRole('button', { name: 'Remove the filter Driver' }))
    expect(search()).toBe('?other=kept&status=new')
  })

  it('find a choice regardless of alef form, by keyboard, and return the focus', async () => {
    const { search } = await renderInAdmin(() => <Filters />)
    const chip = screen.getByRole('button', { name: 'Driver' })
    await click(chip)
    const field = screen.getByRole('searchbox', { name: 'Search in Driver' })
    expect(document.activeElement).toBe(field)
    fireEvent.change(field, { target: { value: 'احمد' } })
    await settle()
    const option = screen.getByRole('menuitemcheckbox')
    fireEvent.keyDown(field, { key: 'ArrowDown' })
    await settle()
    expect(field.getAttribute('aria-activedescendant')).toBe(option.id)
    fireEvent.keyDown(field, { key: 'Enter' })
    await settle()
    expect([search(), option.getAttribute('aria-checked')]).toEqual(['?drivers=7', 'true'])
    fireEvent.keyDown(field, { key: 'Escape' })
    await settle()
    expect(screen.queryByRole('menuitemcheckbox')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Driver: أحمد علي' }))
  })

  it('compute date presets in Bahrain time, weeks from Saturday', async () => {
    const at = (text: string) => new Date(text)
    expect(rangeOf('week', at('2026-11-21T00:00:00Z'))).toEqual({ from: '2026-11-21', to: '2026-11-21' })
    expect(rangeOf('week', at('2026-11-20T12:00:00Z'))).toEqual({ from: '2026-11-14', to: '2026-11-20' })
    expect(rangeOf('today', at('2026-11-20T21:30:00Z'))).toEqual({ from: '2026-11-21', to: '2026-11-21' })
    expect(rangeOf('month', at('2026-12-01T00:00:00Z'))).toEqual({ from: '2026-12-01', to: '2026-12-01' })
    const { search } = await renderInAdmin(() => <Filters />)
    await click(screen.getByRole('button', { name: 'Placed' }))
    await click(screen.getByRole('button', { name: 'This week' }))
    expect(search()).toBe('?from=2026-11-14&to=2026-11-18')
    expect(screen.getByRole('button', { name: 'Placed: This week' })).toBeTruthy()
  })

  it('update after a debounce, without a history entry per letter', async () => {
    const { search, router } = await renderInAdmin(() => <Filters />)
    const before = router.history.length
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Order or name' })
    for (const value of ['n', 'no', 'noo']) fireEvent.change(field, { target: { value } })
    expect(search()).toBe('')
    await settle()
    expect([search(), router.history.length]).toEqual(['?text=noo', before])
    fireEvent.keyDown(field, { key: 'Escape' })
    await settle()
    expect([search(), field.value]).toEqual(['', ''])
  })

  it('follow the address after going back', async () => {
    const { go } = await renderInAdmin(() => <Filters />, { at: '/here?text=noora' })
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Order or name' })
    expect(field.value).toBe('noora')
    await go('/here')
    await settle()
    expect(field.value).toBe('')
  })
})
