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

/** The handle that an upload of this type gets. */
export const handleOf = (mimeType: string, sha256: string) => `4::${Buffer.from(mimeType).toString('base64')}:${sha256}`
const typesOf: Readonly<Record<string, readonly string[]>> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
}
const isHandle = (value: unknown, format: string) => {
  const [, type = ''] = /^4::([\w+/=]+):[0-9a-f]{64}$/.exec(textOf(value)) ?? []
  return typesOf[format]?.includes(Buffer.from(type, 'base64').toString()) === true
}

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
  if (/\n{3}/.test(text)) return breach(2_388_047, 'Too many line breaks')
  const numbers = namesIn(text)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  if (numbers.length > 0 && Math.max(...numbers) !== numbers.length)
    return breach(2_388_073, 'Variables not in sequence')
  const example = objectOf(body['example'])
  const samples = example['body_text_named_params'] ?? listOf(example['body_text'])[0]
  return listOf(samples).length < namesIn(text).length ? breach(2_388_043, 'Missing sample') : null
}

function breachOfButton({ type, text, url, phone_number: phone, example }: Json): TemplateBreach | null {
  if (textOf(text).length > BUTTON_TEXT) return breach(2_388_074, 'Button too long')
  if (/[{}]/.test(textOf(text))) return breach(2_388_047, 'Variables in a button')
  if (textOf(phone).length > 20) return breach(2_388_074, 'Phone number too long')
  if (textOf(type) === 'COPY_CODE' && textOf(example).length > 15) return breach(2_388_074, 'Code too long')
  const [, afterVariable = ''] = textOf(url).split('}}')
  if (afterVariable !== '' || textOf(url).length > 2_000) return breach(2_388_071, 'Address not valid')
  if (/^https?:\/\/(?:www\.)?wa\.me\//i.test(textOf(url))) return breach(2_388_071, 'Address not valid')
  return textOf(url).includes('{{') && listOf(example).length === 0 ? breach(2_388_043, 'Missing sample') : null
}

const mostOf: Readonly<Record<string, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 }

function breachOfButtons(buttons: readonly Json[]): TemplateBreach | null {
  const types = buttons.map(({ type }) => textOf(type))
  if (types.length > 10 || types.some((type) => types.filter((one) => one === type).length > (mostOf[type] ?? 10)))
    return breach(2_388_084, 'Too many buttons')
  const groups = types.map((type) => (type === 'QUICK_REPLY' ? 'q' : 'o')).join('')
  if (/qo+q|oq+o/.test(groups)) return breach(2_388_085, 'Quick replies are not together')
  const texts = buttons.map(({ text }) => textOf(text)).filter(Boolean)
  if (new Set(texts).size < texts.length) return breach(2_388_047, 'Two buttons with the same text')
  return buttons.map(breachOfButton).find(Boolean) ?? null
}

/** Headers and footers are plain text of at most 60 characters. */
function breachOfLines(header: Json | undefined, footer: Json | undefined): TemplateBreach | null {
  const [top, bottom] = [textOf(header?.['text']), textOf(footer?.['text'])]
  if (top.length > limits.header || bottom.length > limits.header) return breach(2_388_040, 'Header or footer too long')
  if (/[{}]/.test(bottom)) return breach(2_388_047, 'Variables in the footer')
  if (/[\n*]|\p{Extended_Pictographic}/u.test(top)) return breach(2_388_047, 'Format of the header')
  if (namesIn(top).length > 1) return breach(2_388_047, 'Too many variables in the header')
  const samples = listOf(objectOf(header?.['example'])['header_text'])
  return namesIn(top).length > samples.length ? breach(2_388_043, 'Missing sample') : null
}

/** The first of Meta's documented rules that the components of a new template break; null if they break none. */
export function breachOf(components: readonly Json[], category = 'MARKETING'): TemplateBreach | null {
  const part = (type: string) => components.find((one) => one['type'] === type)
  const header = part('HEADER')
  const body = part('BODY')
  const format = textOf(header?.['format'])
  const samples = listOf(objectOf(header?.['example'])['header_handle'])
  if (format in typesOf && !samples.some((handle) => isHandle(handle, format)))
    return breach(2_388_273, 'Missing sample of the header')
  if (body === undefined) return breach(2_388_047, 'The body is missing')
  const buttons = listOf(part('BUTTONS')?.['buttons']).map(objectOf)
  if (category === 'UTILITY' && buttons.some(({ type }) => type === 'COPY_CODE'))
    return breach(2_388_047, 'Codes are for marketing')
  return breachOfBody(body) ?? breachOfLines(header, part('FOOTER')) ?? breachOfButtons(buttons)
}
