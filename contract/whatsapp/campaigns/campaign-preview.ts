import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { instant } from '../../lib/ids.ts'
import { page } from '../../lib/page.ts'
import {
  areTwoLanguages,
  CAMPAIGNS,
  campaignCost,
  content,
  eitherOr,
  exclusionReasons,
  exclusions,
  isOneOfBoth,
  ofTwo,
  reading,
  uuidText,
} from './campaigns.ts'

/** A recipient found by the list or filter. */
export const person = z.object({
  phone: z.string(),
  name: z.nullable(z.string()),
  lastOrderAt: z.nullable(instant),
  /** Reason of the exclusion; null if the recipient is included. */
  reason: z.nullable(z.enum(exclusionReasons)),
})
export type Person = z.output<typeof person>
export const personViews = ['kept', 'excluded'] as const

export const previewCampaign = endpoint({
  method: 'POST',
  path: `${CAMPAIGNS}/preview`,
  ...reading,
  summary: 'Preview of the recipients, the excluded contacts with reasons, and the text; stores nothing',
  body: z
    .object({
      ...content,
      /** Uses the recipients of this campaign if neither a list nor a filter is given. */
      campaignId: z.optional(uuidText),
      /** Requests one page of the recipients found. */
      people: z.optional(
        z.object({
          view: z._default(z.enum(personViews), 'kept'),
          /** Name or phone. */
          search: z.optional(z.string().check(z.maxLength(100))),
          page: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 1),
          limit: z._default(z.int().check(z.gte(1), z.lte(100)), 10),
        }),
      ),
    })
    .check(z.refine((draft) => draft.campaignId !== undefined || isOneOfBoth(draft), eitherOr))
    .check(z.refine(areTwoLanguages, ofTwo)),
  returns: z.object({
    count: z.number(),
    exclusions,
    /** Missing values, with the number of recipients per variable. */
    missing: z.array(z.object({ variable: z.string(), count: z.number(), phones: z.array(z.string()) })),
    /** Links are requested, and the message has a placeholder for them. */
    hasLinkPlace: z.boolean(),
    /** Messages of the first recipients of each language, with the values that are filled in. */
    samples: z.array(
      z.object({
        phone: z.string(),
        name: z.nullable(z.string()),
        language: z.string(),
        values: z.record(z.string(), z.string()),
        text: z.string(),
      }),
    ),
    cost: campaignCost,
    /** Estimated seconds at the provider's rate limit. */
    seconds: z.number(),
    people: z.nullable(page(person)),
  }),
  errors: ['CAMPAIGN_NOT_FOUND', 'TEMPLATE_NOT_AVAILABLE'],
})
