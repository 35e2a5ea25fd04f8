import * as z from 'zod/mini'
import { limits, problemOfChoices } from '../../../server/providers/message.ts'

/** A rule of the Cloud API; a message that breaks it is refused with this code. */
const rule = <T>(code: number, holds: (value: T) => boolean) => z.refine<T>(holds, String(code))
const text = (most: number, code = 100) =>
  z.string().check(rule(code, (value: string) => value.trim() !== '' && value.length <= most))

const words = z.object({ type: z.literal('text'), text: text(limits.header) })
const headerFile = z.object({ link: text(2_000, 131_051), filename: z.optional(z.string()) })
const parameter = z.object({
  type: z.enum(['text', 'payload', 'coupon_code', 'image', 'video', 'document']),
  /** Of templates with named variables. */
  parameter_name: z.optional(text(60)),
  text: z.optional(text(limits.variable, 131_008).check(rule(132_000, (value: string) => !/[\n\t]| {5}/.test(value)))),
  payload: z.optional(z.string()),
  coupon_code: z.optional(text(limits.code, 131_009).check(rule(131_009, (value: string) => /^\w+$/.test(value)))),
  image: z.optional(headerFile),
  video: z.optional(headerFile),
  document: z.optional(headerFile),
})
const template = z.object({
  name: text(512, 132_001),
  language: z.object({ code: text(10, 132_001) }),
  components: z._default(
    z.array(
      z.object({
        type: z.enum(['header', 'body', 'button']),
        sub_type: z.optional(z.enum(['url', 'quick_reply', 'copy_code'])),
        index: z.optional(z.string()),
        parameters: z.array(parameter),
      }),
    ),
    [],
  ),
})
export type SentTemplate = z.output<typeof template>

const row = z.object({
  id: text(limits.rowId),
  title: text(limits.rowTitle, 131_009),
  description: z.optional(z.string().check(rule(131_009, (value: string) => value.length <= limits.rowDescription))),
})
const sections = z.array(z.object({ title: z.optional(text(limits.sectionTitle)), rows: z.array(row) })).check(
  rule(131_009, (all: readonly { title?: string; rows: readonly { id: string; title: string }[] }[]) => {
    const rows = all.flatMap((section) => section.rows)
    const isCounted = all.length <= limits.sections && all.every((section) => section.rows.length > 0)
    const isTitled = all.length < 2 || all.every(({ title }) => title !== undefined)
    return isCounted && isTitled && rows.length > 0 && rows.length <= limits.rows && problemOfChoices(rows) === null
  }),
)
const reply = z.object({
  type: z.literal('reply'),
  reply: z.object({ id: text(limits.buttonId), title: text(limits.buttonTitle, 131_009) }),
})
const around = {
  header: z.optional(words),
  body: z.object({ text: text(limits.listText) }),
  footer: z.optional(z.object({ text: text(limits.footer) })),
}
const interactive = z.discriminatedUnion('type', [
  z.object({
    ...around,
    type: z.literal('list'),
    action: z.object({ button: text(limits.listButton, 131_009), sections }),
  }),
  z.object({
    ...around,
    body: z.object({ text: text(limits.interactiveText) }),
    type: z.literal('button'),
    action: z.object({
      buttons: z
        .array(reply)
        .check(
          rule(
            131_009,
            (all: readonly { reply: { id: string; title: string } }[]) =>
              all.length > 0 && all.length <= limits.buttons && problemOfChoices(all.map((one) => one.reply)) === null,
          ),
        ),
    }),
  }),
  z.object({
    ...around,
    body: z.object({ text: text(limits.interactiveText) }),
    type: z.literal('location_request_message'),
    action: z.object({ name: z.literal('send_location') }),
  }),
])

const file = z
  .object({
    link: z.optional(text(2_000, 131_051)),
    /** Of an uploaded file. */
    id: z.optional(text(200)),
    caption: z.optional(text(limits.caption)),
    filename: z.optional(z.string()),
    voice: z.optional(z.boolean()),
  })
  .check(rule(131_051, ({ link, id }: { link?: string; id?: string }) => (link === undefined) !== (id === undefined)))
const envelope = {
  messaging_product: z.literal('whatsapp'),
  /** A phone without its plus. */
  to: z.optional(z.string().check(rule(131_009, (value: string) => /^\d{8,15}$/.test(value)))),
  /** A business-scoped id. */
  recipient: z.optional(text(150, 131_009)),
  /** The quoted message. */
  context: z.optional(z.object({ message_id: text(250) })),
  biz_opaque_callback_data: z.optional(z.string()),
}

/** The body of `POST /{phone number id}/messages`, with the limits and error codes that Meta documents. */
export const sentMessage = z
  .discriminatedUnion(
    'type',
    [
      z.object({ ...envelope, type: z.literal('text'), text: z.object({ body: text(limits.text) }) }),
      z.object({ ...envelope, type: z.literal('template'), template }),
      z.object({ ...envelope, type: z.literal('interactive'), interactive }),
      z.object({ ...envelope, type: z.literal('image'), image: file }),
      z.object({ ...envelope, type: z.literal('document'), document: file }),
      z.object({ ...envelope, type: z.literal('video'), video: file }),
      z.object({ ...envelope, type: z.literal('audio'), audio: file }),
      z.object({
        ...envelope,
        type: z.literal('location'),
        location: z.object({
          latitude: z.number(),
          longitude: z.number(),
          name: z.optional(z.string()),
          address: z.optional(z.string()),
        }),
      }),
      z.object({
        ...envelope,
        type: z.literal('reaction'),
        reaction: z.object({ message_id: text(250), emoji: z.string() }),
      }),
    ],
    '131051',
  )
  .check(rule(131_009, ({ to, recipient }: { to?: string; recipient?: string }) => (to ?? recipient) !== undefined))
export type SentMessage = z.output<typeof sentMessage>

/** The uploaded file that a message names. */
export function mediaIdIn(message: SentMessage): string | null {
  switch (message.type) {
    case 'image':
      return message.image.id ?? null
    case 'document':
      return message.document.id ?? null
    case 'video':
      return message.video.id ?? null
    case 'audio':
      return message.audio.id ?? null
    default:
      return null
  }
}

/** `{status: 'read'}`: the blue ticks, and the sign of writing. */
export const readMark = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: text(200),
  typing_indicator: z.optional(z.strictObject({ type: z.literal('text') })),
})

/** The code of the first broken rule; 100 (invalid parameter) where the shape is wrong. */
export const codeOf = (error: z.core.$ZodError): number => Number(error.issues[0]?.message) || 100
