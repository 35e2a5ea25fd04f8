import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { createQueries } from './queries.ts'

afterEach(() => onlineManager.setOnline(true))

it('a query fails immediately without a connection', async () => {
  onlineManager.setOnline(false)
  const queries = createQueries(() => Promise.reject(new TypeError('Failed to fetch')))
  const waited = new Promise((done) => setTimeout(done, 500, 'still waiting'))
  await expect(Promise.race([queries.fetchQuery({ queryKey: ['/api/products/1'] }), waited])).rejects.toThrow(
    'Failed to fetch',
  )
})
