import * as z from 'zod/mini'
import { endpoint, tableFile } from '../../endpoint.ts'
import { instant, rowIdNumber } from '../../lib/ids.ts'
import { langs } from '../../lib/lang.ts'
import { page, pageQuery } from '../../lib/page.ts'
import { CAMPAIGNS, campaignDetail, campaignParams, reading, sendStatuses, writing } from './campaigns.ts'

export const settleSends = endpoint({
  method: 'POST',
  path: `${CAMPAIGNS}/{id}/settle`,
  ...writing,
  summary: 'Set the result of messages whose result is unknown; a later receipt overrides it',
  params: campaignParams,
  body: z.object({
    sendIds: z.array(rowIdNumber).check(z.minLength(1, 'validation.required'), z.maxLength(500)),
    status: z.enum(['sent', 'failed']),
  }),
  returns: campaignDetail,
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATE'],
})

export const send = z.object({
  id: z.number(),
  phone: z.string(),
  contactId: z.nullable(z.number()),
  name: z.nullable(z.string()),
  status: z.enum(sendStatuses),
  variables: z.nullable(z.record(z.string(), z.string())),
  /** Reason of a failed, skipped or unknown send. */
  errorCode: z.nullable(z.string()),
  errorMessage: z.nullable(z.string()),
  attempts: z.number(),
  sentAt: z.nullable(instant),
  deliveredAt: z.nullable(instant),
  readAt: z.nullable(instant),
  clickedAt: z.nullable(instant),
})
export type Send = z.output<typeof send>

const sendFilters = {
  status: z.optional(z.enum([...sendStatuses, 'clicked'])),
  /** Name or phone. */
  search: z.optional(z.string().check(z.maxLength(100))),
}

export const listSends = endpoint({
  method: 'GET',
  path: `${CAMPAIGNS}/{id}/sends`,
  ...reading,
  summary: 'Recipients of a campaign with the status of their message',
  params: campaignParams,
  query: z.extend(pageQuery, sendFilters),
  returns: page(send),
  errors: ['CAMPAIGN_NOT_FOUND'],
})

export const exportSends = endpoint({
  ...tableFile,
  path: `${CAMPAIGNS}/{id}/sends.csv`,
  ...reading,
  summary: 'Recipients of a campaign as a CSV file',
  params: campaignParams,
  query: z.object({ ...sendFilters, lang: z.optional(z.enum(langs)) }),
  errors: ['CAMPAIGN_NOT_FOUND'],
})
