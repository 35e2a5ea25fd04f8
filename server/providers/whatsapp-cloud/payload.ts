import type { Outgoing, TemplateMessage } from '../message.ts'
import type { OutboundCode, OutboundMessage } from '../provider.ts'

/** Bodies of `POST /{phone number id}/messages`, as the Cloud API documents them. */
export function messageBody(
  { to, message, reference, context }: OutboundMessage,
  { mediaId, publicUrl = '' }: { mediaId?: string | undefined; publicUrl?: string | undefined } = {},
) {
  const isReply = context && message.type !== 'reaction'
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(to),
    ...(isReply ? { context: { message_id: context.messageId } } : {}),
    ...contentOf(message, mediaId, publicUrl),
    biz_opaque_callback_data: reference,
  }
}

/** A phone without its plus, or a business-scoped id, which has its own field. */
const recipientOf = ({ phone, businessScopedId }: OutboundMessage['to']) =>
  phone === null ? { recipient: businessScopedId } : { to: phone.slice(1) }

const optional = (text: string | undefined) => (text ? { text } : undefined)

function contentOf(message: Outgoing, mediaId: string | undefined, publicUrl: string) {
  switch (message.type) {
    case 'text':
      return { type: 'text', text: { preview_url: message.hasPreview ?? false, body: message.text } }
    case 'template':
      return { type: 'template', template: templateOf(message, publicUrl) }
    case 'list':
      return {
        type: 'interactive',
        interactive: {
          type: 'list',
          ...(message.header ? { header: { type: 'text', text: message.header } } : {}),
          body: { text: message.text },
          footer: optional(message.footer),
          action: {
            button: message.button,
            sections: message.sections.map(({ title, rows }) => ({
              ...(title ? { title } : {}),
              rows: rows.map(({ id, title: name, description }) => ({
                id,
                title: name,
                ...(description ? { description } : {}),
              })),
            })),
          },
        },
      }
    case 'buttons':
      return {
        type: 'interactive',
        interactive: {
          type: 'button',
          ...(message.header ? { header: { type: 'text', text: message.header } } : {}),
          body: { text: message.text },
          footer: optional(message.footer),
          action: { buttons: message.buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) },
        },
      }
    case 'location-request':
      return {
        type: 'interactive',
        interactive: {
          type: 'location_request_message',
          body: { text: message.text },
          action: { name: 'send_location' },
        },
      }
    case 'location': {
      const { lat: latitude, lng: longitude, name, address } = message
      const named = { ...(name ? { name } : {}), ...(address ? { address } : {}) }
      return { type: 'location', location: { latitude, longitude, ...named } }
    }
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: message.messageId, emoji: message.emoji } }
    default: {
      const { type, link, caption, filename, isVoice } = message
      const named = type === 'document' && filename ? { filename } : {}
      const source = mediaId === undefined ? { link } : { id: mediaId }
      const voice = type === 'audio' && isVoice ? { voice: true } : {}
      return { type, [type]: { ...source, ...(caption && type !== 'audio' ? { caption } : {}), ...named, ...voice } }
    }
  }
}

const text = (value: string, name?: string) => ({
  type: 'text',
  ...(name === undefined ? {} : { parameter_name: name }),
  text: value,
})

function templateOf({ name, language, header, body, bodyNames, buttons = [] }: TemplateMessage, publicUrl: string) {
  const components = [
    ...(header ? [{ type: 'header', parameters: [headerOf(header, publicUrl)] }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body.map((value, at) => text(value, bodyNames?.[at])) }] : []),
    ...buttons.map((button) => ({
      type: 'button',
      sub_type: button.type,
      index: String(button.index),
      parameters: [buttonValue(button)],
    })),
  ]
  return { name, language: { code: language }, ...(components.length > 0 ? { components } : {}) }
}

function buttonValue({ type, value }: NonNullable<TemplateMessage['buttons']>[number]) {
  if (type === 'copy_code') return { type: 'coupon_code', coupon_code: value }
  return type === 'url' ? text(value) : { type: 'payload', payload: value }
}

/** A file of the shop is fetched from its public address. */
function headerOf(header: NonNullable<TemplateMessage['header']>, publicUrl: string) {
  if (header.type === 'text') return text(header.text, header.name)
  const named = header.type === 'document' && header.filename ? { filename: header.filename } : {}
  return {
    type: header.type,
    [header.type]: { link: header.link.startsWith('/') ? `${publicUrl}${header.link}` : header.link, ...named },
  }
}

/** An authentication template: the code is in the body and in the button. */
export function codeBody(outbound: OutboundCode, name: string) {
  const buttons = [{ index: 0, type: 'url', value: outbound.code }] as const
  const template: TemplateMessage = {
    type: 'template',
    name,
    language: outbound.lang,
    body: [outbound.code],
    buttons,
    text: '',
  }
  return messageBody({
    to: { phone: outbound.to, businessScopedId: null },
    message: template,
    reference: outbound.reference,
  })
}
