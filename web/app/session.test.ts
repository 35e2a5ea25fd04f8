import { logout } from '@qatra/contract/auth'
import { getCart } from '@qatra/contract/cart'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { beforeSignOut, signOut } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

it('what waits to be sent goes before the session ends; what hangs is waited for only so long', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 })
  const order: string[] = []
  vi.stubGlobal('fetch', async (url: string | URL) => {
    const { pathname } = new URL(url, 'http://shop')
    order.push(pathname)
    return Response.json(pathname === getCart.path ? {} : { success: true })
  })
  const stop = [
    beforeSignOut(async () => void order.push('the orders that were marked')),
    beforeSignOut(() => Promise.reject(new Error('no network'))),
    beforeSignOut(() => new Promise(() => {})),
  ]
  expect(await signOut(new QueryClient())).toBe(true)
  expect(order.slice(0, 2)).toEqual(['the orders that were marked', logout.path])
  for (const one of stop) one()
  vi.useRealTimers()
})
