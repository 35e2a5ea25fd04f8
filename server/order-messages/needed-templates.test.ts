import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { breachOf, handleOf } from '../../demo/simulators/whatsapp-cloud/template-rules.ts'
import { neededTemplates, needsSample, withSample } from './needed-templates.ts'

const component = z.object({
  type: z.enum(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']),
  text: z.optional(z.string()),
  buttons: z.optional(
    z.array(z.object({ text: z.string(), url: z.optional(z.string()), example: z.optional(z.array(z.string())) })),
  ),
})
const all = neededTemplates({ publicUrl: 'https://<shop>', codeTemplate: 'login_code' })
const templates = all
  .filter(({ category }) => category === 'UTILITY')
  .map(({ name, language, components }) => {
    const parts = z.array(component).parse(components)
    const partOf = (wanted: (typeof parts)[number]['type']) => parts.find(({ type }) => type === wanted)
    return { name, language, text: partOf('BODY')?.text ?? '', buttons: partOf('BUTTONS')?.buttons ?? [] }
  })
const inLanguage = (lang: string) => templates.filter(({ language }) => language === lang)
const variables = (text: string) => [...text.matchAll(/\{\{\d\}\}/g)].map(([variable]) => variable).sort()

describe('the needed templates', () => {
  it('have the same names, variables and buttons in both languages', () => {
    const shape = (lang: string) =>
      inLanguage(lang).map(({ name, text, buttons }) => [name, variables(text), buttons.map(({ url }) => url)])
    expect(shape('ar')).toEqual(shape('en'))
  })

  it('have the sign-in code in both languages, without a text of their own', () => {
    const codes = all.filter(({ category }) => category === 'AUTHENTICATION')
    expect(codes.map(({ name, language }) => [name, language])).toEqual([
      ['login_code', 'ar'],
      ['login_code', 'en'],
    ])
    expect(codes[0]?.components[0]).toEqual({ type: 'BODY', add_security_recommendation: true })
  })

  it('have an example for every address with a variable', () => {
    const open = templates.flatMap(({ buttons }) => buttons.filter(({ url }) => url?.includes('{{')))
    expect(open.length).toBeGreaterThan(0)
    for (const { url, example } of open) expect(example?.[0]).toMatch(`${url?.slice(0, url.indexOf('{{'))}`)
  })

  it("keep Meta's rules in both languages, once the sample of the receipt is uploaded", () => {
    const breaches = all.flatMap((template) => {
      const broken = breachOf(withSample(template, handleOf('application/pdf', '0'.repeat(64))).components)
      return broken ? [[template.name, template.language, broken.title]] : []
    })
    expect(breaches).toEqual([])
    expect(all.filter(needsSample).map(({ name }) => name)).toEqual(['order_receipt', 'order_receipt'])
  })

  it.each([
    ['خرج طلبك من {{1}}.', 2_388_299],
    ['«{{1}}» تجهّز طلبك الآن.', 2_388_299],
    ['Your order {{1}}: {{2}} will come to your door today.', 2_388_072],
    ['Order {{1}} from {{2}} on {{3}} at noon', 2_388_293],
    ['Hello {{1}} and welcome to us', 2_388_043],
  ])('a text that breaks a rule is refused: %s', (text, subcode) => {
    const example = text.includes('welcome') ? {} : { example: { body_text: [['1', '2', '3']] } }
    expect(breachOf([{ type: 'BODY', text, ...example }])?.subcode).toBe(subcode)
  })

  it('a header with a file needs the handle of an uploaded sample', () => {
    const header = { type: 'HEADER', format: 'DOCUMENT' }
    expect(breachOf([header])?.subcode).toBe(2_388_273)
    expect(breachOf([{ ...header, example: { header_handle: ['receipt.pdf'] } }])?.subcode).toBe(2_388_273)
  })
})
