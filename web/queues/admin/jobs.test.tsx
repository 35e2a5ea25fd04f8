import { discardJobs, type FailedJob, listFailedJobs, type QueueFigures, retryJobs } from '@qatra/contract/queues'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { read } from '../../lib/api-client.ts'
import { readSearch } from '../../lib/search-state.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { FailedJobs } from './FailedJobs.tsx'
import { failedQuery, jobsShape } from './search.ts'

const queue = (name: string, failed: number): QueueFigures => ({
  name,
  failed,
  depth: 0,
  waiting: 0,
  later: 0,
  active: 0,
  oldestSeconds: null,
  doneLastHour: 0,
  lastDoneAt: null,
})
const job = (id: string, of: string): FailedJob => ({
  id,
  queue: of,
  createdAt: '2026-11-21T07:00:00.000Z',
  failedAt: '2026-11-21T08:00:00.000Z',
  tries: 4,
  reason: { type: 'Error', code: 'ECONNRESET', message: `The line is dead (${id})` },
  payload: [{ name: 'id', value: 'R56N7MDTJ9Q9UWA9' }],
})
const ids = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
]
const jobs = [job(ids[0], 'send-code'), job(ids[1], 'order-messages'), job(ids[2], 'send-code')]

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Loaded() {
  const queries = useQueryClient()
  useState(() => {
    const { queryKey } = read(listFailedJobs, { query: failedQuery(readSearch(jobsShape, {})) })
    queries.setQueryData(queryKey, { items: jobs, page: 1, limit: 50, total: 3 })
  })
  return (
    <main>
      <FailedJobs queues={[queue('send-code', 2), queue('order-messages', 1), queue('old-carts', 0)]} />
    </main>
  )
}

it('the page retries the selected jobs, grouped by queue', async () => {
  const sent: unknown[] = []
  shop.on(retryJobs, ({ body }) => {
    sent.push(body)
    return { changed: 1 }
  })
  await renderInAdmin(() => <Loaded />)
  const rows = screen.getAllByRole('row').slice(1)
  expect(rows[0]?.textContent).toContain('The line is dead')
  for (const row of rows) fireEvent.click(within(row).getByRole('checkbox'))
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent).toEqual([
    { queue: 'send-code', ids: [ids[0], ids[2]] },
    { queue: 'order-messages', ids: [ids[1]] },
  ])
})

it('the page asks before it discards all jobs, and shows an error in the dialog', async () => {
  shop.on(discardJobs, () => refusal('UNAVAILABLE'))
  await renderInAdmin(() => <Loaded />)
  fireEvent.click(screen.getByRole('button', { name: 'Discard all' }))
  const dialog = screen.getByRole('dialog')
  expect(dialog.textContent).toContain('3 jobs will be deleted')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Discard' }))
  expect(await within(dialog).findByRole('alert')).toBeTruthy()

  const queues: unknown[] = []
  shop.on(discardJobs, ({ body }) => {
    queues.push(body)
    return { changed: 1 }
  })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(queues).toEqual([{ queue: 'send-code' }, { queue: 'order-messages' }])
})
