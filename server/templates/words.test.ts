import { describe, expect, it } from 'vitest'
import { problemOf } from '../providers/message.ts'
import { messageBody } from '../providers/whatsapp-cloud/payload.ts'
import { fillTemplate, isFillable, readTemplate } from './words.ts'

const body = { type: 'BODY', text: 'Hello {{1}}, it comes {{2}}.', example: { body_text: [['Sara', 'today']] } }
const listed = (components: Record<string, unknown>[], category = 'MARKETING') => ({
  name: 'offer',
  language: 'en',
  category,
  components,
})
const buttons = (...all: object[]) => ({ type: 'BUTTONS', buttons: all })

function read(components: Record<string, unknown>[]) {
  const template = readTemplate(listed(components))
  if (!isFillable(template)) throw new Error(template)
  return template
}

/** The components as they are sent, or null if the values are refused. */
function sent(components: Record<string, unknown>[], values: string[]) {
  const message = fillTemplate(read(components), values)
  if (!message) return null
  expect(problemOf(message)).toBeNull()
  const to = { phone: '+97336000001', businessScopedId: null }
  return messageBody({ to, message, reference: '1' })
}
const template = (components: object[]) => ({
  template: { name: 'offer', language: { code: 'en' }, components },
})

describe('a template with numbered variables', () => {
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    body,
    { type: 'FOOTER', text: 'Qatra' },
    buttons(
      { type: 'QUICK_REPLY', text: 'Stop' },
      { type: 'URL', text: 'Follow', url: 'https://x.example/{{1}}', example: ['https://x.example/a'] },
    ),
  ]

  it('lists its variables in sending order with their examples', () => {
    expect(read(components).shown.variables).toEqual([
      { part: 'body', label: '1', example: 'Sara' },
      { part: 'body', label: '2', example: 'today' },
      { part: 'header', label: '1', example: null },
      { part: 'button', label: 'Follow', example: 'https://x.example/a' },
    ])
  })

  it('is filled in, with the button at its place in the template', () => {
    const message = fillTemplate(read(components), ['Sara', 'today', 'K7QM', 'abc'])
    expect(message).toEqual({
      type: 'template',
      name: 'offer',
      language: 'en',
      body: ['Sara', 'today'],
      header: { type: 'text', text: 'K7QM' },
      buttons: [{ index: 1, type: 'url', value: 'abc' }],
      text: 'Order K7QM\n\nHello Sara, it comes today.\n\nQatra',
    })
  })

  it.each([
    ['a missing value', ['Sara', 'today', 'K7QM']],
    ['an empty value', ['Sara', ' ', 'K7QM', 'abc']],
    ['a header above 60 characters with its fixed text', ['Sara', 'today', 'x'.repeat(55), 'abc']],
  ])('is refused with %s', (_, values) => {
    expect(fillTemplate(read(components), values)).toBeNull()
  })
})

describe('the wire format', () => {
  it('of named variables has their names, in the header too', () => {
    const components = [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'For {{first_name}}',
        example: { header_text_named_params: [{ param_name: 'first_name', example: 'Sara' }] },
      },
      {
        type: 'BODY',
        text: 'Dear {{first_name}}: {{discount}} off, {{first_name}}!',
        example: {
          body_text_named_params: [
            { param_name: 'discount', example: '10 %' },
            { param_name: 'first_name', example: 'Sara' },
          ],
        },
      },
    ]
    expect(read(components).shown.variables).toEqual([
      { part: 'body', label: 'first_name', example: 'Sara' },
      { part: 'body', label: 'discount', example: '10 %' },
      { part: 'header', label: 'first_name', example: 'Sara' },
    ])
    expect(sent(components, ['Noora', '5 %', 'you'])).toMatchObject(
      template([
        { type: 'header', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'you' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', parameter_name: 'first_name', text: 'Noora' },
            { type: 'text', parameter_name: 'discount', text: '5 %' },
          ],
        },
      ]),
    )
    expect(fillTemplate(read(components), ['Noora', '5 %', 'you'])?.text).toBe('For you\n\nDear Noora: 5 % off, Noora!')
  })

  it('of a code to copy is a coupon code at the index of its button', () => {
    const components = [
      { type: 'BODY', text: 'A code for you' },
      buttons({ type: 'QUICK_REPLY', text: 'Stop' }, { type: 'COPY_CODE', text: 'Copy code', example: ['WATER25'] }),
    ]
    expect(read(components).shown.variables).toEqual([{ part: 'code', label: 'Copy code', example: 'WATER25' }])
    expect(sent(components, ['EID10'])).toMatchObject(
      template([
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '1',
          parameters: [{ type: 'coupon_code', coupon_code: 'EID10' }],
        },
      ]),
    )
    expect(sent(components, ['X'.repeat(21)])).toBeNull()
    expect(sent(components, ['TEN OFF'])).toBeNull()
  })

  it.each([
    ['IMAGE', 'https://x.example/a.jpg', { type: 'image', image: { link: 'https://x.example/a.jpg' } }],
    [
      'DOCUMENT',
      'https://x.example/Price%20list.pdf',
      { type: 'document', document: { link: 'https://x.example/Price%20list.pdf', filename: 'Price list.pdf' } },
    ],
  ])('of a header with a file (%s) is its address', (format, link, parameter) => {
    const components = [{ type: 'HEADER', format, example: { header_handle: ['https://scontent.example/x'] } }, body]
    expect(sent(components, ['Sara', 'today', link])).toMatchObject(
      template([{ type: 'header', parameters: [parameter] }, { type: 'body' }]),
    )
    expect(sent(components, ['Sara', 'today', 'a.jpg'])).toBeNull()
    expect(sent(components, ['Sara', 'today', 'javascript:alert(1)'])).toBeNull()
  })
})

describe('a template that cannot be filled in', () => {
  it.each([
    ['authentication', [body], 'AUTHENTICATION'],
    ['carousel', [body, { type: 'CAROUSEL', cards: [] }]],
    ['limited-time-offer', [body, { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon' } }]],
    ['catalogue', [body, buttons({ type: 'MPM', text: 'View items' })]],
    ['catalogue', [body, buttons({ type: 'CATALOG', text: 'View catalogue' })]],
    ['catalogue', [{ type: 'HEADER', format: 'PRODUCT' }, body]],
    ['flow', [body, buttons({ type: 'FLOW', text: 'Book' })]],
    ['header', [{ type: 'HEADER', format: 'VIDEO' }, body]],
    ['header', [{ type: 'HEADER', format: 'LOCATION' }, body]],
    ['variables', [{ type: 'BODY', text: 'Hi {{2}}' }]],
    ['variables', [{ type: 'BODY', text: 'Hi {{1}} {{name}}' }]],
    ['variables', [{ type: 'BODY', text: 'Hi {{first-name}}' }]],
    ['variables', [{ type: 'HEADER', format: 'TEXT', text: '{{1}} {{2}}' }, body]],
    ['empty', []],
    ['unsupported', [body, buttons({ type: 'SOMETHING_NEW', text: 'New' })]],
  ])('tells the reason: %s', (reason, components, category = 'MARKETING') => {
    expect(readTemplate(listed(components, category))).toBe(reason)
  })
})
