import { getOrder } from '@qatra/contract/orders/orders'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, stubScreen, visit } from '../checkout/test-shop.tsx'
import { deliveryEvent } from './order-calendar.ts'
import { orderOf } from './test-order.ts'

beforeEach(stubScreen)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const texts = { summary: 'Water', description: 'Order', url: 'https://qatra.bh/orders/X' }
const unfolded = (file: string) => file.replace(/\r\n /g, '').split('\r\n')

describe('the calendar file of a delivery', () => {
  it('has lines of at most 75 octets that end in CRLF and keep their Arabic characters whole', () => {
    const address = 'مبنى 1172، طريق 2831، مجمع 428، السيف 🏠 '.repeat(5).trim()
    const file = deliveryEvent({ ...orderOf('new'), address }, texts)
    for (const line of file.split('\r\n')) {
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
      expect(line).not.toContain('\n')
    }
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(unfolded(file)).toContain(`LOCATION:${address}`)
  })

  it('escapes what would end a value or begin another property', () => {
    const address = 'Flat 1, gate; left\\right\nDTSTART:20000101\r\nDTEND:20000102\rURL:x'
    expect(unfolded(deliveryEvent({ ...orderOf('new'), address }, texts))).toContain(
      'LOCATION:Flat 1\\, gate\\; left\\\\right\\nDTSTART:20000101\\nDTEND:20000102\\nURL:x',
    )
  })

  it('spans the delivery day, also the last one of a year, and has the id and the version of the order', () => {
    const lines = unfolded(deliveryEvent({ ...orderOf('new', '2026-12-31'), id: 'ABCD', version: 3 }, texts))
    expect(lines).toEqual(
      expect.arrayContaining([
        'DTSTART;VALUE=DATE:20261231',
        'DTEND;VALUE=DATE:20270101',
        'UID:ABCD@qatra.bh',
        'SEQUENCE:3',
      ]),
    )
  })
})

describe('the success page', () => {
  it.each([
    ['en', 'Add to calendar', 'SUMMARY:Water from Hayrat', 'Order number: ABCD EFGH JKMN PQRS'],
    ['ar', 'أضف إلى التقويم', 'SUMMARY:توصيل الماء من هيرات', 'رقم الطلب: ABCD EFGH JKMN PQRS'],
  ] as const)('saves the event in the language of the page (%s)', async (lang, label, summary, number) => {
    const order = { ...orderOf('new'), id: 'ABCDEFGHJKMNPQRS' }
    openShop().on(getOrder, () => order)
    const files: Blob[] = []
    const names: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    class TestUrl extends URL {
      static override createObjectURL = (file: Blob) => `blob:${files.push(file)}`
      static override revokeObjectURL = () => undefined
    }
    vi.stubGlobal('URL', TestUrl)
    await visit(`/checkout/success/${order.id}`, lang)
    // Never by a part of the customer's name: عبد is half of one.
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^(Thank you|شكرًا لك)[,،] /)
    fireEvent.click(screen.getByRole('button', { name: label }))
    expect(names).toEqual(['qatra-ABCDEFGHJKMNPQRS.ics'])
    expect(files[0]?.type).toBe('text/calendar;charset=utf-8')
    const lines = unfolded((await files[0]?.text()) ?? '')
    expect(lines).toContain(summary)
    expect(lines).toContain(`LOCATION:${order.address}`)
    expect(lines.find((line) => line.startsWith('DESCRIPTION:'))).toContain(number)
  })

  it.each(['delivered', 'cancelled'] as const)('has no calendar for an order that is %s', async (status) => {
    openShop().on(getOrder, () => orderOf(status))
    await visit('/checkout/success/X')
    expect(screen.getByRole('link', { name: 'Follow your order' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add to calendar' })).toBeNull()
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
