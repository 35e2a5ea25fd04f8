import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { instant } from '../../lib/ids.ts'
import {
  CAMPAIGNS,
  campaignCost,
  campaignDetail,
  campaignName,
  campaignParams,
  content,
  reading,
  writing,
} from './campaigns.ts'

/** Replies and orders count within this time after the person's message. */
export const RESULT_DAYS = 7

export const getCampaignResults = endpoint({
  method: 'GET',
  path: `${CAMPAIGNS}/{id}/results`,
  ...reading,
  summary: 'Replies and orders within seven days after the message; of several campaigns the last one counts',
  params: campaignParams,
  returns: z.object({
    /** People who wrote. */
    replies: z.number(),
    /** Orders that were not cancelled. */
    orders: z.number(),
    /** BHD; their sum. */
    revenue: z.number(),
    /** When the seven days of the last message are over; null before the first message. */
    endsAt: z.nullable(instant),
    /** Estimate for all people. */
    cost: campaignCost,
    /** Of the messages that Meta billed so far; null without any. */
    spent: z.nullable(campaignCost),
  }),
  errors: ['CAMPAIGN_NOT_FOUND'],
})

export const duplicateCampaign = endpoint({
  method: 'POST',
  path: `${CAMPAIGNS}/{id}/duplicate`,
  ...writing,
  summary: 'A new draft with the same template, people and values; a list needs a new declaration of consent',
  params: campaignParams,
  body: z.object({ name: campaignName }),
  returns: campaignDetail,
  errors: ['CAMPAIGN_NOT_FOUND', 'TEMPLATE_NOT_AVAILABLE', 'CAMPAIGN_VARIABLES_MISSING'],
})

const { templateName, language, globalVariables, secondLanguage, secondVariables, hasLinks } = content

/** Test messages of one person in an hour. */
export const MOST_TESTS = 20

export const testCampaign = endpoint({
  method: 'POST',
  path: `${CAMPAIGNS}/test`,
  ...writing,
  summary: 'Send the message to your own phone, in each of its languages; a link in it does not sign in',
  body: z.object({ templateName, language, globalVariables, secondLanguage, secondVariables, hasLinks }),
  returns: z.object({ phone: z.string(), messages: z.number() }),
  errors: ['TEMPLATE_NOT_AVAILABLE', 'CAMPAIGN_VARIABLES_MISSING', 'TOO_MANY_REQUESTS'],
})
