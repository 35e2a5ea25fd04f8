import { clearCart, getCart, restoreCart } from '@qatra/contract/cart/cart'
import { logout, verifyCode } from '@qatra/contract/users/auth'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call } from '../../lib/api-client.ts'
import { hasSignedOutSinceRequest, isSignOutPending } from '../../lib/pending-sign-out.ts'
import { setCookie } from '../../lib/site-data.ts'
import { beforeSignOut, signOut } from './session.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  setCookie('sign-out', '', 0)
})

it('pending requests are sent before the session ends; a hanging one is awaited for a limited time', async () => {
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

it('a call of before a sign-out is refused if it is answered later, and not sent if it waited for the sign-out', async () => {
  const sent: string[] = []
  const answers = new Map<string, () => void>()
  vi.stubGlobal('fetch', (url: string) => {
    sent.push(url)
    if (url === getCart.path) return Promise.resolve(Response.json({}))
    return new Promise((resolve) => answers.set(url, () => resolve(Response.json({ success: true }))))
  })
  const restored = call(restoreCart, {}).catch((error: unknown) => error)
  const signedOut = signOut(new QueryClient())
  await vi.waitFor(() => expect(sent).toContain(logout.path))
  const cleared = call(clearCart, {}).catch((error: unknown) => error)
  answers.get(logout.path)?.()
  expect(await cleared).toMatchObject({ code: 'OFFLINE' })
  expect(await signedOut).toBe(true)
  answers.get(restoreCart.path)?.()
  expect(await restored).toMatchObject({ code: 'OFFLINE' })
  expect(sent).not.toContain(clearCart.path)
})

it('detects a page requested before a sign-out ended, but not a later one or one from the future', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true }))
  expect(hasSignedOutSinceRequest()).toBe(false)
  await signOut(new QueryClient())
  expect(hasSignedOutSinceRequest()).toBe(true)
  vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(Date.now() + 1)
  expect(hasSignedOutSinceRequest()).toBe(false)
  vi.restoreAllMocks()
  setCookie('sign-out', String(Date.now() + 60_000), 60)
  expect(hasSignedOutSinceRequest()).toBe(false)
})

describe('a sign-out without a connection', () => {
  const wentTo: string[] = []
  let isOnline = false
  function goOffline() {
    wentTo.length = 0
    isOnline = false
    vi.stubGlobal('fetch', async (url: string | URL) => {
      if (!isOnline) throw new TypeError('Failed to fetch')
      const { pathname } = new URL(url, 'http://shop')
      wentTo.push(pathname)
      return Response.json({ success: true })
    })
  }

  it('is stored, and sent before any other call once online', async () => {
    goOffline()
    expect(await signOut(new QueryClient())).toBe(false)
    // The answer to a sign-out clears the storage, even where the page that sent it has been left.
    localStorage.clear()
    expect(isSignOutPending()).toBe(true)
    isOnline = true
    // Includes the next person's sign-in, in this tab or another one.
    const body = { phone: '+97336000007', code: '1234' }
    await Promise.all([call(verifyCode, { body }), call(getCart, {})])
    expect(wentTo).toEqual([logout.path, verifyCode.path, getCart.path])
    expect(isSignOutPending()).toBe(false)
    await call(getCart, {})
    expect(wentTo.filter((path) => path === logout.path)).toHaveLength(1)
  })

  it('blocks calls with the session of the person who signed out', async () => {
    goOffline()
    await signOut(new QueryClient())
    vi.stubGlobal('fetch', async (url: string) => {
      wentTo.push(url)
      return url === logout.path ? new Response('', { status: 503 }) : Response.json({})
    })
    wentTo.length = 0
    await expect(call(getCart, {})).rejects.toMatchObject({ code: 'OFFLINE' })
    expect(wentTo).toEqual([logout.path])
    expect(isSignOutPending()).toBe(true)
  })
})
