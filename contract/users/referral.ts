import * as z from 'zod/mini'

/** The ad or post with a WhatsApp button that a conversation began with. */
export const referral = z.object({
  /** `ad` or `post` */
  sourceType: z.nullable(z.string()),
  sourceId: z.nullable(z.string()),
  /** https */
  sourceUrl: z.nullable(z.string()),
  headline: z.nullable(z.string()),
  body: z.nullable(z.string()),
  /** Meta's id of the click. */
  clickId: z.nullable(z.string()),
})
export type Referral = z.output<typeof referral>
