import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueries } from './queries.ts'
import { fetchAfterChange, invalidateAndRefetch, refetchInFlight } from './refetch.ts'

afterEach(() => onlineManager.setOnline(true))

it('a query fails immediately without a connection', async () => {
  onlineManager.setOnline(false)
  const queries = createQueries(() => Promise.reject(new TypeError('Failed to fetch')))
  const waited = new Promise((done) => setTimeout(done, 500, 'still waiting'))
  await expect(Promise.race([queries.fetchQuery({ queryKey: ['/api/products/1'] }), waited])).rejects.toThrow(
    'Failed to fetch',
  )
})

/** A cached order, and a read of it whose answer was made before the order changed. */
function whileReading() {
  const queryKey = ['/api/orders/1']
  const answers: ((status: string) => void)[] = []
  const queries = createQueries(() => new Promise<unknown>((done) => answers.push(done)))
  queries.setQueryData(queryKey, 'new')
  void queries.fetchQuery({ queryKey, staleTime: 0 })
  const answer = async (status: string) => {
    answers.shift()?.(status)
    await new Promise((done) => setTimeout(done))
    return queries.getQueryData(queryKey)
  }
  return { queries, queryKey, answer }
}

it('a read in flight that is restarted after a command does not hide the change', async () => {
  const { queries, queryKey, answer } = whileReading()
  queries.setQueryData(queryKey, 'shipped')
  refetchInFlight(queries, { queryKey })
  expect(await answer('new')).toBe('shipped')
  expect(await answer('shipped, read again')).toBe('shipped, read again')
})

it('a first read in flight is repeated after an event', async () => {
  const answers: ((status: string) => void)[] = []
  const queries = createQueries(() => new Promise<unknown>((done) => answers.push(done)))
  const queryKey = ['/api/orders/1']
  const stop = new QueryObserver(queries, { queryKey }).subscribe(() => {})
  const renewed = invalidateAndRefetch(queries, { queryKey })
  answers.shift()?.('new')
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  answers.shift()?.('shipped')
  await renewed
  expect(queries.getQueryData(queryKey)).toBe('shipped')
  stop()
})

it('a read after an event does not take the answer of an earlier read in flight', async () => {
  const { queries, queryKey, answer } = whileReading()
  const read = fetchAfterChange(queries, { queryKey })
  expect(await answer('new')).toBe('new')
  await answer('shipped')
  expect(await read).toBe('shipped')
})
