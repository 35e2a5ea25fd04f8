import { isLang } from '@qatra/contract/lang'
import { codeText } from '../../code-text.ts'
import type { Outgoing, TemplateMessage } from '../../message.ts'
import type { GraphTemplate } from './graph-api.ts'
import type { SentMessage } from './sent-message.ts'

/** What a phone needs to show a template. */
export interface Templates {
  listed: readonly GraphTemplate[]
  /** Name of the template for sign-in codes. */
  code: string
  publicUrl: string
}

/** The message as a phone shows it. */
export function shownMessage(message: SentMessage, templates: Templates): Outgoing {
  switch (message.type) {
    case 'text':
      return { type: 'text', text: message.text.body }
    case 'template':
      return shownTemplate(message.template, templates)
    case 'interactive':
      return shownInteractive(message.interactive)
    case 'image':
      return { type: 'image', ...message.image }
    case 'document':
      return { type: 'document', ...message.document }
    case 'video':
      return { type: 'video', ...message.video }
    case 'audio':
      return { type: 'audio', ...message.audio }
  }
}

function shownInteractive(message: Extract<SentMessage, { type: 'interactive' }>['interactive']): Outgoing {
  const { text } = message.body
  if (message.type === 'location_request_message') return { type: 'location-request', text }
  const around = { text, header: message.header?.text, footer: message.footer?.text }
  if (message.type === 'list') return { type: 'list', ...around, ...message.action }
  return { type: 'buttons', ...around, buttons: message.action.buttons.map(({ reply }) => reply) }
}

function shownTemplate(
  { name, language: { code: language }, components }: Extract<SentMessage, { type: 'template' }>['template'],
  templates: Templates,
): TemplateMessage {
  const valuesOf = (wanted: string) =>
    components
      .filter(({ type }) => type === wanted)
      .flatMap(({ parameters }) => parameters.map(({ text = '' }) => text))
  const body = valuesOf('body')
  const buttons = components.flatMap(({ sub_type: type, index, parameters }) => {
    const value = parameters[0]?.text ?? parameters[0]?.payload ?? ''
    return type === undefined ? [] : [{ index: Number(index), type, value }]
  })
  const known = templates.listed.find((one) => one.name === name && one.language === language)
  const text =
    name === templates.code && isLang(language)
      ? codeText(language, body[0] ?? '', templates.publicUrl)
      : known
        ? textOf(known, { header: valuesOf('header'), body, buttons })
        : body.join('\n')
  return { type: 'template', name, language, body, ...(buttons.length > 0 ? { buttons } : {}), text }
}

interface Values {
  header: readonly string[]
  body: readonly string[]
  buttons: readonly { index: number; value: string }[]
}

/** The template with its values. The text ends with the addresses of its buttons. */
function textOf({ components }: GraphTemplate, { header, body, buttons }: Values): string {
  const part = (type: string) => components.find((one) => one['type'] === type)
  const textIn = (type: string, values: readonly string[]) => filled(part(type)?.['text'], values)
  const all = part('BUTTONS')?.['buttons']
  const links = (Array.isArray(all) ? (all as { text: string; url?: string }[]) : []).flatMap(({ text, url }, at) => {
    const value = buttons.find(({ index }) => index === at)?.value ?? ''
    return url === undefined ? [] : [`${text}: ${filled(url, [value])}`]
  })
  return [textIn('HEADER', header), textIn('BODY', body), textIn('FOOTER', []), ...links].filter(Boolean).join('\n\n')
}

const filled = (text: unknown, values: readonly string[]) =>
  typeof text === 'string'
    ? text.replace(/\{\{(\d{1,2})\}\}/g, (gap, number: string) => values[Number(number) - 1] ?? gap)
    : ''
