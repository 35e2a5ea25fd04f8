import { getOrder } from '@qatra/contract/orders/orders'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, stubScreen, visit } from '../checkout/test-shop.tsx'
import { orderOf } from './test-order.ts'

beforeEach(stubScreen)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the success page', () => {
  it.each([
    ['en', 'Add to calendar'],
    ['ar', 'أضف إلى التقويم'],
  ] as const)('thanks by name and has the delivery day for a calendar (%s)', async (lang, label) => {
    openShop().on(getOrder, () => ({ ...orderOf('new'), id: 'ABCDEFGHJKMNPQRS' }))
    await visit('/checkout/success/ABCDEFGHJKMNPQRS', lang)
    // Never by a part of the customer's name: عبد is half of one.
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^(Thank you|شكرًا لك)[,،] /)
    const link = screen.getByRole('link', { name: label })
    expect(link.getAttribute('href')).toBe(`/api/orders/ABCDEFGHJKMNPQRS/delivery.ics?lang=${lang}`)
  })

  it.each(['delivered', 'cancelled'] as const)('has no calendar for an order that is %s', async (status) => {
    openShop().on(getOrder, () => orderOf(status))
    await visit('/checkout/success/X')
    expect(screen.getByRole('link', { name: 'Follow your order' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull()
  })

  it.each([
    [null, 'Have BHD\u00a06.500 ready'],
    [20, 'You pay with BHD\u00a020.000; the driver brings BHD\u00a013.500 change.'],
  ])('says what to have ready to a customer who pays with %s', async (payingWith, words) => {
    openShop().on(getOrder, () => ({ ...orderOf('new'), payingWith }))
    await visit('/checkout/success/X', 'en')
    expect(screen.getByRole('main').textContent).toContain(words)
  })
})
