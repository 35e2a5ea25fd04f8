import { describe, expect, it } from 'vitest'
import { isFillable, readTemplate } from '../templates/words.ts'
import { messageTo, missingFor, unfilledFor } from './filling.ts'

const noura = { name: 'Noura', variables: null }
const template = readTemplate({
  name: 'offer',
  language: 'en',
  category: 'MARKETING',
  components: [{ type: 'BODY', text: 'Dear {{1}}: {{2}}' }],
})

it.each(['{link}', '{name}', '$&', '$`', '{{2}}', 'Noura'])(
  'the name %s of a recipient is inserted as text, without placeholders',
  (name) => {
    if (!isFillable(template)) throw new Error('The template can be filled')
    const globalVariables = { '1': '{name}', '2': 'your link {link}' }
    const link = { url: 'https://qatra.example/magic-login/t', token: 't' }
    const message = messageTo(
      { template, globalVariables, hasLinks: true },
      { name, variables: null },
      link,
      'customer',
    )
    expect(message?.body).toEqual([name, `your link ${link.url}`])
    expect(message?.text).toBe(`Dear ${name}: your link ${link.url}`)
  },
)

describe('values of a template with names, a picture and a code', () => {
  const named = readTemplate({
    name: 'coupon',
    language: 'en',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Dear {{first_name}}, {{code}} off' },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy code' }] },
    ],
  })
  if (!isFillable(named)) throw new Error('The template can be filled')
  const content = (globalVariables: Record<string, string>) => ({ template: named, globalVariables, hasLinks: false })
  const values = { first_name: '{name}', body_code: '5 %', header: 'https://x.example/a.png', code: 'EID10' }

  it('are filled in by their keys, in sending order', () => {
    expect(missingFor(content(values), null)).toEqual([])
    expect(messageTo(content(values), { name: 'Noura', variables: { code: 'OWN7' } }, null, 'customer')).toMatchObject({
      body: ['Noura', '5 %'],
      bodyNames: ['first_name', 'code'],
      header: { type: 'image', link: 'https://x.example/a.png' },
      buttons: [{ index: 0, type: 'copy_code', value: 'OWN7' }],
    })
  })

  it('of a list without headings fill the body in the order of its names', () => {
    const { first_name: _, ...rest } = values
    expect(missingFor(content(rest), { '1': 'Sara' })).toEqual([])
  })

  it('that the provider would refuse count as missing', () => {
    expect(missingFor(content({ ...values, code: 'NOT ONE WORD', header: 'a.png' }), null)).toEqual(['header', 'code'])
  })
})

describe('a filled text', () => {
  const offer = readTemplate({
    name: 'offer',
    language: 'en',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello {{1}}', example: { header_text: ['Noura'] } },
      { type: 'BODY', text: 'Dear {{1}}, this week {{2}} at your door' },
    ],
  })
  if (!isFillable(offer)) throw new Error('The template can be filled')
  const content = (second: string, header = '{name}') => ({
    template: offer,
    globalVariables: { header, '1': '{name}', '2': second },
    hasLinks: false,
  })
  const FIXED = 'Dear , this week  at your door'.length

  it.each([1_000, 1_024 - FIXED - 'Noura'.length + 1])(
    'longer than Meta takes is refused before the start, with its longest value: %i letters',
    (length) => {
      const long = content('x'.repeat(length))
      expect(unfilledFor(long, noura, 'customer')).toEqual(['2'])
      expect(messageTo(long, noura, null, 'customer')).toBeNull()
    },
  )

  it('of the longest length is sent whole', () => {
    const whole = content('x'.repeat(1_024 - FIXED - 'Noura'.length))
    expect(unfilledFor(whole, noura, 'customer')).toEqual([])
    expect(messageTo(whole, noura, null, 'customer')?.body[1]).toHaveLength(whole.globalVariables['2'].length)
  })

  it('is cut between letters in a header, never within an emoji', () => {
    const person = { name: `Noura ${'a'.repeat(43)}`, variables: null }
    const message = messageTo(content('two', '{name}! 🎉🎉🎉🎉🎉🎉🎉🎉'), person, null, 'customer')
    const header = message?.header?.type === 'text' ? message.header.text : ''
    expect(header.isWellFormed()).toBe(true)
    expect(`Hello ${header}`.length).toBeLessThanOrEqual(60)
    expect(header).toMatch(/🎉…$/)
  })
})
