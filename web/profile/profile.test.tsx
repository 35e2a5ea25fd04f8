import type { Page } from '@qatra/contract/lib/page'
import { cancelCollection, listMyBottles, type MyBottles, requestCollection } from '@qatra/contract/my-bottles'
import { listMyOrders, type Order } from '@qatra/contract/orders/orders'
import { eraseAccount, exportAccount, getMe, logout, type User, updateProfile } from '@qatra/contract/users/auth'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, noora, openShop, refusal, visit } from '../checkout/test-shop.tsx'
import { dismissToast } from '../ui/Toast.tsx'

let shop: FakeShop
let user: User | null

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close ??= () => undefined
  user = { ...noora, name: 'Noora', language: 'en' }
  shop = openShop()
  shop.on(getMe, () => user ?? refusal('SIGNED_OUT'))
  shop.on(updateProfile, ({ body }) => {
    // The page sends fields of the user.
    user = { ...(user ?? noora), ...(body as Partial<User>) }
    return user
  })
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { exact: false }), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))
const saved = () => shop.to(updateProfile).at(-1)?.body

describe('profile page', () => {
  it('redirects a visitor to the sign-in page and back', async () => {
    user = null
    const { router } = await visit('/profile')
    expect(router.state.location.href).toBe('/login?redirect=%2Fprofile')
  })

  it('saves changes and confirms', async () => {
    await visit('/profile')
    type('Name', 'Noora Aldoseri')
    fireEvent.click(screen.getByLabelText(/Offers and news/))
    save()
    expect(await screen.findByText('Changes saved')).toBeTruthy()
    expect(saved()).toEqual({
      name: 'Noora Aldoseri',
      language: 'en',
      notificationEnabled: true,
      companyName: null,
      crNumber: null,
      vatNumber: null,
      marketingConsent: true,
      reminders: false,
    })
  })

  it('switches the page to the selected language', async () => {
    await visit('/profile')
    fireEvent.click(screen.getByLabelText('العربية'))
    save()
    expect(await screen.findByRole('heading', { name: 'الملف الشخصي' })).toBeTruthy()
    expect(document.documentElement.dir).toBe('rtl')
  })

  it('keeps the input and marks the invalid field', async () => {
    await visit('/profile')
    type('Name', 'noora@example.com')
    save()
    expect(await screen.findByText(/Write the name of the person or company/)).toBeTruthy()
    expect(screen.getByText('The changes could not be saved')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))
    expect(shop.to(updateProfile)).toHaveLength(0)
  })

  it('shows a server error beside its field', async () => {
    shop.on(updateProfile, () => refusal('INVALID_BODY', { fields: { vatNumber: 'No such number' } }))
    await visit('/profile')
    save()
    expect(await screen.findByText('No such number')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText(/VAT/))
  })
})

describe("a person's data", () => {
  it('can be downloaded', async () => {
    shop.on(exportAccount, () => ({ user: { id: 6 } }))
    const made: Blob[] = []
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${made.push(blob)}` }))
    URL.revokeObjectURL = () => undefined
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await visit('/profile')
    fireEvent.click(screen.getByRole('button', { name: 'Download my data' }))
    expect(await screen.findByText('Your data was downloaded')).toBeTruthy()
    expect(click).toHaveBeenCalledOnce()
    expect(JSON.parse((await made[0]?.text()) ?? '')).toEqual({ user: { id: 6 } })
  })

  it('is erased only after the word was typed', async () => {
    shop.on(logout, () => ({ success: true as const }))
    shop.on(eraseAccount, () => {
      user = null
      return { success: true as const }
    })
    const { path } = await visit('/profile')
    fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    expect(screen.getByText(/Past orders stay/)).toBeTruthy()
    const erase = await screen.findByRole('button', { name: 'Delete account', hidden: true })
    fireEvent.click(erase)
    expect(screen.getByText('Type the word “delete” as it is.')).toBeTruthy()
    expect(shop.to(eraseAccount)).toHaveLength(0)
    fireEvent.change(screen.getByLabelText('To confirm, type: delete'), { target: { value: ' Delete ' } })
    fireEvent.click(erase)
    await waitFor(() => expect(path()).toBe('/'))
    expect(shop.to(eraseAccount)).toHaveLength(1)
    expect(screen.getByText('Your account is deleted')).toBeTruthy()
  })

  it('lists the open orders that will be cancelled before the confirmation', async () => {
    shop.on(listMyOrders, () => openOrders('new', 'in-progress'))
    await visit('/profile')
    fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    expect(screen.queryByRole('button', { name: 'Delete account', hidden: true })).toBeNull()
    expect(await screen.findByText('These 2 orders will be cancelled with the account:')).toBeTruthy()
    expect(Object.fromEntries(shop.to(listMyOrders).at(-1)?.query ?? [])).toMatchObject({ status: 'open' })
    for (const text of ['9HXR 4TVC M2KE 7QW0', '9HXR 4TVC M2KE 7QW1', 'Hayrat', 'Safa', 'BHD 8.250', 'BHD 9.250'])
      expect(screen.getByText(text)).toBeTruthy()
    expect(screen.getAllByText(/23 November/)).toHaveLength(2)
    expect(screen.getByRole('button', { name: 'Delete account', hidden: true })).toBeTruthy()
  })

  it('cannot be confirmed while an order is shipped, also if it was shipped during the confirmation', async () => {
    let status: Order['status'] = 'new'
    shop.on(listMyOrders, () => openOrders(status))
    shop.on(eraseAccount, () => {
      status = 'shipped'
      return refusal('ORDERS_ON_THE_WAY', { orderIds: ['9HXR4TVCM2KE7QW0'] })
    })
    await visit('/profile')
    fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    fireEvent.change(await screen.findByLabelText('To confirm, type: delete'), { target: { value: 'delete' } })
    fireEvent.click(screen.getByRole('button', { name: 'Delete account', hidden: true }))
    expect(await screen.findByText(/This order is with the driver now/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Delete account', hidden: true })).toBeNull()
    expect(screen.queryByLabelText('To confirm, type: delete')).toBeNull()
  })

  it('cannot be confirmed while the open orders are not loaded', async () => {
    shop.on(listMyOrders, () => refusal('UNAVAILABLE'))
    await visit('/profile')
    fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    expect(await screen.findByText(/Your open orders could not be loaded/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Delete account', hidden: true })).toBeNull()
    shop.on(listMyOrders, () => openOrders())
    fireEvent.click(screen.getByRole('button', { name: 'Try again', hidden: true }))
    expect(await screen.findByRole('button', { name: 'Delete account', hidden: true })).toBeTruthy()
  })
})

/** One open order for each status, of two vendors. */
function openOrders(...statuses: Order['status'][]): Page<Order> {
  const items = statuses.map(
    (status, i) =>
      ({
        id: `9HXR4TVCM2KE7QW${i}`,
        status,
        vendorName: i === 0 ? 'Hayrat' : 'Safa',
        vendorNameAr: i === 0 ? 'هيرات' : 'صفا',
        total: 8.25 + i,
        promisedDate: '2026-11-23',
      }) as Order, // the dialog reads only these fields
  )
  return { items, page: 1, limit: 100, total: items.length }
}

describe('the collection of empties', () => {
  const row = (visit: MyBottles['visit']): MyBottles => ({
    vendorId: 1,
    typeId: 5,
    name: 'Gallon',
    nameAr: 'غالون',
    count: 4,
    depositHeld: 8,
    visit,
    moves: [],
  })
  const visitOf = (canCancel: boolean) => ({ id: 9, date: '2026-12-14', address: 'House 3', bottles: 3, canCancel })
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

  it('is asked for with count and day, shown while it is open, and cancelled', async () => {
    let open: MyBottles['visit'] = null
    shop.on(listMyBottles, () => [row(open)])
    shop.on(getDeliveryDays, () =>
      ['2026-12-14', '2026-12-15'].map((date) => ({ date, windows: [], closedBefore: [] })),
    )
    shop.on(requestCollection, () => {
      open = visitOf(true)
      return { id: 9, date: '2026-12-14' }
    })
    shop.on(cancelCollection, () => {
      open = null
      return { success: true as const }
    })
    await visit('/profile')
    fireEvent.click(await screen.findByRole('button', { name: 'Have empties collected' }))
    fireEvent.click(screen.getByRole('button', { name: 'One fewer' }))
    fireEvent.click(await screen.findByRole('radio', { name: /15 December/ }))
    press('Ask for collection')
    expect(await screen.findByText(/Empties are collected on .*14 December/)).toBeTruthy()
    expect(shop.to(requestCollection).at(-1)?.body).toMatchObject({ vendorId: 1, bottles: 3, date: '2026-12-15' })
    press('Cancel the collection')
    fireEvent.click(screen.getAllByRole('button', { name: 'Cancel the collection' }).at(-1) as HTMLElement)
    expect(await screen.findByRole('button', { name: 'Have empties collected' })).toBeTruthy()
  })

  it('says why it is refused, and that the driver is on the way', async () => {
    let open: MyBottles['visit'] = null
    shop.on(listMyBottles, () => [row(open)])
    shop.on(getDeliveryDays, () => [{ date: '2026-12-14', windows: [], closedBefore: [] }])
    shop.on(requestCollection, () => {
      open = visitOf(false)
      return refusal('VENDOR_DOES_NOT_DELIVER')
    })
    await visit('/profile')
    fireEvent.click(await screen.findByRole('button', { name: 'Have empties collected' }))
    press('Ask for collection')
    expect(await screen.findByText(/The driver is on the way/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Cancel the collection' })).toBeNull()
  })
})
