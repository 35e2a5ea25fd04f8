import * as z from 'zod/mini'
import type { WhatsappConfig } from '../config/messaging.ts'
import type { CallOptions } from '../providers/provider-http.gateway.ts'
import { ask } from '../providers/whatsapp-cloud/ask.gateway.ts'
import { callGraph } from '../providers/whatsapp-cloud/graph.gateway.ts'
import type { ProviderTemplate } from './provider-template.ts'

const text = z.optional(z.nullable(z.string()))
const page = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string().check(z.minLength(1), z.maxLength(512)),
      language: z.string().check(z.minLength(2), z.maxLength(10)),
      category: z.string(),
      status: z.string(),
      components: z._default(z.array(z.record(z.string(), z.unknown())), []),
      quality_score: z.optional(z.nullable(z.object({ score: text }))),
      rejected_reason: text,
    }),
  ),
  paging: z.optional(
    z.object({ cursors: z.optional(z.object({ after: z.optional(z.string()) })), next: z.optional(z.string()) }),
  ),
})

/** At 100 templates a page, far more than an account may have. */
const MAX_PAGES = 70

/** All templates of the account, page by page; null if a page fails, since an incomplete list would remove the rest. */
export async function fetchTemplates(
  config: WhatsappConfig,
  options: CallOptions = {},
): Promise<ProviderTemplate[] | null> {
  if (config.businessAccountId === null) return null
  const found: ProviderTemplate[] = []
  let after: string | undefined
  for (let n = 0; n < MAX_PAGES; n += 1) {
    const query = {
      fields: 'id,name,language,category,status,components,quality_score,rejected_reason',
      limit: '100',
      ...(after === undefined ? {} : { after }),
    }
    // The provider's `next` URL contains the token, so the URL is built here.
    const path = `${config.businessAccountId}/message_templates`
    const answer = await callGraph(config, { method: 'GET', path, query }, options)
    const read = 'status' in answer && answer.status === 200 ? page.safeParse(answer.body) : null
    if (!read?.success) return null
    for (const one of read.data.data) {
      const reason = one.rejected_reason ?? null
      found.push({
        providerId: one.id,
        name: one.name,
        language: one.language,
        category: one.category,
        status: one.status,
        components: one.components,
        quality: one.quality_score?.score ?? null,
        rejectedReason: reason === 'NONE' ? null : reason,
      })
    }
    after = read.data.paging?.next === undefined ? undefined : read.data.paging.cursors?.after
    if (after === undefined) return found
  }
  return null
}

const created = z.object({ id: z.string(), status: z.string(), category: z.string() })
const done = z.object({ success: z.literal(true) })

export const createTemplate = (config: WhatsappConfig, template: object, options?: CallOptions) =>
  ask(
    config,
    { method: 'POST', path: `${config.businessAccountId}/message_templates`, body: template, answer: created },
    options,
  )

export const replaceTemplate = (
  config: WhatsappConfig,
  { providerId, ...body }: { providerId: string; category?: string; components: object[] },
  options?: CallOptions,
) => ask(config, { method: 'POST', path: providerId, body, answer: done }, options)

/** With the id of one language; a name alone would delete all of them. */
export const removeTemplate = (
  config: WhatsappConfig,
  { providerId, name }: { providerId: string; name: string },
  options?: CallOptions,
) => {
  const query = { hsm_id: providerId, name }
  return ask(
    config,
    { method: 'DELETE', path: `${config.businessAccountId}/message_templates`, query, answer: done },
    options,
  )
}
