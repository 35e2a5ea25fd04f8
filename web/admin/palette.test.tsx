import type { Lang } from '@qatra/contract/lib/lang'
import { type Found, searchAdmin } from '@qatra/contract/search-admin'
import { getMe, type User } from '@qatra/contract/users/auth'
import { rolePermissions } from '@qatra/contract/users/permissions'
import { useQueryClient } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signedIn } from '../app/session/session.ts'
import { fakeShop, refusal } from '../checkout/test-shop.tsx'
import { fetchKey, read } from '../lib/api-client.ts'
import { loadMessages, translateWith } from '../lib/language/i18n.tsx'
import { renderInAdmin, sara, setUpScreen } from '../ui/admin/test-admin.tsx'
import { PaletteButton, PaletteOpener } from './PaletteOpener.tsx'

const pages = vi.hoisted(() => ({ entries: [] as unknown[] }))
vi.mock('./nav.ts', () => ({ useNavigation: () => pages.entries }))
// Import before the tests: compiling can take longer than a test waits for the chunk.
await import('./Palette.tsx')
// In the shop's build, which tests use, the admin's messages are not part of the first load.
await loadMessages('ar')

// Slow machines.
configure({ asyncUtilTimeout: 5_000 })

let shop: ReturnType<typeof fakeShop>
const user: User = { ...sara, permissions: [...rolePermissions.vendor_admin] }
const nothing: Found = { orders: [], customers: [], products: [], drivers: [], users: [], areas: [] }
const noura: Found = {
  orders: [
    { id: 'K7QM222222222222', customerName: 'Noura', status: 'new', areaName: 'Seef', areaNameAr: 'السيف' },
    { id: 'P4WN222222222222', customerName: 'Noura', status: 'shipped', areaName: null, areaNameAr: null },
  ],
  customers: [{ id: 6, name: 'Noura', phone: '+97336000006' }],
  products: [{ id: 9, name: 'Noura Water', nameAr: 'ماء نورة', size: '500ml' }],
  drivers: [{ id: 5, name: 'Noura Driver', phone: '+97336000005' }],
  users: [{ id: 3, name: 'Noura Clerk', phone: '+97336000003', role: 'vendor_staff', preset: 'agent' }],
  areas: [{ id: 7, name: 'Noura Gardens', nameAr: 'حدائق نورة' }],
}

function Page({ children }: { children?: ReactNode }) {
  const queries = useQueryClient()
  useState(() => {
    queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, queryFn: fetchKey } })
    queries.setQueryData(read(getMe).queryKey, user)
  })
  return (
    <>
      <PaletteButton />
      <PaletteOpener />
      {children}
    </>
  )
}

async function open({ lang = 'en' as Lang, children = null as ReactNode } = {}) {
  const view = await renderInAdmin(() => <Page>{children}</Page>, { lang })
  return { ...view, place: () => view.router.state.location.href }
}
const press = (target: Element = document.body, more: object = { ctrlKey: true }, key = 'k') =>
  fireEvent.keyDown(target, { code: 'KeyK', key, ...more })
const field = () => screen.findByRole<HTMLInputElement>('combobox')
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } })
const isOpen = () => screen.queryByRole('combobox') !== null

beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
  shop.on(searchAdmin, ({ query }) => (query.get('q') === 'noura' ? noura : nothing))
  pages.entries = [
    { path: '/admin/orders', label: 'admin.nav.orders' },
    { path: '/elsewhere', label: 'admin.nav.drivers' },
    { path: '/here', label: 'admin.nav.customers' },
  ]
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('an Arabic name in an English text is isolated, so that the signs beside it keep their place', async () => {
  const t = translateWith(await loadMessages('en'), true)
  expect(t('users.act.title', { name: 'سارة' })).toBe('Act as \u2068سارة\u2069?')
  expect(t('users.act.title', { name: 'Sara 3' })).toBe('Act as Sara 3?')
  expect(translateWith(await loadMessages('ar'), true)('users.act.title', { name: 'سارة' })).not.toContain('\u2068')
})

describe('Ctrl+K', () => {
  it.each([
    ['Ctrl+K', { ctrlKey: true }, 'k'],
    ['⌘K', { metaKey: true }, 'k'],
    ['the same key of an Arabic keyboard', { ctrlKey: true }, 'ن'],
  ])('opens the search by %s, and Escape closes it', async (_, more, key) => {
    await open()
    expect(press(document.body, more, key)).toBe(false)
    const input = await field()
    expect(document.activeElement).toBe(input)
    fireEvent.keyDown(await field(), { key: 'Escape' })
    expect(isOpen()).toBe(false)
  })

  it('opens it from a text field, and closes it when pressed again', async () => {
    await open({ children: <input aria-label="name" /> })
    press(screen.getByLabelText('name'))
    press(await field())
    expect(isOpen()).toBe(false)
  })

  it('stays with editors, with open dialogs and with Apple’s text fields', async () => {
    await open({
      children: (
        <>
          <div contentEditable suppressContentEditableWarning data-testid="editor">
            text
          </div>
          <input aria-label="name" />
        </>
      ),
    })
    expect(press(screen.getByTestId('editor'))).toBe(true)
    expect(press(document.body, { ctrlKey: true, shiftKey: true })).toBe(true)
    vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
    expect(press(screen.getByLabelText('name'))).toBe(true)
    const dialog = document.body.appendChild(document.createElement('dialog'))
    dialog.setAttribute('open', '')
    expect(press(document.body, { metaKey: true })).toBe(true)
    dialog.remove()
    expect(isOpen()).toBe(false)
    expect(press(screen.getByLabelText('name'), { metaKey: true })).toBe(false)
    expect(await field()).toBeTruthy()
    vi.restoreAllMocks()
  })
})

describe('the search of everything', () => {
  it('opens by its button, and finds pages by their names in both languages before the server answers', async () => {
    const { place } = await open()
    shop.on(searchAdmin, () => new Promise(() => {}))
    fireEvent.click(screen.getByRole('button', { name: 'Find' }))
    await type('سائق')
    await screen.findByRole('option', { name: 'Drivers' })
    await type('driv')
    await screen.findByRole('option', { name: 'Drivers' })
    fireEvent.keyDown(await field(), { key: 'Enter' })
    await waitFor(() => expect(place()).toBe('/elsewhere'))
    expect(isOpen()).toBe(false)
  })

  it('lists orders, people, products and areas in groups; arrows and Enter open one', async () => {
    const { router } = await open()
    const go = vi.spyOn(router, 'navigate')
    press()
    await type('noura')
    const plain = (text: string | null) => text?.replace(/[\u2068\u2069]/g, '')
    expect((await screen.findAllByRole('option')).map(({ textContent }) => plain(textContent))).toEqual([
      'K7QM · NouraSeef · New',
      'P4WN · NouraShipped',
      'Noura+973 3600 0006',
      'Noura Driver+973 3600 0005',
      'Noura ClerkCustomer service',
      'Noura Water500 ml',
      'Noura Gardens',
    ])
    expect(screen.getAllByRole('group')).toHaveLength(6)
    fireEvent.keyDown(await field(), { key: 'ArrowDown' })
    fireEvent.keyDown(await field(), { key: 'Enter' })
    await waitFor(() =>
      expect(go).toHaveBeenCalledWith({ to: '/admin/orders', search: { day: 'all', open: 'P4WN222222222222' } }),
    )
  })

  it('shows what was opened lately until one types, and forgets it with the person', async () => {
    const { queries } = await open()
    press()
    await type('customers')
    fireEvent.click(await screen.findByRole('option', { name: 'Customers' }))
    await waitFor(() => expect(isOpen()).toBe(false))
    press()
    expect((await screen.findAllByRole('option'))[0]?.textContent).toBe('Customers')
    fireEvent.keyDown(await field(), { key: 'Escape' })
    await act(() => signedIn(queries))
    press()
    await screen.findByText('Type an order number, a phone or a name.')
    expect(screen.queryByRole('option')).toBeNull()
  })

  it('says that nothing was found, and offers to repeat a failed search while pages stay', async () => {
    await open()
    press()
    await type('zzz')
    await screen.findByText('Nothing matches.')
    shop.on(searchAdmin, () => refusal('UNAVAILABLE'))
    await type('orders')
    await screen.findByText('The search failed. Only pages are listed here.')
    expect(screen.getByRole('option', { name: 'Orders' })).toBeTruthy()
    shop.on(searchAdmin, () => noura)
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
    await screen.findByRole('option', { name: /Noura Water/ })
  })

  it('shows an answer for the typed text alone', async () => {
    await open()
    press()
    await type('noura')
    await screen.findByRole('option', { name: /Noura Water/ })
    await type('nour')
    expect(screen.queryByRole('option', { name: /Noura Water/ })).toBeNull()
    await screen.findByText('Nothing matches.')
  })
})
