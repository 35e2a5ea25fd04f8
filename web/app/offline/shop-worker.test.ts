import type { PushMessage } from '@qatra/contract/notifications/push'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const showNotification = vi.fn(async () => undefined)

beforeEach(() => {
  vi.stubGlobal('caches', {})
  vi.stubGlobal('registration', { showNotification })
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
})
afterEach(() => vi.unstubAllGlobals())

it('a push message that replaces an earlier one of its order alerts again', async () => {
  await import('./shop-worker.ts')
  const message: PushMessage = { id: 7, lang: 'ar', title: 'طلبك في الطريق', body: 'ماء', path: '/orders/A', tag: 'A' }
  const waitUntil = vi.fn()
  dispatchEvent(Object.assign(new Event('push'), { data: { json: () => message }, waitUntil }))
  await waitUntil.mock.calls[0]?.[0]
  expect(showNotification).toHaveBeenCalledWith(message.title, expect.objectContaining({ tag: 'A', renotify: true }))
})
