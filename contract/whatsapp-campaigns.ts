import * as z from 'zod/mini'
import { instantInput } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { done, instant, rowIdNumber } from './ids.ts'
import { page, pageQuery } from './page.ts'
import { phoneInput } from './phone.ts'
import { freeText } from './text.ts'

export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]
export const sendStatuses = [
  'pending',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'skipped',
  'cancelled',
] as const
export type SendStatus = (typeof sendStatuses)[number]

/** Reasons to exclude a recipient before the start. */
export const exclusionReasons = [
  'malformed',
  'repeated',
  'opted-out',
  'no-consent',
  'staff',
  'switched-off',
  /** Excluded by staff. */
  'taken-out',
] as const
export type ExclusionReason = (typeof exclusionReasons)[number]

export const MOST_RECIPIENTS = 10_000
export const LONGEST_VALUE = 1024

const exclusions = z.partialRecord(z.enum(exclusionReasons), z.number())

/** Recipients by filter: customers who consented to offers. Multiple conditions are combined with AND. */
export const audience = z.object({
  /** The last order was delivered to one of these areas. */
  areaIds: z.optional(z.array(rowIdNumber).check(z.maxLength(500))),
  /** Has ordered from one of these vendors. */
  vendorIds: z.optional(z.array(rowIdNumber).check(z.maxLength(500))),
  /** The last order was placed within this number of days. */
  orderedWithinDays: z.optional(z.int().check(z.gte(1, 'validation.number'), z.lte(3650, 'validation.number'))),
  /** The last order was placed at least this number of days ago. */
  notOrderedForDays: z.optional(z.int().check(z.gte(1, 'validation.number'), z.lte(3650, 'validation.number'))),
  /** BHD; sum of all orders that were not cancelled. */
  minSpend: z.optional(z.number().check(z.gte(0, 'validation.number'), z.lte(1_000_000, 'validation.number'))),
  maxSpend: z.optional(z.number().check(z.gte(0, 'validation.number'), z.lte(1_000_000, 'validation.number'))),
  language: z.optional(z.enum(['ar', 'en'])),
})
export type Audience = z.output<typeof audience>

/**
 * Values by variable key of the template. `{name}` is replaced by the recipient's name, `{link}` by the recipient's
 * link.
 */
const variables = z.record(z.string().check(z.maxLength(40)), freeText(LONGEST_VALUE))

export const recipient = z.object({
  /** Unparsed: entries that are not numbers are skipped and counted. */
  phone: z.string().check(z.maxLength(200)),
  variables: z.optional(variables),
})

const name = freeText(255).check(z.minLength(1, 'validation.required'))
const templateName = z.string('validation.required').check(z.minLength(1, 'validation.required'), z.maxLength(512))
const language = z
  .string('validation.required')
  .check(z.minLength(2, 'validation.required'), z.maxLength(10, 'validation.textTooLong'))

const content = {
  templateName,
  language,
  globalVariables: z.optional(z.nullable(variables)),
  recipients: z.optional(z.array(recipient).check(z.maxLength(MOST_RECIPIENTS))),
  audience: z.optional(z.nullable(audience)),
  /** Excluded by hand, also if the list or filter contains them. */
  excludedPhones: z.optional(z.array(phoneInput).check(z.maxLength(MOST_RECIPIENTS))),
  /** Every recipient gets a magic link that signs them in. */
  hasLinks: z.optional(z.boolean()),
  linkRedirectUrl: z.optional(z.nullable(z.string().check(z.maxLength(2048)))),
}

const isOneOfBoth = ({ recipients, audience: found }: { recipients?: unknown; audience?: unknown }) =>
  (recipients === undefined) !== (found === undefined || found === null)
const eitherOr = { path: ['recipients'], message: 'validation.required' }

export const campaign = z.object({
  id: z.string(),
  name: z.string(),
  templateName: z.string(),
  language: z.string(),
  status: z.enum(campaignStatuses),
  /** Reason of an automatic pause, as the provider reported it. */
  statusReason: z.nullable(z.string()),
  /** End of the quiet hours that currently delay sending. */
  quietUntil: z.nullable(instant),
  globalVariables: z.nullable(z.record(z.string(), z.string())),
  audience: z.nullable(audience),
  hasLinks: z.boolean(),
  linkRedirectUrl: z.nullable(z.string()),
  /** Number of sends by status; their sum is `totalRecipients`. */
  counts: z.record(z.enum(sendStatuses), z.number()),
  totalRecipients: z.number(),
  /** Accepted by the provider: sent, delivered or read. */
  successfulSends: z.number(),
  failedSends: z.number(),
  /** Recipients whose link was opened by a person. */
  clicked: z.number(),
  /** Number of recipients excluded before the start, by reason. */
  exclusions,
  createdBy: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  createdAt: instant,
  updatedAt: instant,
  scheduledAt: z.nullable(instant),
  startedAt: z.nullable(instant),
  pausedAt: z.nullable(instant),
  completedAt: z.nullable(instant),
  cancelledAt: z.nullable(instant),
  version: z.number(),
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    start: z.boolean(),
    pause: z.boolean(),
    resume: z.boolean(),
    cancel: z.boolean(),
  }),
})
export type Campaign = z.output<typeof campaign>

/** Details of one campaign. */
export const campaignDetail = z.object({
  ...campaign.shape,
  excludedPhones: z.array(z.string()),
  /** Messages per second, over all campaigns. */
  perSecond: z.number(),
  /** HH:MM in Bahrain; nothing is sent between them. Null without quiet hours. */
  quietHours: z.nullable(z.object({ from: z.string(), to: z.string() })),
})
export type CampaignDetail = z.output<typeof campaignDetail>

export const CAMPAIGNS = '/api/admin/whatsapp/campaigns'
export const reading = { allow: 'super', permissions: ['campaigns.read'] } as const
export const writing = { allow: 'super', permissions: ['campaigns.read', 'campaigns.write'] } as const
const uuidText = z.string().check(z.regex(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i))
export const campaignParams = z.object({ id: uuidText })

export const listCampaigns = endpoint({
  method: 'GET',
  path: CAMPAIGNS,
  ...reading,
  summary: 'Campaigns, newest first',
  query: z.extend(pageQuery, {
    status: z.optional(z.enum(campaignStatuses)),
    search: z.optional(z.string().check(z.maxLength(100))),
  }),
  returns: page(campaign),
})

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
    .check(z.refine((draft) => draft.campaignId !== undefined || isOneOfBoth(draft), eitherOr)),
  returns: z.object({
    count: z.number(),
    exclusions,
    /** Missing values, with the number of recipients per variable. */
    missing: z.array(z.object({ variable: z.string(), count: z.number(), phones: z.array(z.string()) })),
    /** Links are requested, and the message has a placeholder for them. */
    hasLinkPlace: z.boolean(),
    /** Rendered messages of the first recipients. */
    samples: z.array(z.object({ phone: z.string(), name: z.nullable(z.string()), text: z.string() })),
    /** Estimated seconds at the provider's rate limit. */
    seconds: z.number(),
    people: z.nullable(page(person)),
  }),
  errors: ['CAMPAIGN_NOT_FOUND', 'TEMPLATE_NOT_AVAILABLE'],
})

export const createCampaign = endpoint({
  method: 'POST',
  path: CAMPAIGNS,
  ...writing,
  summary: 'Create a draft; nothing is sent before it is started',
  body: z
    .object({ name, ...content, scheduledAt: z.optional(z.nullable(instantInput)) })
    .check(z.refine((draft) => isOneOfBoth(draft), eitherOr)),
  returns: campaignDetail,
  errors: ['TEMPLATE_NOT_AVAILABLE', 'CAMPAIGN_VARIABLES_MISSING'],
})

export const getCampaign = endpoint({
  method: 'GET',
  path: `${CAMPAIGNS}/{id}`,
  ...reading,
  summary: 'One campaign with its counts',
  params: campaignParams,
  returns: campaignDetail,
  errors: ['CAMPAIGN_NOT_FOUND'],
})

export const changeCampaign = endpoint({
  method: 'PATCH',
  path: `${CAMPAIGNS}/{id}`,
  ...writing,
  summary: 'Change a campaign that has not started',
  params: campaignParams,
  body: z.object({
    ...z.partial(z.object({ name, ...content, scheduledAt: z.optional(z.nullable(instantInput)) })).shape,
    version: z.optional(z.int()),
  }),
  returns: campaignDetail,
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_STATE',
    'VERSION_CONFLICT',
    'TEMPLATE_NOT_AVAILABLE',
    'CAMPAIGN_VARIABLES_MISSING',
  ],
})

export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: `${CAMPAIGNS}/{id}`,
  ...writing,
  summary: 'Delete a campaign that never started',
  params: campaignParams,
  returns: done,
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE'],
})

const act = { method: 'POST', ...writing, params: campaignParams, returns: campaignDetail } as const

export const startCampaign = endpoint({
  ...act,
  path: `${CAMPAIGNS}/{id}/start`,
  summary: 'Start a campaign now, or at `scheduledAt` if that is in the future',
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_STATE',
    'CAMPAIGN_EMPTY',
    'CAMPAIGN_VARIABLES_MISSING',
    'TEMPLATE_NOT_AVAILABLE',
  ],
})
export const pauseCampaign = endpoint({
  ...act,
  path: `${CAMPAIGNS}/{id}/pause`,
  summary: 'Pause a campaign; sends nothing until it is resumed',
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE'],
})
export const resumeCampaign = endpoint({
  ...act,
  path: `${CAMPAIGNS}/{id}/resume`,
  summary: 'Resume a paused campaign',
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE', 'TEMPLATE_NOT_AVAILABLE'],
})
export const cancelCampaign = endpoint({
  ...act,
  path: `${CAMPAIGNS}/{id}/cancel`,
  summary: 'Cancel a campaign; unsent messages are never sent',
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE'],
})
