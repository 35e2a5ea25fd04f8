import type { Outgoing, TemplateMessage } from '../message.ts'
import type { OutboundCode, OutboundMessage } from '../provider.ts'

/** Bodies of `POST /{phone number id}/messages`, as the Cloud API documents them. */
export function messageBody({ to, message, reference }: OutboundMessage) {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(to),
    ...contentOf(message),
    biz_opaque_callback_data: reference,
  }
}

/** A phone without its plus, or a business-scoped id, which has its own field. */
const recipientOf = ({ phone, businessScopedId }: OutboundMessage['to']) =>
  phone === null ? { recipient: businessScopedId } : { to: phone.slice(1) }

const optional = (text: string | undefined) => (text ? { text } : undefined)

function contentOf(message: Outgoing) {
  switch (message.type) {
    case 'text':
      return { type: 'text', text: { preview_url: message.hasPreview ?? false, body: message.text } }
    case 'template':
      return { type: 'template', template: templateOf(message) }
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
    default: {
      const { type, link, caption, filename } = message
      const named = type === 'document' && filename ? { filename } : {}
      return { type, [type]: { link, ...(caption && type !== 'audio' ? { caption } : {}), ...named } }
    }
  }
}

const text = (value: string) => ({ type: 'text', text: value })

function templateOf({ name, language, header, body, buttons = [] }: TemplateMessage) {
  const components = [
    ...(header ? [{ type: 'header', parameters: [headerOf(header)] }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body.map(text) }] : []),
    ...buttons.map(({ index, type, value }) => ({
      type: 'button',
      sub_type: type,
      index: String(index),
      parameters: [type === 'url' ? text(value) : { type: 'payload', payload: value }],
    })),
  ]
  return { name, language: { code: language }, ...(components.length > 0 ? { components } : {}) }
}

const headerOf = (header: NonNullable<TemplateMessage['header']>) =>
  header.type === 'text' ? text(header.text) : { type: header.type, [header.type]: { link: header.link } }

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
