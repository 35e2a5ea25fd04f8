import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CallError, ReadKey } from '../../../lib/api-client.ts'
import { idIn, pageNumber, type StateOf, sortBy, textIn } from '../../../lib/search-state.ts'
import { renderInAdmin, setUpScreen } from '../test-admin.tsx'
import { ChoiceFilter } from './ChoiceFilter.tsx'
import { ListPage } from './ListPage.tsx'
import { useList } from './use-list.ts'

const shape = { q: textIn(100), tag: textIn(40), by: idIn, sort: sortBy(['name', 'age'], '-age'), page: pageNumber }
let refusals = 0

const listOf = (state: StateOf<typeof shape>) => ({
  queryKey: ['/api/pets', { query: state }] satisfies ReadKey,
  retry: false,
  queryFn: () =>
    refusals-- > 0
      ? Promise.reject(new Error('The line is dead') as CallError)
      : Promise.resolve({ items: [{ name: `Pet of page ${state.page}` }], page: state.page, limit: 2, total: 6 }),
})

function Pets() {
  const list = useList(shape, listOf, { limit: 2 })
  return (
    <ListPage
      list={list}
      title="Pets"
      search="Name"
      filters={
        <>
          <ChoiceFilter label="Tag" {...list.choice('tag')} options={[{ value: 'vip', label: 'VIP' }]} />
          <ChoiceFilter label="Owner" {...list.choice('by')} options={[{ value: 2, label: 'Sara' }]} />
        </>
      }
      label="All pets"
      columns={[{ key: 'name', title: 'Name', sortable: true, isText: true, cell: ({ name }) => name }]}
      rowKey={({ name }) => name}
      rowLabel={({ name }) => name}
      empty="None"
      renderCard={({ name }) => name}
    />
  )
}

beforeEach(() => {
  refusals = 0
  setUpScreen()
})
afterEach(cleanup)

it('a list turns its pages, sorts and filters by the address', async () => {
  const { search } = await renderInAdmin(() => <Pets />, { at: '/here?page=2&tag=vip&other=kept' })
  await screen.findByText('Pet of page 2')
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByText('Pet of page 3')
  expect(search()).toContain('page=3')
  fireEvent.click(screen.getByRole('button', { name: 'Remove the filter Tag' }))
  await screen.findByText('Pet of page 1')
  expect(search()).toBe('?other=kept')
  fireEvent.click(screen.getByRole('button', { name: 'Owner' }))
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Sara' }))
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(search()).toBe('?other=kept&by=2&sort=name'))
  expect(screen.getByRole('columnheader').getAttribute('aria-sort')).toBe('ascending')
})

it('a list that failed to load is loaded again', async () => {
  refusals = 1
  await renderInAdmin(() => <Pets />)
  await screen.findByRole('alert')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Pet of page 1')
})
