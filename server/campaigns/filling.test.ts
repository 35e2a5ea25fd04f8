import { describe, expect, it } from 'vitest'
import { isFillable, readTemplate } from '../templates/words.ts'
import { messageTo, missingFor } from './filling.ts'

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
