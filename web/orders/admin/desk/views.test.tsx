import { removeOrderView, saveOrderView } from '@qatra/contract/orders/views'
import { configure, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusal } from '../../../checkout/test-shop.tsx'
import { page as deskPage } from './OrdersPage.tsx'
import { me, openPage, setUpDesk, type TestDesk, tearDownDesk } from './test-desk.tsx'

// Slow machines.
configure({ asyncUtilTimeout: 5_000 })

let desk: TestDesk
beforeEach(() => {
  desk = setUpDesk()
})
afterEach(tearDownDesk)

const open = (at = '/here', user = me) => openPage(deskPage.Component, { at, user })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const nameIt = (name: string) => {
  fireEvent.change(screen.getByLabelText('Name of the view'), { target: { value: name } })
  fireEvent.click(button('Save this view'))
}

describe('saved views', () => {
  it('are saved by name for the vendor, without day and search text', async () => {
    desk.shop.on(saveOrderView, ({ body }) => {
      desk.views = [{ id: 4, ...(body as { name: string; search: object }) }]
      return { id: 4, name: 'Vans', search: {} }
    })
    const { search } = await open('/here?day=2026-11-21&q=noura&status=shipped&driver=none&driver=21')
    fireEvent.click(button('Views'))
    nameIt(' Vans ')
    await screen.findByText('View saved')
    expect(desk.shop.to(saveOrderView).map(({ body }) => body)).toEqual([
      { name: 'Vans', search: { status: ['shipped'], driver: ['none', '21'] } },
    ])
    fireEvent.click(button('Views'))
    fireEvent.click(await screen.findByRole('button', { name: /^Vans/ }))
    await vi.waitFor(() => expect(search()).not.toContain('noura'))
    expect(search()).toContain('status=shipped')
  })

  it('of colleagues are listed, and removed by people who change orders', async () => {
    desk.views = [{ id: 7, name: 'From Sara', search: { status: ['new'], area: ['3'] } }]
    desk.shop.on(removeOrderView, () => {
      desk.views = []
      return { success: true as const }
    })
    await open('/here?day=2026-11-21')
    fireEvent.click(button('Views'))
    await screen.findByRole('button', { name: 'From Sara' })
    fireEvent.click(button('Remove the view From Sara'))
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'From Sara' })).toBeNull())
    expect(desk.shop.to({ ...removeOrderView, path: '/api/admin/orders/views/7' })).toHaveLength(1)
  })

  it('are only read without the permission to change orders', async () => {
    desk.views = [{ id: 7, name: 'From Sara', search: { status: ['new'] } }]
    await open('/here?status=shipped', { ...me, role: 'vendor_staff', permissions: ['orders.read'] })
    fireEvent.click(button(/^Views/))
    await screen.findByRole('button', { name: 'From Sara' })
    expect(screen.queryByRole('button', { name: /^Remove the view/ })).toBeNull()
    expect(screen.queryByLabelText('Name of the view')).toBeNull()
  })

  it.each([
    ['VIEW_NAME_TAKEN', 'There is already a view with this name'],
    ['VIEWS_FULL', '20 views is the limit. Remove one first.'],
  ] as const)('that the server refuses with %s say why, and the typed name stays', async (code, words) => {
    desk.shop.on(saveOrderView, () => refusal(code))
    await open('/here?status=shipped')
    fireEvent.click(button(/^Views/))
    nameIt('Vans')
    await screen.findByText(words)
    expect(screen.getByLabelText<HTMLInputElement>('Name of the view').value).toBe('Vans')
    expect(screen.queryByText('View saved')).toBeNull()
  })
})
