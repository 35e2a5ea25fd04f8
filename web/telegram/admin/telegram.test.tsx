import { getTelegram, linkTelegram, type TelegramStatus, unlinkTelegram } from '@qatra/contract/telegram'
import { getMe, type User, updateProfile } from '@qatra/contract/users/auth'
import { useQueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { read } from '../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { dismissToast } from '../../ui/Toast.tsx'
import { page } from './TelegramPage.tsx'

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const unlinked: TelegramStatus = {
  isOn: true,
  hasGroup: true,
  isLinked: false,
  isSimulated: false,
  botName: 'QatraOfficeBot',
  accountName: null,
}
const linked: TelegramStatus = { ...unlinked, isLinked: true, accountName: '@sara_q' }
const code = 'a'.repeat(43)
const made = (life = 900) => ({
  code,
  url: `https://t.me/QatraOfficeBot?start=${code}`,
  now: '2026-11-21T09:00:00.000Z',
  expiresAt: new Date(Date.parse('2026-11-21T09:00:00.000Z') + life * 1_000).toISOString(),
})

async function show(status: TelegramStatus, me: Partial<User> = {}) {
  let now = status
  function Piece() {
    const queries = useQueryClient()
    useState(() => {
      queries.setQueryData(read(getMe).queryKey, { ...sara, permissions: ['events.read'], ...me })
      queries.setQueryData(read(getTelegram).queryKey, status)
      queries.setQueryDefaults(read(getTelegram).queryKey, { queryFn: () => now })
    })
    return <page.Component />
  }
  await renderInAdmin(() => <Piece />)
  await screen.findByRole('heading', { level: 1, name: 'Telegram' })
  return { become: (next: TelegramStatus) => void (now = next) }
}
const button = (name: string | RegExp) => screen.getByRole('button', { name })

describe('own Telegram account', () => {
  it('shows that there is no bot, and only a super admin sees how to configure one', async () => {
    await show({ ...unlinked, isOn: false, botName: null })
    expect(screen.getByRole('heading', { name: 'The shop has no bot yet' })).toBeTruthy()
    expect(screen.queryByText(/TELEGRAM_BOT_TOKEN/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Link my account' })).toBeNull()
    cleanup()
    await show({ ...unlinked, isOn: false, botName: null }, { role: 'super_admin', vendorId: null })
    expect(screen.getByText(/TELEGRAM_BOT_TOKEN/)).toBeTruthy()
  })

  it('is linked by a code with a countdown, and the page updates itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    shop.on(linkTelegram, () => made())
    const { become } = await show(unlinked)
    await act(async () => button('Link my account').click())
    const open = await screen.findByRole('link', { name: 'Open Telegram' })
    expect(open.getAttribute('href')).toBe(`https://t.me/QatraOfficeBot?start=${code}`)
    expect(screen.getByRole('img', { name: 'Code that opens the bot on your phone' })).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    expect(screen.getByRole('timer').textContent).toMatch(/13:5\d/)
    become(linked)
    await act(() => vi.advanceTimersByTimeAsync(4_000))
    const heading = await screen.findByRole('heading', { name: /linked as .*@sara_q/ })
    expect(document.activeElement).toBe(heading)
    expect(screen.getAllByRole('status').some((one) => /@sara_q/.test(one.textContent ?? ''))).toBe(true)
  })

  it('offers a new code after the old one has expired', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let count = 0
    shop.on(linkTelegram, () => made((count += 1) === 1 ? 3 : 900))
    await show(unlinked)
    await act(async () => button('Link my account').click())
    await screen.findByRole('timer')
    await act(() => vi.advanceTimersByTimeAsync(4_000))
    expect(screen.getByRole('heading', { name: 'The code has expired' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Open Telegram' })).toBeNull()
    await act(async () => button('New code').click())
    expect((await screen.findByRole('timer')).textContent).toMatch(/14:5\d|15:00/)
  })

  it('shows an error beside the button, and disables it while impersonating', async () => {
    shop.on(linkTelegram, () => refusal('IMPERSONATING'))
    await show(unlinked)
    fireEvent.click(button('Link my account'))
    expect((await screen.findByRole('alert')).textContent).toMatch(/owner of the account/)
    cleanup()
    await show(unlinked, { impersonatedBy: { name: 'Khalid', phone: '+97336000001' } })
    expect(button('Link my account').getAttribute('aria-disabled')).toBe('true')
  })

  it('is linked by sending the code if the name of the bot is unknown', async () => {
    shop.on(linkTelegram, () => ({ ...made(), url: null }))
    await show({ ...unlinked, botName: null })
    fireEvent.click(button('Link my account'))
    expect(await screen.findByText(code)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Open Telegram' })).toBeNull()
    expect(screen.getByText('Send it the code below')).toBeTruthy()
  })

  it('is unlinked after one confirmation, and remains linked if that fails', async () => {
    let isWell = false
    shop.on(unlinkTelegram, () => (isWell ? unlinked : refusal('INTERNAL')))
    await show(linked)
    fireEvent.click(button('Unlink'))
    const dialog = await screen.findByRole('dialog')
    expect(document.activeElement?.textContent).toBe('Stay linked')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe('Nothing was changed. Please try again.')
    isWell = true
    fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink' }))
    expect(await screen.findByRole('button', { name: 'Link my account' })).toBeTruthy()
  })

  it('says to super admins alone who sees the conversations in the staff group', async () => {
    const permissions = ['events.read', 'whatsapp.read', 'whatsapp.reply']
    await show(linked, { permissions })
    expect(screen.queryByText(/staff group/)).toBeNull()
    cleanup()
    await show({ ...linked, hasGroup: false }, { role: 'super_admin', vendorId: null, permissions })
    expect(screen.queryByText(/staff group/)).toBeNull()
    cleanup()
    for (const status of [unlinked, linked]) {
      await show(status, { role: 'super_admin', vendorId: null, permissions })
      expect(screen.getByText(/Everyone in the staff group sees the conversations of all brands/)).toBeTruthy()
      cleanup()
    }
  })

  it('saves the preferences, and restores them if saving fails', async () => {
    const sent: unknown[] = []
    let isWell = true
    shop.on(updateProfile, ({ body }) => {
      sent.push(body)
      return isWell ? ({ ...sara } as never) : refusal('INTERNAL')
    })
    await show(linked, { notificationTypes: ['new_orders', 'order_updates', 'whatsapp_incoming'] })
    // Conversations are available to the market only.
    expect(screen.getAllByRole('switch')).toHaveLength(2)
    const preference = screen.getByRole<HTMLInputElement>('switch', { name: 'New orders' })
    fireEvent.click(preference)
    await waitFor(() => expect(preference.checked).toBe(false))
    expect(sent).toEqual([{ notificationEnabled: true, notificationTypes: ['order_updates', 'whatsapp_incoming'] }])
    isWell = false
    fireEvent.click(preference)
    expect((await screen.findByRole('alert')).textContent).toMatch(/not saved/)
    expect(preference.checked).toBe(false)
  })
})
