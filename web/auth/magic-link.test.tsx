import { getLinkStatus, verifyLink } from '@qatra/contract/links/links'
import { getMe, type User } from '@qatra/contract/users/auth'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, noora, openShop, refusal, visit } from '../checkout/test-shop.tsx'

let shop: FakeShop
let user: User | null
let isFocused = true
let statusRequests = 0
let used = 0
let goesTo: string | null = null
let isOwn: boolean | null = null

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  vi.spyOn(document, 'hasFocus').mockImplementation(() => isFocused)
  user = null
  isFocused = true
  goesTo = '/profile'
  isOwn = null
  statusRequests = 0
  used = 0
  shop = openShop()
  shop.on(getMe, () => user ?? refusal('SIGNED_OUT'))
  shop.on(getLinkStatus, () => {
    statusRequests += 1
    return { success: true, errorCode: null, phone: '+973 **** 0006', isOwn }
  })
  shop.on(verifyLink, () => {
    used += 1
    user = noora
    return { success: true, errorCode: null, redirectUrl: goesTo, redirectParams: { from: 'offer' } }
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('valid link', () => {
  it('is used when its page is visible, and redirects after 2 seconds', async () => {
    const { router } = await visit('/magic-login/abc')
    expect(await screen.findByText('You are signed in')).toBeTruthy()
    expect(used).toBe(1)
    await waitFor(() => expect(router.state.location.href).toBe('/profile?from=offer'))
  })

  it('is not used by a hidden page; a click uses it', async () => {
    isFocused = false
    await visit('/magic-login/abc?success=1')
    expect(screen.getByText('+973 **** 0006')).toBeTruthy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(used).toBe(0)
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('You are signed in')).toBeTruthy()
  })

  it('asks before it replaces the session of another account', async () => {
    user = { ...noora, phone: '+97336000099' }
    isOwn = false
    await visit('/magic-login/abc')
    expect(screen.getByText('Switch account?')).toBeTruthy()
    expect(screen.getByText('+973 **** 0099')).toBeTruthy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(used).toBe(0)
    fireEvent.click(screen.getByRole('button', { name: 'Switch account' }))
    expect(await screen.findByText('You are signed in')).toBeTruthy()
  })

  it('asks if isOwn is false although both phones end with the same four digits', async () => {
    user = { ...noora, phone: '+97333990006' }
    isOwn = false
    await visit('/magic-login/abc')
    expect(screen.getByText('Switch account?')).toBeTruthy()
    expect(screen.getAllByText('+973 **** 0006')).toHaveLength(2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(used).toBe(0)
  })

  it('asks if another account signed in after the page was rendered', async () => {
    isFocused = false
    await visit('/magic-login/abc')
    isOwn = false
    isFocused = true
    fireEvent.focus(window)
    expect(await screen.findByText('Switch account?')).toBeTruthy()
    expect(used).toBe(0)
  })

  it('does not ask the account that owns the link', async () => {
    user = noora
    isOwn = true
    await visit('/magic-login/abc')
    expect(await screen.findByText('You are signed in')).toBeTruthy()
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
    'never redirects to %s',
    async (bad) => {
      goesTo = null
      const { router } = await visit(`/magic-login/abc?redirectUrl=${encodeURIComponent(bad)}`)
      await screen.findByText('You are signed in')
      await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    },
  )
})

describe('link that does not sign in', () => {
  it.each([
    ['INVALID_LINK', /not valid/],
    ['EXPIRED_LINK', /has expired\. Please request a new one/],
    ['USED_LINK', /already used/],
    ['GENERAL_ERROR', /Authentication failed/],
  ] as const)('shows the message of %s with links to the sign-in and home page', async (errorCode, words) => {
    shop.on(getLinkStatus, () => ({ success: false, errorCode, phone: null, isOwn: null }))
    await visit('/magic-login/abc?success=1')
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Sign in by phone' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Home page' })).toBeTruthy()
  })

  it('shows a general message for an unknown error code', async () => {
    shop.on(verifyLink, () => ({
      success: false,
      errorCode: 'BLUE_MOON' as never,
      redirectUrl: null,
      redirectParams: null,
    }))
    await visit('/magic-login/abc')
    expect(await screen.findByText('Signing in with this link failed.')).toBeTruthy()
  })

  it.each([
    ['/magic-login/invalid', /not valid/],
    ['/magic-login', /not valid/],
    ['/magic-login/error?success=1', /Authentication failed/],
  ])('%s shows the error without a request', async (address, words) => {
    await visit(address)
    expect(screen.getByText(words)).toBeTruthy()
    expect(statusRequests).toBe(0)
  })
})
