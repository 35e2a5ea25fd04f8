import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { inbox, newPhone, until } from '../test/fixtures/codes.ts'
import type { Visitor } from '../test/visitor.ts'

const shop = await startShop({ hasBot: false })
let boss: Visitor
beforeAll(async () => {
  boss = await shop.visitor().signInAs('+97336000001')
})

const template = { name: 'water_reminder', language: 'en' }
const start = (body: object, key?: string) =>
  boss.call(api.startConversation, { body: body as never }, key ? { 'idempotency-key': key } : {})
const contactsOf = (phone: string) => shop.query<{ id: number }>('select id from contacts where phone = $1', [phone])
const outgoing = async (phone: string) =>
  (await inbox(shop, phone)).filter(({ direction }) => direction === 'outgoing').map(({ body }) => body)

describe('a conversation started by staff', () => {
  it('sends a template to a new number and is assigned to the sender', async () => {
    const phone = newPhone()
    const { status, body } = await start({ phone: phone.replace('+973', ''), template })
    expect(status).toBe(200)
    expect(body).toMatchObject({ phone, isWindowOpen: false, windowEndsAt: null, last: { type: 'template' } })
    expect(body.assignedTo).not.toBeNull()
    expect(body.pausedUntil).not.toBeNull()
    await until('the template', async () => (await outgoing(phone)).length === 1)
    // Free-form messages still require a message of the customer.
    const params = { contact: String(body.contactId) }
    const { refusal } = await boss.call(api.sendReply, { params, body: { body: 'Hello' } })
    expect(refusal.code).toBe('SERVICE_WINDOW_CLOSED')
  })

  it('is started once, even if requested several times', async () => {
    const phone = newPhone()
    const all = await Promise.all(Array.from({ length: 4 }, () => start({ phone, template }, 'pressed')))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(all.map(({ body }) => body.contactId)).size).toBe(1)
    await until('the template', async () => (await outgoing(phone)).length > 0)
    expect(await outgoing(phone)).toHaveLength(1)
    expect((await start({ phone: newPhone(), template }, 'pressed')).refusal.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  it('is refused after an opt-out', async () => {
    const phone = newPhone()
    const first = await start({ phone, template })
    await until('the template', async () => (await outgoing(phone)).length === 1)
    const params = { contact: String(first.body.contactId) }
    await boss.call(work.changeOptOut, { params, body: { isOut: true } })
    const { status, refusal } = await start({ phone, template })
    expect([status, refusal.code]).toEqual([422, 'CONTACT_OPTED_OUT'])
    expect(await outgoing(phone)).toHaveLength(1)
  })

  it.each([
    ['a fixed line', { phone: '+97317000000', template }, 'PHONE_NOT_REACHED'],
    ['a number of far away', { phone: '+4915123456789', template }, 'PHONE_NOT_REACHED'],
    ['no number', { phone: 'hello', template }, 'INVALID_BODY'],
    ['no template', { phone: '+97336990001' }, 'INVALID_BODY'],
    ['words of one’s own', { phone: '+97336990001', body: 'Hello' }, 'INVALID_BODY'],
    [
      'an unknown template',
      { phone: '+97336990001', template: { ...template, name: 'none' } },
      'TEMPLATE_NOT_AVAILABLE',
    ],
    ['gaps too many', { phone: '+97336990001', template: { ...template, variables: ['a'] } }, 'TEMPLATE_NOT_AVAILABLE'],
  ])('is refused for %s, and creates no contact', async (_, body, code) => {
    const { status, refusal } = await start(body)
    expect([status, refusal.code]).toEqual([422, code])
    expect(await contactsOf('+97336990001')).toEqual([])
  })
})
