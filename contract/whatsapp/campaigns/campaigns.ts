import * as z from 'zod/mini'
import { instantInput } from '../../calendar/dates.ts'
import { endpoint } from '../../endpoint.ts'
import { done, instant } from '../../lib/ids.ts'
import { page, pageQuery } from '../../lib/page.ts'
import { phoneInput } from '../../lib/phone.ts'
import { freeText } from '../../lib/text.ts'
import { audience } from './audience.ts'

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
  'blocked',
  'no-consent',
  'staff',
  'switched-off',
  /** Excluded by staff. */
  'taken-out',
] as const
export type ExclusionReason = (typeof exclusionReasons)[number]

export const MOST_RECIPIENTS = 10_000
export const LONGEST_VALUE = 1024

export const exclusions = z.partialRecord(z.enum(exclusionReasons), z.number())

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

export const campaignName = freeText(255).check(z.minLength(1, 'validation.required'))
const templateName = z.string('validation.required').check(z.minLength(1, 'validation.required'), z.maxLength(512))
const language = z
  .string('validation.required')
  .check(z.minLength(2, 'validation.required'), z.maxLength(10, 'validation.textTooLong'))

export const content = {
  templateName,
  language,
  globalVariables: z.optional(z.nullable(variables)),
  /** The same template in another language, for people who speak that one; all others get Arabic if it is one of both. */
  secondLanguage: z.optional(z.nullable(language)),
  secondVariables: z.optional(z.nullable(variables)),
  recipients: z.optional(z.array(recipient).check(z.maxLength(MOST_RECIPIENTS))),
  audience: z.optional(z.nullable(audience)),
  /** Excluded by hand, also if the list or filter contains them. */
  excludedPhones: z.optional(z.array(phoneInput).check(z.maxLength(MOST_RECIPIENTS))),
  /** Declares that the people of the list agreed to messages, and where; needed before a list is started. */
  consentSource: z.optional(z.nullable(freeText(300))),
  /** Every recipient gets a magic link that signs them in. */
  hasLinks: z.optional(z.boolean()),
  linkRedirectUrl: z.optional(z.nullable(z.string().check(z.maxLength(2048)))),
}

export const isOneOfBoth = ({ recipients, audience: found }: { recipients?: unknown; audience?: unknown }) =>
  (recipients === undefined) !== (found === undefined || found === null)
export const areTwoLanguages = ({ language, secondLanguage }: { language?: string; secondLanguage?: string | null }) =>
  !language || !secondLanguage || language.slice(0, 2) !== secondLanguage.slice(0, 2)
export const ofTwo = { path: ['secondLanguage'], message: 'validation.required' }
export const eitherOr = { path: ['recipients'], message: 'validation.required' }

/** By the prices in the settings. */
export const campaignCost = z.object({
  /** BHD, without the messages that have no price. */
  amount: z.number(),
  /** Messages to countries without a price. */
  unpriced: z.number(),
})
export type CampaignCost = z.output<typeof campaignCost>

export const campaign = z.object({
  id: z.string(),
  name: z.string(),
  templateName: z.string(),
  language: z.string(),
  secondLanguage: z.nullable(z.string()),
  status: z.enum(campaignStatuses),
  /** Code of an automatic pause, of the provider or our own, and its text. */
  statusCode: z.nullable(z.string()),
  statusReason: z.nullable(z.string()),
  /** End of the quiet hours that currently delay sending. */
  quietUntil: z.nullable(instant),
  /** The provider limits the messages of all campaigns at present; this one goes on by itself. */
  slowness: z.nullable(z.object({ code: z.string(), until: z.nullable(instant) })),
  globalVariables: z.nullable(z.record(z.string(), z.string())),
  secondVariables: z.nullable(z.record(z.string(), z.string())),
  audience: z.nullable(audience),
  /** Declaration of consent for a list; null if there is none. */
  consent: z.nullable(z.object({ source: z.string(), by: z.nullable(z.string()), at: instant })),
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
export const uuidText = z.string().check(z.regex(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i))
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

export const createCampaign = endpoint({
  method: 'POST',
  path: CAMPAIGNS,
  ...writing,
  summary: 'Create a draft; nothing is sent before it is started',
  body: z
    .object({ name: campaignName, ...content, scheduledAt: z.optional(z.nullable(instantInput)) })
    .check(z.refine((draft) => isOneOfBoth(draft), eitherOr))
    .check(z.refine(areTwoLanguages, ofTwo)),
  returns: campaignDetail,
  errors: ['TEMPLATE_NOT_AVAILABLE', 'TEMPLATE_NOT_MARKETING', 'CAMPAIGN_VARIABLES_MISSING'],
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
    ...z.partial(z.object({ name: campaignName, ...content, scheduledAt: z.optional(z.nullable(instantInput)) })).shape,
    version: z.optional(z.int()),
  }),
  returns: campaignDetail,
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_STATE',
    'VERSION_CONFLICT',
    'TEMPLATE_NOT_AVAILABLE',
    'TEMPLATE_NOT_MARKETING',
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

const startRefusals = [
  ...(['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE', 'CAMPAIGN_CONSENT_MISSING', 'CAMPAIGN_EMPTY'] as const),
  ...(['CAMPAIGN_VARIABLES_MISSING', 'TEMPLATE_NOT_AVAILABLE'] as const),
]
export const startCampaign = endpoint({
  ...act,
  path: `${CAMPAIGNS}/{id}/start`,
  summary: 'Start a campaign now, or at `scheduledAt` if that is in the future',
  errors: startRefusals,
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
  errors: startRefusals,
})
export const cancelCampaign = endpoint({
  ...act,
  path: `${CAMPAIGNS}/{id}/cancel`,
  summary: 'Cancel a campaign; unsent messages are never sent',
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE'],
})
