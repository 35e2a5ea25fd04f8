import { fromBhd } from '@qatra/contract/lib/money'
import { kinds, notificationKinds } from '@qatra/contract/notifications/kinds'
import { describe, expect, it } from 'vitest'
import type { OrderOfNews } from './queries.ts'
import type { Mirrored } from './topics/mirror.queries.ts'
import { messageWords, mirroredWords, orderWords, topicName } from './words.ts'

const message = (more: Partial<Mirrored>): Mirrored => ({
  id: 1,
  direction: 'incoming',
  message_type: 'text',
  content: null,
  sent_by_type: 'customer',
  by_name: null,
  sha256: null,
  attached: null,
  filename: null,
  is_fetching: false,
  is_late: false,
  lat: null,
  lng: null,
  ...more,
})

describe('texts in the group', () => {
  it('are in both languages', () => {
    expect(mirroredWords(message({ content: '  أين طلبي؟ ' }))).toBe('أين طلبي؟')
    expect(mirroredWords(message({ message_type: 'image' }))).toBe('صورة · Photo')
    const bot = { direction: 'outgoing', sent_by_type: 'bot', content: 'أهلًا' } as const
    expect(mirroredWords(message(bot))).toBe('↩ الرد الآلي · Bot: أهلًا')
    expect(mirroredWords(message({ ...bot, sent_by_type: 'staff', by_name: 'سارة' }))).toBe('↩ سارة: أهلًا')
    expect(mirroredWords(message({ ...bot, attached: 'r.pdf' }))).toBe('↩ الرد الآلي · Bot: أهلًا\n📎 r.pdf')
  })

  it('limit the length of a topic name without splitting a character', () => {
    const flag = '🇧🇭'
    const named = topicName({ contact_id: 7, name: flag.repeat(60), phone: '+97333100000' })
    expect(named.length).toBeLessThanOrEqual(128)
    expect(named).toMatch(/^(?:🇧🇭)+…$/u)
    expect(topicName({ contact_id: 7, name: '  ', phone: null })).toBe('#7')
    expect(topicName({ contact_id: 7, name: 'مريم', phone: '+97333100000' })).toBe('مريم · \u200e+97333100000')
  })
})

describe('a notification of a message', () => {
  it('contains the link to the inbox for texts of any length', () => {
    const long = {
      id: 1,
      contact_id: 1,
      content: 'ماء 👨‍👩‍👧 '.repeat(900),
      message_type: 'text',
      phone: '+97333100000',
      handoff_reason: null,
      order_id: null,
      order_vendor_id: null,
    }
    for (const lang of ['ar', 'en'] as const) {
      const text = messageWords({ ...long, name: 'م'.repeat(900) }, { lang, publicUrl: 'https://qatra.example' })
      expect(text.length).toBeLessThanOrEqual(4096)
      expect(text.endsWith('\nhttps://qatra.example/admin/whatsapp?open=1')).toBe(true)
      expect(text.isWellFormed()).toBe(true)
    }
  })
})

describe('a notification of an order', () => {
  const order: OrderOfNews = {
    id: 'K7QM2222AAAA3333',
    status: 'new',
    vendor_id: 1,
    vendor_name: 'Hayrat',
    vendor_name_ar: 'هيرات',
    area: 'Seef',
    area_ar: 'السيف',
    total: fromBhd(5.65),
    promisedDate: '2026-11-22',
    driver_id: null,
    agent_id: null,
  }
  const kindsOfOrders = kinds.filter((kind) => notificationKinds[kind].stream === 'orders')

  it('has a text for each kind in both languages, with a link to the page of its reader', () => {
    for (const lang of ['ar', 'en'] as const) {
      for (const kind of kindsOfOrders) {
        const news = { kind, status: 'shipped', role: 'vendor_sales', publicUrl: 'https://qatra.example' } as const
        const lines = orderWords(order, news, lang).split('\n')
        expect(lines).toHaveLength(4)
        expect(lines[0]).toContain('K7QM')
        expect(lines.join()).not.toMatch(/telegram\.|notifications\./)
        expect(lines[3]).toBe(`https://qatra.example/admin/sales/${order.id}`)
      }
    }
    const placed = { kind: 'order-placed', status: 'new', role: 'vendor_admin', publicUrl: '' } as const
    // The text of the notification centre and the order's number.
    expect(orderWords(order, placed, 'ar')).toMatch(/^طلب جديد .K7QM 2222 AAAA 3333.\n/)
    const moved = { kind: 'order-moved', status: 'shipped', role: 'vendor_admin', publicUrl: '' } as const
    expect(orderWords(order, moved, 'ar')).toMatch(/خرج للتوصيل\nهيرات · السيف\n/)
  })

  it('says that it is a complaint, and about which order', () => {
    const words = {
      id: 1,
      contact_id: 7,
      content: 'كرتون ناقص',
      message_type: 'text',
      name: 'مريم',
      phone: null,
      handoff_reason: 'trouble',
      order_id: null,
      order_vendor_id: null,
    }
    const at = { publicUrl: 'https://qatra.example', complaint: { orderId: '4F7K2M9QXT31B8WD' } }
    expect(messageWords(words, { ...at, lang: 'ar' })).toMatch(
      /^شكوى من مريم بشأن الطلب .4F7K 2M9Q XT31 B8WD.:\nكرتون ناقص\n/,
    )
    expect(messageWords(words, { ...at, lang: 'en', complaint: { orderId: null } })).toMatch(/^Complaint of مريم:\n/)
  })
})
