import type { ReplyTemplate } from '@qatra/contract/whatsapp-desk'
import type { TemplateMessage } from '../providers/message.ts'

/** A template in the provider's format. */
export interface ListedTemplate {
  name: string
  language: string
  category: string
  components: readonly Record<string, unknown>[]
}

const gap = /\{\{\s*(\d{1,2})\s*\}\}/g
const anyGap = /\{\{[^{}]*\}\}/g
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Number of placeholders `{{1}}` to `{{n}}`; null if they are named or not consecutive. */
function gapsIn(text: string): number | null {
  const numbers = new Set([...text.matchAll(gap)].map(([, number]) => Number(number)))
  const all = text.match(anyGap) ?? []
  if (all.length > [...text.matchAll(gap)].length) return null
  const isWhole = [...numbers].every((number) => number >= 1 && number <= numbers.size)
  return isWhole ? numbers.size : null
}

interface Button {
  type: string
  text: string
  url: string
}

const examplesOf = (component: Record<string, unknown> | undefined, key: string): readonly unknown[] => {
  const example = component?.example
  const found = typeof example === 'object' && example !== null ? (example as Record<string, unknown>)[key] : undefined
  const list = Array.isArray(found) ? (found as unknown[]) : []
  return Array.isArray(list[0]) ? (list[0] as unknown[]) : list
}

export interface FillableTemplate {
  shown: ReplyTemplate
  buttons: readonly Button[]
}

/** Null for templates that cannot be filled in by hand: codes, header pictures, named placeholders. */
export function readTemplate({ name, language, category, components }: ListedTemplate): FillableTemplate | null {
  if (category === 'AUTHENTICATION') return null
  const part = (type: string) => components.find((one) => textOf(one.type).toUpperCase() === type)
  const [header, body, footer, buttonPart] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].map(part)
  const text = textOf(body?.text)
  if (text === '') return null
  if (header && textOf(header.format || 'TEXT').toUpperCase() !== 'TEXT') return null
  const headerText = textOf(header?.text)
  const inBody = gapsIn(text)
  const inHeader = gapsIn(headerText)
  if (inBody === null || inHeader === null || inHeader > 1) return null
  const buttons = (Array.isArray(buttonPart?.buttons) ? (buttonPart.buttons as Record<string, unknown>[]) : []).map(
    (button) => ({ type: textOf(button.type), text: textOf(button.text), url: textOf(button.url) }),
  )
  const examples = [...examplesOf(body, 'body_text'), ...examplesOf(header, 'header_text')]
  const open = buttons.filter(({ url }) => url.match(anyGap))
  const variables = [
    ...Array.from({ length: inBody }, (_, at) => ({ part: 'body' as const, label: String(at + 1) })),
    ...Array.from({ length: inHeader }, () => ({ part: 'header' as const, label: '1' })),
    ...open.map((button) => ({ part: 'button' as const, label: button.text })),
  ].map((variable, at) => ({ ...variable, example: textOf(examples[at]) || null }))
  return {
    shown: {
      name,
      language,
      category,
      body: text,
      variables,
      header: headerText || null,
      footer: textOf(footer?.text) || null,
      buttons: buttons.map((button) => button.text),
    },
    buttons,
  }
}

export const filledIn = (text: string, values: readonly string[]): string =>
  text.replace(gap, (whole, number: string) => values[Number(number) - 1] ?? whole)

/** The message with its values filled in; null if values are missing, empty or too many. */
export function fillTemplate(
  { shown, buttons }: FillableTemplate,
  variables: readonly string[],
): TemplateMessage | null {
  const values = variables.map((value) => value.trim())
  if (values.length !== shown.variables.length || values.some((value) => value === '')) return null
  const of = (part: 'body' | 'header' | 'button') => values.filter((_, at) => shown.variables[at]?.part === part)
  const ends = of('button')
  const body = of('body')
  const open = buttons.flatMap(({ url }, index) => (url.match(anyGap) ? [index] : []))
  const header = shown.header === null ? null : filledIn(shown.header, of('header'))
  return {
    type: 'template',
    name: shown.name,
    language: shown.language,
    body,
    ...(header !== null && of('header').length > 0 ? { header: { type: 'text', text: of('header')[0] ?? '' } } : {}),
    ...(open.length > 0
      ? { buttons: open.map((index, at) => ({ index, type: 'url' as const, value: ends[at] ?? '' })) }
      : {}),
    text: [header, filledIn(shown.body, body), shown.footer].filter(Boolean).join('\n\n'),
  }
}
