import { getMe } from '@qatra/contract/users/auth'
import { dehydrate, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { read } from '../lib/api-client.ts'
import { currentUser } from '../lib/current-user.ts'
import { startQueries } from './browser.ts'

afterEach(() => {
  document.getElementById('state')?.remove()
  vi.unstubAllGlobals()
})

/** A page whose server read who is there `ago` milliseconds before, by its own clock. */
function arrive(ago: number) {
  const server = new QueryClient()
  server.setQueryData(read(getMe).queryKey, null as never, { updatedAt: Date.now() - ago })
  const state = document.createElement('script')
  state.id = 'state'
  state.type = 'application/json'
  state.textContent = JSON.stringify(dehydrate(server))
  document.body.append(state)
}

it.each([0, 6 * 60_000, 24 * 3_600_000, -3_600_000])(
  'data of a page that was rendered %i ms ago are not refetched',
  async (ago) => {
    arrive(ago)
    const fetchMock = vi.fn()
    vi.stubGlobal('fetch', fetchMock)
    const queries = startQueries()
    const leave = new QueryObserver(queries, currentUser()).subscribe(() => {})
    await new Promise((resolve) => setTimeout(resolve, 20))
    leave()
    expect(queries.getQueryData(read(getMe).queryKey)).toBeNull()
    expect(fetchMock).not.toHaveBeenCalled()
    expect(document.getElementById('state')).toBeNull()
  },
)
