import {
  fileNameOf,
  hasValidValues,
  longestValue,
  placeholdersOf,
  type TemplatePart,
  type UnfillableReason,
  withValues,
} from '@qatra/contract/whatsapp/templates/template-values'
import {
  buttonKinds,
  type DraftButton,
  headerFormats,
  type TemplateDraft,
  templateKinds,
} from '@qatra/contract/whatsapp/templates/template-rules'
import type { ReplyTemplate } from '@qatra/contract/whatsapp/templates/templates'
import { limits, type TemplateMessage } from '../providers/message.ts'

/** A template in the provider's format. */
export interface ListedTemplate {
  name: string
  language: string
  category: string
  components: readonly Record<string, unknown>[]
}

interface Button {
  type: string
  text: string
  url: string
}

export interface FillableTemplate {
  shown: ReplyTemplate
  buttons: readonly Button[]
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

type Parts = ReturnType<typeof partsOf>

/** The provider's components by type, names in upper case. */
export function partsOf({ components }: Pick<ListedTemplate, 'components'>) {
  const part = (type: string) => components.find((one) => textOf(one.type).toUpperCase() === type)
  const header = part('HEADER')
  const body = part('BODY')
  return {
    types: components.map((one) => textOf(one.type).toUpperCase()),
    header,
    body,
    headerText: textOf(header?.text),
    bodyText: textOf(body?.text),
    footer: textOf(part('FOOTER')?.text),
    format: header ? textOf(header.format || 'TEXT').toUpperCase() : null,
    buttons: listOf(part('BUTTONS')?.buttons).map((one) => {
      const { type, text, url, example, phone_number: phone } = recordOf(one)
      const kind = textOf(type).toUpperCase()
      return {
        type: kind,
        text: textOf(text),
        url: textOf(url),
        phone: textOf(phone),
        example: textOf(listOf(example)[0]) || textOf(example),
      }
    }),
  }
}

const catalogueButtons: readonly string[] = ['CATALOG', 'MPM', 'SPM', 'PRODUCT']
/** Buttons that take no value or one that staff can type. */
const knownButtons: readonly string[] = ['URL', 'QUICK_REPLY', 'PHONE_NUMBER', 'COPY_CODE', 'VOICE_CALL']

/** Why staff cannot fill in a template; null if they can. */
function reasonOf(category: string, parts: Parts): UnfillableReason | null {
  const { types, format, bodyText, headerText, buttons } = parts
  if (category === 'AUTHENTICATION') return 'authentication'
  if (types.includes('CAROUSEL')) return 'carousel'
  if (types.includes('LIMITED_TIME_OFFER')) return 'limited-time-offer'
  if (format === 'PRODUCT' || buttons.some(({ type }) => catalogueButtons.includes(type))) return 'catalogue'
  if (buttons.some(({ type }) => type === 'FLOW')) return 'flow'
  if (bodyText === '') return 'empty'
  if (format !== null && !['TEXT', 'IMAGE', 'DOCUMENT'].includes(format)) return 'header'
  if (buttons.some(({ type }) => !knownButtons.includes(type))) return 'unsupported'
  if (types.some((type) => !['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type))) return 'unsupported'
  const gaps = [bodyText, headerText, ...buttons.map(({ url }) => url)].map(placeholdersOf)
  const mostInHeader = 1
  return gaps.some((names) => names === null) || (gaps[1]?.length ?? 0) > mostInHeader ? 'variables' : null
}

/** Examples by placeholder: a list for numbers, objects with `param_name` for names. */
function exampleOf(component: Record<string, unknown> | undefined, key: 'body_text' | 'header_text', name: string) {
  const example = recordOf(component?.example)
  const named = listOf(example[`${key}_named_params`]).map(recordOf)
  const found = listOf(example[key])
  const list = Array.isArray(found[0]) ? listOf(found[0]) : found
  return textOf(named.find((one) => one.param_name === name)?.example) || textOf(list[Number(name) - 1]) || null
}

const isOpen = ({ type, url }: Button) => type === 'COPY_CODE' || (placeholdersOf(url)?.length ?? 0) > 0

/** The template with its variables in sending order, or why it cannot be filled in. */
export function readTemplate(listed: ListedTemplate): FillableTemplate | UnfillableReason {
  const parts = partsOf(listed)
  const { header, body, headerText, bodyText, footer, format, buttons } = parts
  const reason = reasonOf(listed.category, parts)
  if (reason !== null) return reason
  const variable = (part: TemplatePart, label: string, example: string | null) => ({ part, label, example })
  const file = format === 'IMAGE' ? 'image' : format === 'DOCUMENT' ? 'document' : null
  return {
    shown: {
      name: listed.name,
      language: listed.language,
      category: listed.category,
      body: bodyText,
      variables: [
        ...(placeholdersOf(bodyText) ?? []).map((name) => variable('body', name, exampleOf(body, 'body_text', name))),
        ...(file
          ? [variable(file, '', null)]
          : (placeholdersOf(headerText) ?? []).map((name) =>
              variable('header', name, exampleOf(header, 'header_text', name)),
            )),
        ...buttons
          .filter(isOpen)
          .map(({ type, text, example }) => variable(type === 'COPY_CODE' ? 'code' : 'button', text, example || null)),
      ],
      header: headerText || null,
      footer: footer || null,
      buttons: buttons.map(({ text }) => text),
    },
    buttons,
  }
}

export const isFillable = (read: FillableTemplate | UnfillableReason): read is FillableTemplate =>
  typeof read !== 'string'

const isNamed = (names: readonly string[]) => names.some((name) => !/^\d/.test(name))

const fill = (text: string, all: readonly { label: string; value: string }[]) =>
  withValues(text, (name) => all.find(({ label }) => label === name)?.value)

/** Whether the body is longer with its values than Meta takes, or the header. */
export function isTooLong({ shown }: Pick<FillableTemplate, 'shown'>, values: readonly string[]): boolean {
  const of = (wanted: TemplatePart) =>
    shown.variables.flatMap(({ part, label }, at) => (part === wanted ? [{ label, value: values[at] ?? '' }] : []))
  const isHeaderLong = shown.header !== null && fill(shown.header, of('header')).length > longestValue.header
  return isHeaderLong || fill(shown.body, of('body')).length > limits.filled
}

/** The message with its values filled in; null if a value is missing, invalid or too many, or the text too long. */
export function fillTemplate(
  { shown, buttons }: FillableTemplate,
  variables: readonly string[],
): TemplateMessage | null {
  const values = variables.map((value) => value.trim())
  if (!hasValidValues(shown.variables, values) || isTooLong({ shown }, values)) return null
  const of = (...wanted: TemplatePart[]) =>
    shown.variables.flatMap(({ part, label }, at) =>
      wanted.includes(part) ? [{ part, label, value: values[at] ?? '' }] : [],
    )
  const body = of('body')
  const [header] = of('header', 'image', 'document')
  const headerText = shown.header === null ? null : fill(shown.header, of('header'))
  const names = body.map(({ label }) => label)
  const given = of('button', 'code')
  const open = buttons.flatMap((button, index) => (isOpen(button) ? [index] : []))
  const codes = given.flatMap(({ part, label, value }) => (part === 'code' ? [`${label}: ${value}`] : []))
  return {
    type: 'template',
    name: shown.name,
    language: shown.language,
    body: body.map(({ value }) => value),
    ...(isNamed(names) ? { bodyNames: names } : {}),
    ...(header ? { header: headerOf(header) } : {}),
    ...(open.length > 0
      ? {
          buttons: open.map((index, at) => ({
            index,
            type: given[at]?.part === 'code' ? ('copy_code' as const) : ('url' as const),
            value: given[at]?.value ?? '',
          })),
        }
      : {}),
    text: [headerText, fill(shown.body, body), shown.footer, ...codes].filter(Boolean).join('\n\n'),
  }
}

function headerOf({ part, label, value }: { part: TemplatePart; label: string; value: string }) {
  if (part === 'image') return { type: part, link: value }
  if (part === 'document') return { type: part, link: value, filename: fileNameOf(value) ?? 'document.pdf' }
  return { type: 'text' as const, text: value, ...(isNamed([label]) ? { name: label } : {}) }
}

/** A listed template as its author would write it; null if it has parts that are not written here. */
export function draftOf(listed: ListedTemplate): TemplateDraft | null {
  const { types, header, body, headerText, bodyText, footer, format, buttons } = partsOf(listed)
  const category = templateKinds.find((one) => one === listed.category)
  const language = listed.language === 'ar' || listed.language === 'en' ? listed.language : null
  const names = placeholdersOf(bodyText)
  const isPlain = types.every((type) => ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type))
  const headerFormat = headerFormats.find((one) => one === (format ?? 'TEXT'))
  const kinds = buttons.map(({ type }) => buttonKinds.find((one) => one === type))
  if (!category || !language || !isPlain || names === null || isNamed(names)) return null
  if (!headerFormat || kinds.includes(undefined)) return null
  return {
    name: listed.name,
    language,
    category,
    headerFormat,
    header: headerText,
    // Meta wants the file of a heading again: it lists no handle of it.
    headerSample: exampleOf(header, 'header_text', '1') ?? '',
    body: bodyText,
    samples: names.map((name) => exampleOf(body, 'body_text', name) ?? ''),
    footer,
    buttons: buttons.map((one, at) => draftButton(one, kinds[at] ?? 'QUICK_REPLY')),
  }
}

function draftButton(
  { text, url, phone, example }: ReturnType<typeof partsOf>['buttons'][number],
  type: DraftButton['type'],
): DraftButton {
  const value = { QUICK_REPLY: '', URL: url, PHONE_NUMBER: phone, COPY_CODE: example }[type]
  // The sample is the whole address.
  const fixed = url.replace('{{1}}', '')
  const sample = type === 'URL' && url.includes('{{1}}') ? example.replace(fixed, '') : ''
  return { type, text, value, sample }
}
