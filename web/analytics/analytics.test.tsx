import { getSite } from '@qatra/contract/settings/site'
import { getMe, logout } from '@qatra/contract/users/auth'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, noora, openShop, refusal, visit } from '../checkout/test-shop.tsx'
import { dismissToast } from '../ui/Toast.tsx'
import { chooseConsent } from './consent.ts'
import { track } from './events.ts'
import { pagePath } from './paths.ts'

const noIds = { ga: null, meta: null, snap: null }
const allIds = { ga: 'G-TEST', meta: '123', snap: 'abc' }
let shop: FakeShop

async function open(address = '/about', ids: typeof noIds | typeof allIds = allIds) {
  const answer = await (await fetch('/api/site')).json()
  shop.on(getSite, () => ({ ...answer, analytics: ids }))
  const opened = await visit(address)
  await act(() => vi.dynamicImportSettled())
  return opened
}
const question = () => screen.queryByRole('region', { name: 'May we measure visits?' })
const scripts = () => [...document.scripts].map(({ src }) => src).filter((src) => src.startsWith('https://'))
const hosts = () =>
  scripts()
    .map((src) => new URL(src).host)
    .sort()
const loaded = () => waitFor(() => expect(scripts()).toHaveLength(3))
/** Calls queued by the stub of the pixel, whose script is not loaded. */
const fbqCalls = (): unknown[][] => [...(window.fbq?.queue ?? [])] as unknown[][]
const toldOf = (name: string) => fbqCalls().filter(([, event]) => event === name)

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  shop = openShop()
})
afterEach(() => {
  act(() => chooseConsent('refused'))
  cleanup()
  dismissToast()
  localStorage.clear()
  sessionStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('consent banner', () => {
  it('is not shown if no analytics id is configured', async () => {
    await open('/about', noIds)
    expect(question()).toBeNull()
    expect(screen.queryByRole('button', { name: 'Cookie choices' })).toBeNull()
  })

  it('is shown before any third-party script loads', async () => {
    await open()
    expect(question()).toBeTruthy()
    track('page_view', { path: '/about' })
    expect(scripts()).toEqual([])
    expect(window.fbq).toBeUndefined()
  })

  it('is not shown again after a refusal, and nothing loads', async () => {
    await open()
    fireEvent.click(screen.getByRole('button', { name: 'I do not agree' }))
    expect(question()).toBeNull()
    cleanup()
    await open()
    expect(question()).toBeNull()
    expect(scripts()).toEqual([])
  })

  it('loads each script from its own host after consent', async () => {
    await open()
    fireEvent.click(screen.getByRole('button', { name: 'I agree' }))
    await loaded()
    expect(hosts()).toEqual(['connect.facebook.net', 'sc-static.net', 'www.googletagmanager.com'])
    expect(JSON.parse(localStorage.getItem('analytics-consent') ?? '')).toMatchObject({ choice: 'granted' })
  })

  it('opens again from the footer; withdrawing the consent removes the scripts', async () => {
    chooseConsent('granted')
    await open()
    await loaded()
    fireEvent.click(screen.getByRole('button', { name: 'Cookie choices' }))
    fireEvent.click(screen.getByRole('button', { name: 'I do not agree' }))
    await waitFor(() => expect(scripts()).toEqual([]))
    expect([window.gtag, window.fbq, window.snaptr]).toEqual([undefined, undefined, undefined])
    track('page_view', { path: '/' })
    expect(fbqCalls()).toEqual([])
  })
})

describe('analytics events', () => {
  beforeEach(() => chooseConsent('granted'))

  it('contain page paths without query strings and order ids', async () => {
    const { router } = await open('/about?secret=1')
    await loaded()
    await act(() => router.navigate({ to: '/faqs' }))
    await waitFor(() => expect(toldOf('PageView')).toHaveLength(2))
    expect(JSON.stringify([fbqCalls(), window.dataLayer?.map((call) => [...(call as unknown[])])])).not.toContain(
      'secret',
    )
    expect(pagePath('/orders/QX7KABCD?x=1#y')).toBe('/orders/-')
    expect(pagePath('/checkout/success/QX7KABCD')).toBe('/checkout/success/-')
  })

  it('contain a purchase once within 30 minutes, under the id of its order', async () => {
    await open()
    await loaded()
    const item = { productId: 11, name: 'Hayrat', category: '330ml', price: 1.5, quantity: 4, vendorId: 1 }
    const purchase = { orderId: 'ABCDEFGHJKMNPQRS', revenue: 6.5, products: [item], vendorId: 1 }
    track('purchase', purchase)
    track('purchase', purchase)
    expect(toldOf('Purchase')).toEqual([
      [
        ...['track', 'Purchase'],
        { currency: 'BHD', value: 6.5, content_type: 'product', content_ids: ['11'], num_items: 4 },
        { eventID: 'ABCDEFGHJKMNPQRS' },
      ],
    ])
    const half = 30 * 60_000
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + half + 1)
    track('purchase', purchase)
    expect(toldOf('Purchase')).toHaveLength(2)
  })

  it('identify a person by a hash, cleared at sign-out', async () => {
    let isSignedIn = true
    shop.on(getMe, () => (isSignedIn ? noora : refusal('SIGNED_OUT')))
    shop.on(logout, () => {
      isSignedIn = false
      return { success: true as const }
    })
    await open()
    await loaded()
    // SHA-256 of 97336000006
    const hash = 'ae3fdaea541366dc5b9cffd511844745cc3479581d43dfb901207398a0152461'
    await waitFor(() => expect(fbqCalls()).toContainEqual(['init', '123', { ph: hash, external_id: hash }]))
    fireEvent.click(screen.getByRole('button', { name: 'My account' }))
    fireEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }))
    await waitFor(() =>
      expect(
        fbqCalls()
          .filter(([name]) => name === 'init')
          .at(-1),
      ).toEqual(['init', '123', {}]),
    )
    expect(JSON.stringify(fbqCalls())).not.toContain('36000006')
  })

  it('are not sent while the address contains a secret', async () => {
    await open('/magic-login/error')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(scripts()).toEqual([])
  })
})

describe('third-party script that does not load', () => {
  beforeEach(() => chooseConsent('granted'))

  it('disables only its own adapter if it is blocked', async () => {
    await open()
    await loaded()
    const meta = [...document.scripts].find(({ src }) => src.includes('facebook'))
    act(() => void meta?.dispatchEvent(new Event('error')))
    await waitFor(() => expect(window.fbq).toBeUndefined())
    expect(hosts()).toEqual(['sc-static.net', 'www.googletagmanager.com'])
    track('vendor_selected', { vendorId: 1, name: 'Hayrat' })
    expect(window.snaptr?.queue?.at(-1)).toEqual(['track', 'CUSTOM_EVENT_1', { client_dedup_id: expect.any(String) }])
  })

  it('is given up after 10 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await open()
    await loaded()
    vi.advanceTimersByTime(9_000)
    await Promise.resolve()
    expect(scripts()).toHaveLength(3)
    vi.advanceTimersByTime(1_100)
    await waitFor(() => expect(scripts()).toEqual([]))
    expect([window.gtag, window.fbq, window.snaptr]).toEqual([undefined, undefined, undefined])
  })
})
