import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderInAdmin, sara, setUpScreen } from '../test-admin.tsx'
import { DataTable } from './DataTable.tsx'
import { type Column, ColumnMenu, useColumns } from './table-columns.tsx'
import type { DataTableProps } from './table-model.ts'

interface Row {
  id: string
  name: string
  total: string
}
const rows: Row[] = ['a', 'b', 'c', 'd', 'e'].map((id, at) => ({ id, name: `Name ${id}`, total: `${at}.000` }))
const all: Column<Row>[] = [
  { key: 'id', title: 'Order', cell: (row) => row.id, fixed: true },
  { key: 'name', title: 'Customer', cell: (row) => row.name },
  { key: 'total', title: 'Total', cell: (row) => row.total, align: 'end', sortable: true },
]

type Given = Partial<DataTableProps<Row>>
function Table(given: Given) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const columns = useColumns('rows', all)
  return (
    <>
      <ColumnMenu {...columns} />
      <DataTable<Row>
        label="Orders"
        columns={columns.shown}
        rows={rows}
        rowKey={(row) => row.id}
        rowLabel={(row) => row.id}
        selected={selected}
        onSelect={setSelected}
        bulk={<button type="button">Ship them</button>}
        empty={<p>No orders yet</p>}
        renderCard={(row) => <span>Card {row.id}</span>}
        {...given}
      />
    </>
  )
}
const show = (given: Given = {}) => renderInAdmin(() => <Table {...given} />)
const press = (code: string, key = code) => fireEvent.keyDown(document.activeElement ?? document.body, { code, key })
const rowAt = (at: number) => screen.getAllByRole('row')[at] as HTMLElement
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const chosen = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter(({ checked }) => checked)
    .map((one) => one.ariaLabel ?? one.getAttribute('aria-label'))

beforeEach(() => {
  setUpScreen()
  localStorage.clear()
})
afterEach(cleanup)

describe('a table', () => {
  it('shows skeleton rows of the same height, then the rows or the empty state', async () => {
    await show({ rows: undefined })
    expect(screen.getByRole('table', { name: 'Orders' }).getAttribute('aria-busy')).toBe('true')
    expect(screen.getAllByRole('row').length).toBeGreaterThan(5)
    cleanup()
    await show()
    expect(within(rowAt(1)).getByText('Name a')).toBeTruthy()
    cleanup()
    await show({ rows: [] })
    expect(screen.getByText('No orders yet')).toBeTruthy()
    cleanup()
    const onRetry = vi.fn()
    await show({ rows: undefined, error: new Error('no'), onRetry })
    fireEvent.click(within(screen.getByRole('alert')).getByRole('button'))
    expect(onRetry).toHaveBeenCalledOnce()
  })

  it('keeps its rows if a refetch fails', async () => {
    await show({ error: new Error('no') })
    expect(screen.getByText('Name a')).toBeTruthy()
  })

  it('selects one row, a range with Shift, and the whole page', async () => {
    await show()
    fireEvent.click(box('Select b'))
    fireEvent.click(box('Select d'), { shiftKey: true })
    expect(chosen()).toEqual(['Select b', 'Select c', 'Select d'])
    expect(screen.getByText('3 selected')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Ship them' })).toBeTruthy()
    const every = box('Select every row of this page')
    expect(every.indeterminate).toBe(true)
    fireEvent.click(every)
    expect(chosen()).toHaveLength(rows.length + 1)
    fireEvent.click(screen.getByRole('button', { name: 'Clear the selection' }))
    expect(chosen()).toEqual([])
    expect(screen.queryByRole('button', { name: 'Ship them' })).toBeNull()
  })

  it('is operable by keyboard, also with an Arabic layout', async () => {
    const onOpen = vi.fn()
    await show({ onOpen })
    press('KeyJ', 'ت')
    expect(document.activeElement).toBe(rowAt(1))
    press('ArrowDown')
    press('KeyJ', 'j')
    expect(document.activeElement).toBe(rowAt(3))
    press('ArrowUp')
    press('KeyX', 'ء')
    expect(chosen()).toEqual(['Select b'])
    press('Enter')
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1])
  })

  it('opens the panel of the focused row', async () => {
    const onOpen = vi.fn()
    await show({ onOpen, openKey: 'c' })
    expect(rowAt(3).getAttribute('aria-current')).toBe('true')
    press('KeyJ', 'j')
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[3])
  })

  it("ignores keys while typing, and clicks on a row's controls", async () => {
    const onOpen = vi.fn()
    await show({ onOpen })
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    press('KeyJ', 'j')
    expect(document.activeElement).toBe(field)
    field.remove()
    fireEvent.click(box('Select a'))
    expect(onOpen).not.toHaveBeenCalled()
    fireEvent.click(screen.getByText('Name a'))
    expect(onOpen).toHaveBeenCalledOnce()
  })

  it('is sorted by the server: descending first, then ascending', async () => {
    const onSort = vi.fn()
    await show({ sort: 'name', onSort })
    fireEvent.click(screen.getByRole('button', { name: 'Total' }))
    expect(onSort).toHaveBeenLastCalledWith('-total')
    cleanup()
    await show({ sort: '-total', onSort })
    expect(screen.getByRole('columnheader', { name: /Total/ }).getAttribute('aria-sort')).toBe('descending')
    fireEvent.click(screen.getByRole('button', { name: /Total/ }))
    expect(onSort).toHaveBeenLastCalledWith('total')
  })

  it('ends at the third page while impersonating, and shows a notice', async () => {
    const onPage = vi.fn()
    const user = { ...sara, impersonatedBy: { name: 'Khalid', phone: '+97336000001' } }
    await renderInAdmin(() => <Table page={3} limit={5} total={40} onPage={onPage} />, { user })
    expect((await screen.findByRole('note')).textContent).toContain('first 3 pages')
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(onPage).not.toHaveBeenCalled()
  })

  it('shows the row range, and disables missing pages', async () => {
    const onPage = vi.fn()
    await show({ page: 2, limit: 5, total: 8, onPage })
    expect(screen.getByText('6–8 of 8')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(onPage).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Previous page' }))
    expect(onPage).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('stores the visible columns per person', async () => {
    await show()
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
    expect(screen.queryByRole('menuitemcheckbox', { name: 'Order' })).toBeNull()
    fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Customer' }))
    expect(screen.queryByRole('columnheader', { name: 'Customer' })).toBeNull()
    cleanup()
    await show()
    expect(screen.queryByText('Name a')).toBeNull()
    expect(localStorage.getItem('columns.2.rows')).toBe('["name"]')
  })

  it('is a list of cards on a phone', async () => {
    setUpScreen({ width: 360 })
    const onOpen = vi.fn()
    await show({ onOpen })
    expect(screen.queryByRole('table')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Card b' }))
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1])
  })
})
