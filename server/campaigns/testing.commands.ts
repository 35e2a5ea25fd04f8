import type { Output, Parsed } from '@qatra/contract/endpoint'
import { MOST_TESTS, type testCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import { admitContact } from '../conversations/contacts.commands.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { takeNumberLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { type CampaignMessage, messageTo, unfilledFor } from './filling.ts'
import { contentsOf, namelessIn, refuseMissing } from './planning.ts'

/** A statement of its own after the lock, so that requests at the same moment count each other. */
const countSql = statement(
  'campaign-tests',
  `select count(*)::int as n from whatsapp_messages
   where to_number = $1 and dedupe_key like 'campaign-test:%' and created_at > now() - interval '1 hour'`,
)

/** Sends the message to the phone of the person at the keyboard, in each language. */
export async function sendTest(
  ctx: Ctx,
  publicUrl: string,
  draft: Parsed<typeof testCampaign>['body'],
): Promise<Output<typeof testCampaign>> {
  const { id, phone, name } = ctx.actor.impersonator ?? userOf(ctx)
  const contents = await contentsOf(ctx, draft)
  const person = { name, variables: null }
  const unfilled = (content: CampaignMessage) =>
    unfilledFor(content, person, namelessIn(content.template.shown.language))
  refuseMissing(contents.map((content) => ({ phone, keys: unfilled(content) })))
  await takeNumberLock(ctx.db, 'campaign-tests', id)
  const [row] = await run<{ n: number }>(ctx.db, countSql, [phone])
  const sent = row?.n ?? 0
  if (sent + contents.length > MOST_TESTS) throw new AppError('TOO_MANY_REQUESTS', { retryAfter: 3_600 })
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  // Not a working link: a test can be forwarded.
  const link = draft.hasLinks ? { url: `${publicUrl}/magic-login/test`, token: 'test' } : null
  for (const content of contents) {
    const { language } = content.template.shown
    const message = messageTo(content, person, link, namelessIn(language))
    if (!message) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'link' })
    const dedupeKey = `campaign-test:${id}:${crypto.randomUUID()}`
    await queueMessage(ctx, { to: { contactId }, message, dedupeKey, by: { type: 'system' } })
  }
  return { phone, messages: contents.length }
}
