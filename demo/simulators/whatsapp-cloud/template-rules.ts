import { limits } from '../../../server/providers/message.ts'
import type { GraphTemplate, Json } from './graph-account.ts'
import type { SentTemplate } from './sent-message.ts'

const namesIn = (text: unknown): string[] =>
  typeof text === 'string' ? [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort() : []

const fixedIn = (text: unknown) => (typeof text === 'string' ? text.replace(/\{\{\w+\}\}/g, '') : '')

/**
 * Meta's code for values that do not fit a listed template: 132000 for a wrong number or wrong names, 132005 for a text
 * that is too long with them, 132012 for another kind of header. Null if they fit, or if the template is not listed here.
 */
export function mismatchOf(sent: SentTemplate, listed: readonly GraphTemplate[]): number | null {
  const template = listed.find(({ name, language }) => name === sent.name && language === sent.language.code)
  if (!template || template.category === 'AUTHENTICATION') return null
  const part = (type: string) => template.components.find((one) => one['type'] === type)
  const given = (type: string) => sent.components.filter((one) => one.type === type).flatMap((one) => one.parameters)
  const wanted = namesIn(part('BODY')?.['text'])
  const body = given('body').map(({ parameter_name: name }, at) => name ?? String(at + 1))
  if (wanted.join() !== body.sort().join()) return 132_000
  const lengthOf = (type: 'BODY' | 'HEADER') =>
    given(type.toLowerCase()).reduce((all, { text = '' }) => all + text.length, fixedIn(part(type)?.['text']).length)
  if (lengthOf('BODY') > limits.filled || lengthOf('HEADER') > limits.header) return 132_005
  const format = part('HEADER')?.['format']
  const kind = format === 'IMAGE' || format === 'DOCUMENT' ? format.toLowerCase() : 'text'
  const header = given('header')
  const needed = kind === 'text' ? namesIn(part('HEADER')?.['text']).length : 1
  return header.length === needed && header.every(({ type }) => type === kind) ? null : 132_012
}

/** What Meta refuses a new template for, with its subcode and title. */
export interface TemplateBreach {
  subcode: number
  title: string
}
const breach = (subcode: number, title: string): TemplateBreach => ({ subcode, title })

const BUTTON_TEXT = 25
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The handle that an upload of so many bytes gets. */
export const handleOf = (sha256: string) => `4::${sha256}`
const isHandle = (value: unknown) => /^4::[0-9a-f]{64}$/.test(textOf(value))

/** Stands for a variable; from the private area of Unicode, so that no text has it. */
const VARIABLE = '\ue000'
const notWord = /[^\p{L}\p{N}\ue000]/gu

function breachOfBody(body: Json): TemplateBreach | null {
  const text = textOf(body['text'])
  // Punctuation around a variable does not count as words.
  const bare = text.replace(/\{\{\w+\}\}/g, VARIABLE).replace(notWord, '')
  if (bare.startsWith(VARIABLE) || bare.endsWith(VARIABLE)) return breach(2_388_299, 'Leading or trailing variables')
  if (bare.includes(VARIABLE + VARIABLE)) return breach(2_388_072, 'Variables beside each other')
  if (text.length > limits.interactiveText) return breach(2_388_072, 'Body too long')
  const variables = text.match(/\{\{\w+\}\}/g)?.length ?? 0
  const words = text.replace(/\{\{\w+\}\}/g, ' ').match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0
  if (variables > 0 && words < 2 * variables + 1) return breach(2_388_293, 'Too many variables for the length')
  const example = objectOf(body['example'])
  const samples = example['body_text_named_params'] ?? listOf(example['body_text'])[0]
  return listOf(samples).length < namesIn(text).length ? breach(2_388_043, 'Missing sample') : null
}

function breachOfButton({ text, url, example }: Json): TemplateBreach | null {
  if (textOf(text).length > BUTTON_TEXT) return breach(2_388_074, 'Button too long')
  return textOf(url).includes('{{') && listOf(example).length === 0 ? breach(2_388_043, 'Missing sample') : null
}

/** The first of Meta's documented rules that the components of a new template break; null if they break none. */
export function breachOf(components: readonly Json[]): TemplateBreach | null {
  const part = (type: string) => components.find((one) => one['type'] === type)
  const header = part('HEADER')
  const body = part('BODY')
  const isFile = header !== undefined && ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(textOf(header['format']))
  if (isFile && !listOf(objectOf(header['example'])['header_handle']).some(isHandle))
    return breach(2_388_273, 'Missing sample of the header')
  const ofBody = body === undefined ? null : breachOfBody(body)
  return ofBody ?? listOf(part('BUTTONS')?.['buttons']).map(objectOf).map(breachOfButton).find(Boolean) ?? null
}
