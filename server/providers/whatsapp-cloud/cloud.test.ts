import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { type MetaServer, startMeta } from '../../test/simulators/whatsapp-cloud.ts'
import type { Outgoing } from '../message.ts'
import { problemOf } from '../message.ts'
import { cloudGateway } from './gateway.ts'

let meta: MetaServer
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.stop())
beforeEach(() => meta.reset())

const gateway = () =>
  cloudGateway(
    () => ({
      ...readConfig({ NODE_ENV: 'test' }).whatsapp,
      provider: 'cloud',
      token: meta.token,
      phoneNumberId: meta.phoneNumberId,
      graphUrl: meta.graphUrl,
    }),
    { publicUrl: 'https://qatra.example' },
  ).messages
const send = (message: Outgoing, to = { phone: '+97336000006', businessScopedId: null as string | null }) =>
  gateway().send({ to: to as never, message, reference: '77' })

const rows = Array.from({ length: 10 }, (_, n) => ({ id: `p${n}`, title: `Water ${n}`, description: 'BHD 1.500' }))
const kinds: [string, Outgoing, object][] = [
  ['text', { type: 'text', text: 'مرحبا' }, { type: 'text', text: { preview_url: false, body: 'مرحبا' } }],
  [
    'template with a file of the shop',
    {
      type: 'template',
      name: 'eid',
      language: 'ar',
      body: [],
      header: { type: 'document', link: '/media/ab?name=p.pdf', filename: 'p.pdf' },
      text: '…',
    },
    {
      type: 'template',
      template: {
        name: 'eid',
        language: { code: 'ar' },
        components: [
          {
            type: 'header',
            parameters: [
              { type: 'document', document: { link: 'https://qatra.example/media/ab?name=p.pdf', filename: 'p.pdf' } },
            ],
          },
        ],
      },
    },
  ],
  [
    'template',
    {
      type: 'template',
      name: 'order_placed',
      language: 'ar',
      body: ['نورة', 'ABCD'],
      header: { type: 'image', link: 'https://qatra.example/a.webp' },
      buttons: [
        { index: 0, type: 'url', value: 'orders/ABCD' },
        { index: 1, type: 'quick_reply', value: 'stop' },
      ],
      text: '…',
    },
    {
      type: 'template',
      template: {
        name: 'order_placed',
        language: { code: 'ar' },
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { link: 'https://qatra.example/a.webp' } }] },
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'نورة' },
              { type: 'text', text: 'ABCD' },
            ],
          },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'orders/ABCD' }] },
          { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'stop' }] },
        ],
      },
    },
  ],
  [
    'template without variables',
    { type: 'template', name: 'hello', language: 'en', body: [], text: 'Hello' },
    { type: 'template', template: { name: 'hello', language: { code: 'en' } } },
  ],
  [
    'list',
    {
      type: 'list',
      text: 'Choose',
      header: 'Water',
      footer: 'BHD',
      button: 'Products',
      sections: [{ title: 'Small', rows }],
    },
    {
      type: 'interactive',
      interactive: {
        type: 'list',
        header: { type: 'text', text: 'Water' },
        body: { text: 'Choose' },
        footer: { text: 'BHD' },
        action: { button: 'Products', sections: [{ title: 'Small', rows }] },
      },
    },
  ],
  [
    'buttons',
    { type: 'buttons', text: 'Sure?', buttons: [{ id: 'yes', title: 'نعم' }] },
    {
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Sure?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'نعم' } }] },
      },
    },
  ],
  [
    'location request',
    { type: 'location-request', text: 'Where?' },
    {
      type: 'interactive',
      interactive: { type: 'location_request_message', body: { text: 'Where?' }, action: { name: 'send_location' } },
    },
  ],
  [
    'document',
    { type: 'document', link: 'https://qatra.example/r.pdf', caption: 'Receipt', filename: 'r.pdf' },
    { type: 'document', document: { link: 'https://qatra.example/r.pdf', caption: 'Receipt', filename: 'r.pdf' } },
  ],
  [
    'audio, which has no caption',
    { type: 'audio', link: 'https://qatra.example/a.ogg', caption: 'x' },
    { type: 'audio', audio: { link: 'https://qatra.example/a.ogg' } },
  ],
]

describe('a message to the Cloud API', () => {
  it.each(kinds)('has the documented body: %s', async (_, message, wanted) => {
    const outcome = await send(message)
    expect(outcome).toMatchObject({ ok: true, messageId: expect.stringMatching(/^wamid\./) })
    expect(meta.received).toEqual([
      {
        path: `/v23.0/${meta.phoneNumberId}/messages`,
        body: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '97336000006',
          ...wanted,
          biz_opaque_callback_data: '77',
        },
      },
    ])
    expect(problemOf(message)).toBeNull()
  })

  it('is sent to the business-scoped id without a phone', async () => {
    const outcome = await send({ type: 'text', text: 'x' }, { phone: null as never, businessScopedId: 'BH.1349120865' })
    expect(outcome.ok).toBe(true)
    expect(meta.received[0]?.body).toMatchObject({ recipient: 'BH.1349120865' })
    expect(meta.received[0]?.body).not.toHaveProperty('to')
  })

  it('is marked as read, with the typing indicator', async () => {
    await gateway().markRead('wamid.X', { isTyping: true })
    expect(meta.received[0]?.body).toEqual({
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: 'wamid.X',
      typing_indicator: { type: 'text' },
    })
    meta.fail(500, 131000)
    await expect(gateway().markRead('wamid.X')).resolves.toBeUndefined()
  })

  it.each<[Outgoing, RegExp]>([
    [{ type: 'text', text: ' ' }, /empty/],
    [{ type: 'text', text: 'x'.repeat(4097) }, /longer/],
    [{ type: 'list', text: 'x', button: 'x', sections: [{ rows: [] }] }, /1 to 10/],
    [{ type: 'list', text: 'x', button: 'x', sections: [{ rows: [...rows, { id: 'z', title: 'z' }] }] }, /1 to 10/],
    [
      { type: 'list', text: 'x', button: 'x', sections: [{ rows: [...rows.slice(0, 2), ...rows.slice(1, 2)] }] },
      /one id/,
    ],
    [{ type: 'list', text: 'x', button: 'x'.repeat(21), sections: [{ rows }] }, /button/],
    [{ type: 'list', text: 'x', button: 'x', sections: [{ rows: [{ id: 'a', title: 'x'.repeat(25) }] }] }, /row/],
    [
      { type: 'list', text: 'x', button: 'x', sections: [{ rows: rows.slice(0, 1) }, { rows: rows.slice(1, 2) }] },
      /titles/,
    ],
    [{ type: 'buttons', text: 'x', buttons: [] }, /1 to 3/],
    [{ type: 'buttons', text: 'x', buttons: ['a', 'b', 'c', 'd'].map((id) => ({ id, title: id })) }, /1 to 3/],
    [{ type: 'buttons', text: 'x', buttons: [{ id: 'a', title: 'x'.repeat(21) }] }, /button/],
    [{ type: 'buttons', text: 'x', buttons: ['a', 'b'].map((id) => ({ id, title: 'Place' })) }, /one title/],
    [{ type: 'buttons', text: 'x', buttons: ['a', 'a'].map((id, n) => ({ id, title: `Place ${n}` })) }, /one id/],
    [{ type: 'buttons', text: 'x', buttons: [{ id: ' a', title: 'x' }] }, /spaces/],
    [{ type: 'buttons', text: 'x'.repeat(1025), buttons: [{ id: 'a', title: 'x' }] }, /longer/],
    [
      { type: 'list', text: 'x', button: 'x', sections: [{ rows: ['a', 'b'].map((id) => ({ id, title: 'Home ' })) }] },
      /one title/,
    ],
    [
      {
        type: 'list',
        text: 'x',
        button: 'x',
        sections: [
          { title: 'a', rows },
          { title: 'b', rows: [] },
        ],
      },
      /empty/,
    ],
    [
      {
        type: 'list',
        text: 'x',
        button: 'x',
        sections: [{ rows: [{ id: 'a', title: 'x', description: 'x'.repeat(73) }] }],
      },
      /description/,
    ],
    [{ type: 'location-request', text: 'x'.repeat(1025) }, /longer/],
    [{ type: 'template', name: 'x', language: 'ar', body: ['a\nb'], text: '' }, /line break/],
    [{ type: 'template', name: 'x', language: 'ar', body: [''], text: '' }, /empty/],
  ])('%j is detected as invalid before it is sent', async (message, problem) => {
    expect(problemOf(message)).toMatch(problem)
    // Meta says the same.
    expect((await send(message)).ok).toBe(false)
  })
})

describe('an error of the Cloud API', () => {
  it.each([
    [429, 130429, 'busy', 5],
    [400, 131056, 'busy', 6],
    [400, 80007, 'busy', 60],
    [400, 131048, 'stopped', undefined],
    [500, 131000, 'unknown', undefined],
    [503, 2, 'unknown', undefined],
    [401, 190, 'stopped', undefined],
    [403, 131031, 'stopped', undefined],
    [400, 368, 'stopped', undefined],
    [400, 131042, 'stopped', undefined],
    [403, 10, 'stopped', undefined],
    [400, 131026, 'undeliverable', undefined],
    [400, 131047, 'window', undefined],
    [400, 131049, 'undeliverable', undefined],
    [400, 131050, 'undeliverable', undefined],
    [400, 132000, 'template', undefined],
    [404, 132001, 'template', undefined],
    [400, 132015, 'template', undefined],
    [400, 132016, 'template', undefined],
    [400, 100, 'undeliverable', undefined],
    [400, 999_999, 'undeliverable', undefined],
    [500, 999_999, 'unknown', undefined],
  ])('%i with code %i is %s', async (status, code, kind, retryAfter) => {
    meta.fail(status, code)
    const outcome = await send({ type: 'text', text: 'x' })
    expect(outcome).toMatchObject({ ok: false, kind, error: { code: String(code) } })
    expect(outcome.ok || outcome.retryAfter).toBe(retryAfter)
  })

  it('is retried after the delay that the provider requests', async () => {
    meta.fail(429, 130429, { 'retry-after': '17' })
    expect(await send({ type: 'text', text: 'x' })).toMatchObject({ kind: 'busy', retryAfter: 17 })
  })
})
