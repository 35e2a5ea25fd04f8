import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { orderTemplates } from './order-templates.ts'

const component = z.object({
  type: z.enum(['BODY', 'BUTTONS']),
  text: z.optional(z.string()),
  buttons: z.optional(z.array(z.object({ text: z.string(), url: z.optional(z.string()) }))),
})
const templates = orderTemplates('https://<shop>').map(({ name, language, components }) => {
  const [body, buttons] = z.array(component).parse(components)
  return { name, language, text: body?.text ?? '', buttons: buttons?.buttons ?? [] }
})
const inLanguage = (lang: string) => templates.filter(({ language }) => language === lang)
const variables = (text: string) => [...text.matchAll(/\{\{\d\}\}/g)].map(([variable]) => variable).sort()

describe('the templates of orders', () => {
  it('have the same names, variables and buttons in both languages', () => {
    const shape = (lang: string) =>
      inLanguage(lang).map(({ name, text, buttons }) => [name, variables(text), buttons.map(({ url }) => url)])
    expect(shape('ar')).toEqual(shape('en'))
  })

  it('neither begin nor end with a variable', () => {
    expect(templates.filter(({ text }) => /^\{\{|\}\}$/.test(text))).toEqual([])
  })

  it('are the table in docs/operations.md', () => {
    const doc = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
    const rows = [...doc.matchAll(/^\| `(\w+)` \| [^|]+ \| (.+\{\{1\}\}.*) \|$/gm)].map(([, name, words]) => [
      name,
      words,
    ])
    const words = inLanguage('en').map(({ name, text, buttons }) => {
      const [button] = buttons
      const replies = `Quick replies ${buttons.map((reply) => `“${reply.text}”`).join(' and ')}`
      const rest = button && (button.url ? `Button “${button.text}”: \`${button.url}\`` : replies)
      return [name, [text, rest].filter(Boolean).join(' ')]
    })
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(words))
  })
})
