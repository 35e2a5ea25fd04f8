import * as z from 'zod/mini'
import { rowIdNumber } from '../../lib/ids.ts'
import { freeText, lineText } from '../../lib/text.ts'
import { coordinates } from '../../places/geo.ts'

/** Maximum text length of WhatsApp. */
export const LONGEST_MESSAGE = 4096

export const templateChoice = z.object({
  name: z.string().check(z.minLength(1, 'validation.required'), z.maxLength(512)),
  language: z.string().check(z.minLength(2, 'validation.required'), z.maxLength(10)),
  /** Values of the body in order, then of the header and buttons, in the order of the template list. */
  variables: z._default(z.array(freeText(1024)).check(z.maxLength(30)), []),
})

/** A reply: text, a file with or without text, a place, a reaction or a template. */
export const replyBody = z
  .object({
    /** The text, or the caption of the file. */
    body: z.optional(freeText(LONGEST_MESSAGE).check(z.minLength(1, 'validation.text'))),
    template: z.optional(templateChoice),
    file: z.optional(
      z.object({
        sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
        filename: z.optional(lineText(200)),
        isVoice: z.optional(z.boolean()),
      }),
    ),
    location: z.optional(z.extend(coordinates, { name: z.optional(lineText(300)) })),
    /** No emoji removes the reaction. */
    reaction: z.optional(z.object({ messageId: rowIdNumber, emoji: z.nullable(z.string().check(z.maxLength(20))) })),
    /** The message of the conversation that this one quotes. */
    replyTo: z.optional(rowIdNumber),
    /** The last message on screen: the reply is refused if a colleague has answered after it. */
    seen: z.optional(rowIdNumber),
  })
  .check(
    z.refine(
      ({ body, file, template, location, reaction }) =>
        [body ?? file, template, location, reaction].filter((part) => part !== undefined).length === 1,
      { path: ['body'], message: 'validation.required' },
    ),
  )
