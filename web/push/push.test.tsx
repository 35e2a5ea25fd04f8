import { getPush, subscribePush, unsubscribePush } from '@qatra/contract/notifications/push'
import { getMe, type User } from '@qatra/contract/users/auth'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, noora, openShop, refusal, visit } from '../checkout/test-shop.tsx'

const subscription = { endpoint: 'https://fcm.googleapis.com/x', keys: { p256dh: 'p', auth: 'a' } }
const unsubscribe = vi.fn(async () => true)
const subscribe = vi.fn()
const requestPermission = vi.fn()
let shop: FakeShop
let user: User
let isOn: boolean

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubEnv('PROD', true)
  const earlier = { unsubscribe }
  const registration = { pushManager: { subscribe, getSubscription: async () => earlier } }
  const workers = {
    register: async () => registration,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission })
  subscribe.mockReset().mockResolvedValue({ toJSON: () => ({ ...subscription, expirationTime: null }) })
  requestPermission.mockReset().mockResolvedValue('granted')
  unsubscribe.mockClear()
  user = { ...noora, name: 'Noora', language: 'en' }
  isOn = false
  shop = openShop()
  shop.on(getMe, () => user)
  shop.on(getPush, () => ({ isOn, publicKey: 'the-key' }))
  shop.on(subscribePush, () => {
    isOn = true
    return null
  })
  shop.on(unsubscribePush, () => {
    isOn = false
    return null
  })
})
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const turnOn = async () => fireEvent.click(await screen.findByRole('button', { name: 'Turn on notifications' }))

describe('notifications on this device', () => {
  it('are asked for by a press alone, subscribe with the key of the shop and can be turned off', async () => {
    await visit('/profile')
    await screen.findByRole('button', { name: 'Turn on notifications' })
    expect(requestPermission).not.toHaveBeenCalled()
    await turnOn()
    expect(await screen.findByText('Notifications are on for this device')).toBeTruthy()
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'the-key' })
    expect(shop.to(subscribePush).map(({ body }) => body)).toEqual([subscription])
    fireEvent.click(screen.getByRole('button', { name: 'Turn off notifications' }))
    expect(await screen.findByRole('button', { name: 'Turn on notifications' })).toBeTruthy()
    expect([shop.to(unsubscribePush).length, unsubscribe.mock.calls.length]).toEqual([1, 2])
  })

  it('stay off if the permission is refused', async () => {
    requestPermission.mockResolvedValue('denied')
    await visit('/profile')
    await turnOn()
    expect(await screen.findByText(/Notifications are blocked/)).toBeTruthy()
    expect([subscribe.mock.calls, shop.to(subscribePush)]).toEqual([[], []])
  })

  it.each([
    ['the push service cannot be reached', () => subscribe.mockRejectedValue(new DOMException('x', 'AbortError'))],
    ['the shop refuses its address', () => shop.on(subscribePush, () => refusal('PUSH_SERVICE_UNKNOWN'))],
  ])('stay off if %s', async (_, prepare) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    prepare()
    await visit('/profile')
    await turnOn()
    expect(await screen.findByText('Notifications could not be turned on. Please try again.')).toBeTruthy()
    warn.mockRestore()
  })

  it.each([
    ['in a browser without them', () => Reflect.deleteProperty(globalThis, 'PushManager')],
    ['while impersonating', () => (user = { ...user, impersonatedBy: { name: null, phone: '+97336000001' } })],
  ])('are not offered %s', async (_, prepare) => {
    prepare()
    await visit('/profile')
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toBeTruthy())
    expect(screen.queryByText(/otifications are on|Follow your order/)).toBeNull()
  })
})
