import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Output } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { formatPhone } from '@qatra/contract/lib/phone'
import { MOST_EXPORTED, MOST_HITS, type searchMessages as search } from '@qatra/contract/whatsapp/inbox/transcript'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { whatsappMessages as messages } from '../conversations/tables.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { type Translator, translatorFor } from '../lib/translate.ts'
import { matchingText, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { momentOf, requireConversation } from './queries.ts'

const newest = [
  desc(
    sql`date_trunc('second', case ${messages.direction} when 'incoming'
      then coalesce(${messages.timestamp}, ${messages.createdAt}) else ${messages.createdAt} end)`,
  ),
  desc(messages.id),
]

/** Newest first. */
export async function searchMessages(ctx: Ctx, contactId: number, typed: string): Promise<Output<typeof search>> {
  const text = searchedFor(typed)
  if (text === '') return []
  const rows = await ctx.db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.contactId, contactId),
        ne(messages.messageType, 'reaction'),
        matchingText(messages.searchText, text),
      ),
    )
    .orderBy(...newest)
    .limit(MOST_HITS)
  return rows.map((row) => ({ id: row.id, direction: row.direction, text: row.content ?? '', at: momentOf(row) }))
}

const kinds: Readonly<Record<string, string>> = {
  image: 'transcript.image',
  sticker: 'transcript.image',
  video: 'transcript.video',
  audio: 'transcript.audio',
  document: 'transcript.document',
  location: 'transcript.location',
  contacts: 'transcript.contacts',
  order: 'transcript.order',
  reaction: 'transcript.reaction',
  revoked: 'transcript.revoked',
}
const authors: Readonly<Record<string, string>> = {
  bot: 'transcript.by.bot',
  campaign: 'transcript.by.campaign',
  phone: 'transcript.by.phone',
  staff: 'transcript.by.staff',
}

interface Said {
  row: typeof messages.$inferSelect
  author: string | null
}

/** What the conversation's page shows of each message, without notes: the file may be given to the customer. */
export async function transcriptOf(ctx: Ctx, contactId: number, lang: Lang): Promise<string> {
  const t = translatorFor(lang)
  const { name, phone } = await requireConversation(ctx, contactId)
  const said: Said[] = await ctx.db
    .select({ row: messages, author: users.name })
    .from(messages)
    .leftJoin(users, eq(users.id, messages.sentByUserId))
    .where(eq(messages.contactId, contactId))
    .orderBy(...newest)
    .limit(MOST_EXPORTED)
  const customer = name ?? t('transcript.by.customer')
  const heading = [
    t('transcript.title', { name: [name, phone && formatPhone(phone)].filter(Boolean).join(' · ') || customer }),
    t('transcript.exported', { name: userOf(ctx).name ?? '—', time: formatDateTime(ctx.now, lang) }),
  ]
  const lines = said.reverse().map((one) => lineOf(one, { t, lang, customer }))
  // Without the mark some editors read Arabic as another encoding.
  return `\ufeff${[...heading, '', ...lines].join('\r\n')}\r\n`
}

function lineOf({ row, author }: Said, { t, lang, customer }: { t: Translator; lang: Lang; customer: string }): string {
  const type = row.revokedAt ? 'revoked' : row.messageType
  const kind = kinds[type]
  const who = row.direction === 'incoming' ? customer : (author ?? t(authors[row.sentByType] ?? 'transcript.by.system'))
  const words = [kind && `[${t(kind)}]`, row.content?.replaceAll('\n', '\r\n  ')].filter(Boolean).join(' ')
  return `${formatDateTime(new Date(momentOf(row)), lang)} – ${who}: ${words}`
}
