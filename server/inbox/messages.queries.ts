import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { listMessages as list } from '@qatra/contract/whatsapp/inbox/inbox'
import type { Message, MessageParts, Sender } from '@qatra/contract/whatsapp/inbox/message'
import { fileNameOf } from '@qatra/contract/whatsapp/templates/template-values'
import { and, desc, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { whatsappMessages as messages, whatsappConversationThreads as threads } from '../conversations/tables.ts'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { cleanFileName } from '../lib/file-name.ts'
import { media } from '../media/tables.ts'
import type { Outgoing, TemplateMessage } from '../providers/message.ts'
import { users } from '../users/tables.ts'
import { fileOf } from './files.queries.ts'
import { momentOf } from './queries.ts'
import { messageFiles } from './tables.ts'

const answered = alias(messages, 'answered')
const author = alias(users, 'author')

/** Dedupe key of a retried message. */
export const retryKey = (id: number) => `retry:${id}`

/** Products of an order from Meta's catalogue, whose ids there are ours. */
const orderedItems = sql<MessageParts['items'] | null>`case when ${messages.messageType} = 'order' then (
  select json_agg(json_build_object('id', i ->> 'retailerId', 'quantity', (i ->> 'quantity')::integer, 'name', p.name,
    'nameAr', p.name_ar, 'size', p.size))
  from jsonb_array_elements(${messages.payload} -> 'items') i
  left join products p on p.id::text = i ->> 'retailerId' and p.deleted_at is null) end`

const from = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({
      row: messages,
      answered: {
        id: answered.id,
        content: answered.content,
        type: sql<string>`case when ${answered.revokedAt} is null then ${answered.messageType} else 'revoked' end`,
        direction: answered.direction,
      },
      author: { id: author.id, name: author.name },
      file: {
        // First column: tells whether the joined row exists.
        messageId: messageFiles.messageId,
        isKept: sql<boolean>`${messageFiles.sha256} is not null`,
        mimeType: sql<string | null>`${media.mimeType}`,
        size: messageFiles.size,
        seconds: messageFiles.seconds,
        problem: messageFiles.problem,
      },
      fileAge: sql<number>`extract(epoch from now() - coalesce(${messageFiles.changedAt}, ${messages.createdAt}))::float8`,
      items: orderedItems,
      width: media.width,
      height: media.height,
      // The latest of each side; an empty one was removed.
      reactions: sql<{ emoji: string; isOwn: boolean }[] | null>`(
        select json_agg(json_build_object('emoji', r.emoji, 'isOwn', r.is_own) order by r.is_own)
        from (select distinct on (direction) content as emoji, direction = 'outgoing' as is_own from whatsapp_messages o
          where o.message_type = 'reaction' and o.context_message_id = ${messages.messageId}
            and o.contact_id = ${messages.contactId} and o.status <> 'failed'
          order by direction, o.id desc) r
        where r.emoji <> '')`,
      isRetried: sql<boolean>`exists (select from whatsapp_messages r where r.dedupe_key = 'retry:' || ${messages.id})`,
    })
    .from(messages)
    .leftJoin(
      answered,
      sql`${answered.messageId} = ${messages.contextMessageId} and ${answered.contactId} = ${messages.contactId}`,
    )
    .leftJoin(author, eq(author.id, messages.sentByUserId))
    .leftJoin(messageFiles, eq(messageFiles.messageId, messages.id))
    .leftJoin(media, eq(media.sha256, messageFiles.sha256))
type Row = Awaited<ReturnType<typeof from>>[number]

/** Removes the provider's media ids, which the admin must not receive. */
function partsOf({ direction, payload, sentByType }: Row['row']): MessageParts {
  if (!payload) return {}
  return direction === 'outgoing' && sentByType !== 'phone'
    ? offered(payload as Outgoing)
    : received(payload as Record<string, unknown>)
}

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)
const bare = <T extends object>(parts: T): T =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T // keys may be missing

function received(parts: Record<string, unknown>): MessageParts {
  const { phones, answers } = parts
  return bare({
    lat: numberIn(parts.lat),
    lng: numberIn(parts.lng),
    place: textIn(parts.place) ?? textIn(parts.address),
    filename: textIn(cleanFileName(textIn(parts.filename) ?? '')),
    mimeType: textIn(parts.mimeType),
    isVoice: parts.isVoice === true ? true : undefined,
    transcript: textIn(parts.transcript),
    emoji: textIn(parts.emoji),
    answers: Array.isArray(answers) ? answers : undefined,
    phones: Array.isArray(phones) ? phones.filter((one) => typeof one === 'string') : undefined,
  }) as MessageParts
}

/** Name of the file at the head of a template; the file itself stays with its host. */
function attachedTo({ header }: TemplateMessage): string | undefined {
  if (!header || header.type === 'text') return undefined
  const named = header.type === 'document' ? header.filename : undefined
  return textIn(cleanFileName(named ?? fileNameOf(header.link) ?? header.link))
}

function offered(message: Outgoing): MessageParts {
  switch (message.type) {
    case 'template':
      return bare({
        template: message.name,
        header: message.header?.type === 'text' ? message.header.text : undefined,
        filename: attachedTo(message),
      }) as MessageParts
    case 'list':
      return bare({
        header: message.header,
        footer: message.footer,
        choices: message.sections.flatMap(({ rows }) => rows.map(({ title }) => title)),
      }) as MessageParts
    case 'buttons':
      return bare({
        header: message.header,
        footer: message.footer,
        choices: message.buttons.map(({ title }) => title),
      }) as MessageParts
    case 'image':
    case 'document':
    case 'video':
    case 'audio':
      return bare({ filename: message.filename, isVoice: message.isVoice }) as MessageParts
    case 'location':
      return bare({ lat: message.lat, lng: message.lng, place: message.name }) as MessageParts
    case 'reaction':
      return { emoji: message.emoji }
    default:
      return {}
  }
}

/** Text without the options, which are shown separately. */
function wordsOf({ content, payload, direction }: Row['row']): string {
  const message = direction === 'outgoing' ? (payload as Outgoing | null) : null
  return message?.type === 'list' || message?.type === 'buttons' ? message.text : (content ?? '')
}

const iso = (at: Date | null) => at?.toISOString() ?? null

/** Campaigns have their own retries; undelivered codes cannot be sent again. */
export const mayRetry = (row: Pick<Row['row'], 'direction' | 'status' | 'payload' | 'sentByType'>): boolean =>
  row.direction === 'outgoing' && row.status === 'failed' && row.payload !== null && row.sentByType !== 'campaign'

function describeMessage(found: Row): Message {
  const { row, answered: first, author: user, file, fileAge, items, width, height, reactions, isRetried } = found
  const attached = width !== null && height !== null ? { picture: { width, height } } : fileOf(row, file, fileAge)
  const error = row.status === 'failed' || row.status === 'unknown' ? row.errors.at(-1) : undefined
  return {
    id: row.id,
    direction: row.direction,
    channel: row.channel,
    type: row.revokedAt ? 'revoked' : row.messageType,
    text: wordsOf(row),
    parts: { ...partsOf(row), ...attached, ...(items ? { items } : {}), ...(reactions ? { reactions } : {}) },
    status: row.status,
    problem: error ? { code: error.code ?? '', text: error.text ?? '', kind: error.kind ?? '' } : null,
    mayRetry: mayRetry(row) && !isRetried,
    isRetried,
    by: { type: row.sentByType as Sender, user }, // only the conversations' commands write it
    at: momentOf(row),
    editedAt: row.revokedAt ? null : iso(row.editedAt),
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    seenAt: iso(row.seenAt),
    isRead: row.direction === 'outgoing' || row.readByAdmin,
    isQuotable: row.messageId !== null && row.channel === 'whatsapp',
    answers: first && { id: first.id, text: first.content ?? '', type: first.type, direction: first.direction },
  }
}

/**
 * By the provider's time: messages of a burst, and late ones, arrive in any order. The provider names whole seconds;
 * within one the order of arrival decides.
 */
const place = sql`date_trunc('second', case ${messages.direction} when 'incoming'
  then coalesce(${messages.timestamp}, ${messages.createdAt}) else ${messages.createdAt} end)`
const placeOf = (id: number) => sql`(select date_trunc('second', case b.direction when 'incoming'
  then coalesce(b.timestamp, b.created_at) else b.created_at end), b.id from whatsapp_messages b where b.id = ${id})`

/** Newest first; `before` is an id, so new messages do not shift pages. */
export async function listMessages(
  ctx: Ctx,
  contactId: number,
  { page, limit, before }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  // Reactions are shown on their message.
  const ofContact = and(
    eq(messages.contactId, contactId),
    sql`not (${messages.messageType} = 'reaction' and exists (select from whatsapp_messages t
      where t.message_id = ${messages.contextMessageId} and t.contact_id = ${messages.contactId}))`,
  )
  const rows = await from(ctx)
    .where(and(ofContact, before === undefined ? undefined : sql`(${place}, ${messages.id}) < ${placeOf(before)}`))
    .orderBy(desc(place), desc(messages.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await ctx.db.select({ total: sql<number>`count(*)::int` }).from(messages).where(ofContact)
  return { items: rows.map(describeMessage), page, limit, total: counted?.total ?? 0 }
}

async function findMessage(ctx: Pick<Ctx, 'db'>, where: SQL): Promise<Message | null> {
  const [row] = await from(ctx).where(where)
  return row ? describeMessage(row) : null
}

export const findByKey = (ctx: Pick<Ctx, 'db'>, key: string) => findMessage(ctx, eq(messages.dedupeKey, key))

export async function requireMessage(ctx: Pick<Ctx, 'db'>, id: number): Promise<Message> {
  const found = await findMessage(ctx, eq(messages.id, id))
  if (!found) throw new AppError('MESSAGE_NOT_FOUND')
  return found
}

/** Provider's id of a message that can be quoted or reacted to. @throws MESSAGE_NOT_FOUND */
export async function requireQuotable({ db }: Pick<Ctx, 'db'>, contactId: number, id: number): Promise<string> {
  const [row] = await db
    .select({ messageId: messages.messageId })
    .from(messages)
    .where(and(eq(messages.contactId, contactId), eq(messages.id, id), eq(messages.channel, 'whatsapp')))
  if (!row?.messageId) throw new AppError('MESSAGE_NOT_FOUND')
  return row.messageId
}

/** Locks the row until the transaction ends. */
export async function lockMessage(ctx: Pick<Ctx, 'db'>, contactId: number, id: number): Promise<Row['row']> {
  const [row] = await ctx.db
    .select()
    .from(messages)
    .where(and(eq(messages.contactId, contactId), eq(messages.id, id)))
    .for('update')
  if (!row) throw new AppError('MESSAGE_NOT_FOUND')
  return row
}

/** The message stored for this key; a different message with the same key is refused. */
export async function findKept(ctx: Pick<Ctx, 'db'>, key: string) {
  const [row] = await ctx.db
    .select({ id: messages.id, contactId: messages.contactId, payload: messages.payload })
    .from(messages)
    .where(eq(messages.dedupeKey, key))
  return row ?? null
}

/** Provider's id of the newest message read here; a read receipt covers all before it. */
export async function findLastRead({ db }: Pick<Ctx, 'db'>, contactId: number): Promise<string | null> {
  const [row] = await db
    .select({ messageId: messages.messageId })
    .from(messages)
    .where(
      and(
        eq(messages.contactId, contactId),
        eq(messages.direction, 'incoming'),
        eq(messages.channel, 'whatsapp'),
        eq(messages.readByAdmin, true),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
  return row?.messageId ?? null
}

/** Staff have neither replied after the message, here or on the shop's phone, nor resolved the conversation. Locks it. */
export async function isUnanswered({ db }: Pick<Ctx, 'db'>, contactId: number, messageId: number): Promise<boolean> {
  const [thread] = await db
    .select({ doneAt: threads.doneAt })
    .from(threads)
    .where(eq(threads.contactId, contactId))
    .for('update')
  const [reply] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.contactId, contactId),
        inArray(messages.sentByType, ['staff', 'phone']),
        ne(messages.messageType, 'reaction'),
        gt(messages.id, messageId),
      ),
    )
    .limit(1)
  return thread !== undefined && thread.doneAt === null && !reply
}
