import { isLang } from '@qatra/contract/lib/lang'
import { codeText } from '../../../server/providers/code-text.ts'
import type { MediaMessage, Outgoing, TemplateMessage } from '../../../server/providers/message.ts'
import type { GraphTemplate } from './graph-account.ts'
import type { SentMessage, SentTemplate } from './sent-message.ts'

/** What a phone needs to show a template. */
export interface Templates {
  listed: readonly GraphTemplate[]
  /** Name of the template for sign-in codes. */
  code: string
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
      return mediaOf('image', message.image)
    case 'document':
      return mediaOf('document', message.document)
    case 'video':
      return mediaOf('video', message.video)
    case 'audio':
      return mediaOf('audio', message.audio)
    case 'location': {
      const { latitude: lat, longitude: lng, name, address } = message.location
      return { type: 'location', lat, lng, ...(name ? { name } : {}), ...(address ? { address } : {}) }
    }
    case 'reaction':
      return { type: 'reaction', messageId: message.reaction.message_id, emoji: message.reaction.emoji }
  }
}

const mediaOf = (
  type: MediaMessage['type'],
  { link, caption, filename, voice }: { link?: string; caption?: string; filename?: string; voice?: boolean },
): MediaMessage => ({
  type,
  ...(link ? { link } : {}),
  ...(caption ? { caption } : {}),
  ...(filename ? { filename } : {}),
  ...(voice ? { isVoice: true } : {}),
})

function shownInteractive(message: Extract<SentMessage, { type: 'interactive' }>['interactive']): Outgoing {
  const { text } = message.body
  if (message.type === 'location_request_message') return { type: 'location-request', text }
  const around = { text, header: message.header?.text, footer: message.footer?.text }
  if (message.type === 'list') return { type: 'list', ...around, ...message.action }
  return { type: 'buttons', ...around, buttons: message.action.buttons.map(({ reply }) => reply) }
}

function shownTemplate(
  { name, language: { code: language }, components }: SentTemplate,
  templates: Templates,
): TemplateMessage {
  const part = (wanted: string) =>
    components.filter(({ type }) => type === wanted).flatMap(({ parameters }) => parameters)
  const body = part('body')
  const texts = body.map(({ text = '' }) => text)
  const buttons = components.flatMap(({ sub_type: type, index, parameters: [value] }) =>
    type === undefined
      ? []
      : [{ index: Number(index), type, value: value?.text ?? value?.payload ?? value?.coupon_code ?? '' }],
  )
  const known = templates.listed.find((one) => one.name === name && one.language === language)
  const text =
    name === templates.code && isLang(language)
      ? codeText(language, texts[0] ?? '', null)
      : known
        ? textOf(known, { header: part('header'), body, buttons })
        : texts.join('\n')
  return { type: 'template', name, language, body: texts, ...(buttons.length > 0 ? { buttons } : {}), text }
}

type Parameter = SentTemplate['components'][number]['parameters'][number]
interface Values {
  header: readonly Parameter[]
  body: readonly Parameter[]
  buttons: readonly { index: number; value: string }[]
}

/** The template with its values. The text begins with the file of its header and ends with its buttons. */
function textOf({ components }: GraphTemplate, { header, body, buttons }: Values): string {
  const part = (type: string) => components.find((one) => one['type'] === type)
  const textIn = (type: string, values: readonly Parameter[]) => filled(part(type)?.['text'], values)
  const all = part('BUTTONS')?.['buttons']
  const links = (Array.isArray(all) ? (all as { type: string; text: string; url?: string }[]) : []).flatMap(
    ({ type, text, url }, at) => {
      const value = buttons.find(({ index }) => index === at)?.value ?? ''
      if (type === 'COPY_CODE') return [`${text}: ${value}`]
      return url === undefined ? [] : [`${text}: ${filled(url, [{ type: 'text', text: value }])}`]
    },
  )
  const file = header[0]?.image ?? header[0]?.document
  return [file?.link, textIn('HEADER', header), textIn('BODY', body), textIn('FOOTER', []), ...links]
    .filter(Boolean)
    .join('\n\n')
}

const filled = (text: unknown, values: readonly Parameter[]) =>
  typeof text === 'string'
    ? text.replace(/\{\{(\w+)\}\}/g, (gap, name: string) => {
        const value = values.find(({ parameter_name: own }) => own === name) ?? values[Number(name) - 1]
        return value?.text ?? gap
      })
    : ''
