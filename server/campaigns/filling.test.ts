import { expect, it } from 'vitest'
import { readTemplate } from '../templates/words.ts'
import { messageTo } from './filling.ts'

const template = readTemplate({
  name: 'offer',
  language: 'en',
  category: 'MARKETING',
  components: [{ type: 'BODY', text: 'Dear {{1}}: {{2}}' }],
} as Parameters<typeof readTemplate>[0]) // other fields of a listed template are not read

it.each(['{link}', '{name}', '$&', '$`', '{{2}}', 'Noura'])(
  'the name %s of a recipient is inserted as text, without placeholders',
  (name) => {
    if (!template) throw new Error('The template can be filled')
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
