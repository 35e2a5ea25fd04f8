import { randomUUID } from 'node:crypto'
import type { Parsed } from '@qatra/contract/endpoint'
import type { SimulatedMessage, sendSimulatedMessage } from '@qatra/contract/simulator'
import { eq, lt, or, sql } from 'drizzle-orm'
import type { Ctx } from '../platform/context.ts'
import { type Db, run, statement } from '../platform/db.ts'
import { seal } from '../platform/secrets.ts'
import type { Outcome } from './letter.ts'
import { SHOP } from './queries.ts'
import { contacts, simulatedMessages, whatsappMessages } from './tables.ts'

type OnDb = { db: Db }
export type Receipt = 'sent' | 'delivered' | 'read' | 'failed'

// A claim that ended as "busy" was certainly not sent and may be taken up again; any other is never repeated.
const claimSql = statement(
  'message-claim',
  `insert into whatsapp_messages (dedupe_key, to_number, direction, channel, message_type, content)
   values ($1, $2, 'outgoing', $3, $4, $5)
   on conflict (dedupe_key) do update set status = 'queued'
   where whatsapp_messages.status = 'failed' and whatsapp_messages.errors -> -1 ->> 'kind' = 'busy'
   returning id`,
)

export interface NewMessage {
  /** What the message is for: the same news is never sent twice. */
  dedupeKey: string
  to: string
  channel: 'whatsapp' | 'sms'
  type: string
  /** As it is kept: without codes. */
  content: string
}

/** Takes on the sending of a message; null where somebody has already. Committed before the provider is called. */
export async function claimMessage({ db }: OnDb, message: NewMessage): Promise<number | null> {
  const { dedupeKey, to, channel, type, content } = message
  const [row] = await run<{ id: number }>(db, claimSql, [dedupeKey, to, channel, type, content])
  return row?.id ?? null
}

const rank = (status: string) => `array_position(array['queued','sent','delivered','read','failed'], ${status})`

// The highest rank wins whatever the order of arrival; `failed` is final.
const receiptSql = statement(
  'message-receipt',
  `update whatsapp_messages set
     message_id = coalesce(message_id, $1),
     status = $3,
     timestamp = now(),
     errors = case when $4::jsonb is null then errors else errors || $4::jsonb end
   where (message_id = $1 or id = $2) and direction = 'outgoing' and ${rank('status')} < ${rank('$3')}
   returning id`,
)

/**
 * The one way by which a message's status moves, and it moves forward only. Found by the provider's id or by our own,
 * since a receipt may come before the answer that names the provider's.
 */
export async function noteReceipt(
  { db }: OnDb,
  receipt: { messageId: string | null; reference: string | null; status: Receipt; error?: object },
): Promise<void> {
  const { messageId, reference, status, error } = receipt
  const id = reference !== null && /^\d{1,9}$/.test(reference) ? Number(reference) : null
  const entry = error ? JSON.stringify([{ ...error, at: new Date().toISOString() }]) : null
  await run(db, receiptSql, [messageId, id, status, entry])
}

/** `sent` with the provider's id only. */
export async function noteOutcome(on: OnDb, id: number, outcome: Outcome): Promise<void> {
  const reference = String(id)
  if (outcome.ok) return noteReceipt(on, { messageId: outcome.messageId, reference, status: 'sent' })
  const error = { ...outcome.error, kind: outcome.kind }
  await noteReceipt(on, { messageId: null, reference, status: 'failed', error })
}

interface Simulated {
  id: string
  phone: string
  direction: 'incoming' | 'outgoing'
  channel: 'whatsapp' | 'sms'
  body: string
}

export async function keepSimulated({ db }: OnDb, key: Buffer, message: Simulated): Promise<Date> {
  const { body, ...columns } = message
  const [row] = await db
    .insert(simulatedMessages)
    .values({ ...columns, sealedBody: seal(key, body, message.id) })
    .returning({ createdAt: simulatedMessages.createdAt })
  if (!row) throw new Error('The insert answers its row')
  return row.createdAt
}

/** A make-believe customer writes to the shop's number. */
export async function receiveSimulated(
  ctx: Ctx,
  key: Buffer,
  { from, type, body, lat, lng }: Parsed<typeof sendSimulatedMessage>['body'],
): Promise<SimulatedMessage> {
  const id = `sim.${randomUUID()}`
  const text = type === 'location' ? `${lat ?? 0},${lng ?? 0}` : (body ?? '')
  const message = { id, phone: from, direction: 'incoming', channel: 'whatsapp', body: text } as const
  const createdAt = await keepSimulated(ctx, key, message)
  const [contact] = await ctx.db
    .insert(contacts)
    .values({ phone: from })
    .onConflictDoUpdate({ target: contacts.phone, set: { updatedAt: sql`now()` } })
    .returning({ id: contacts.id })
  await ctx.db.insert(whatsappMessages).values({
    messageId: id,
    contactId: contact?.id ?? null,
    fromNumber: from,
    direction: 'incoming',
    channel: 'whatsapp',
    messageType: type,
    content: text,
    status: 'received',
    sentByType: 'customer',
    timestamp: createdAt,
  })
  return {
    id,
    to: SHOP,
    from,
    direction: 'incoming',
    channel: 'whatsapp',
    body: text,
    status: 'received',
    createdAt: createdAt.toISOString(),
  }
}

/** Every message with this phone, and the contact itself. */
export async function forgetMessagesOf({ db }: OnDb, phone: string): Promise<void> {
  await db
    .delete(whatsappMessages)
    .where(or(eq(whatsappMessages.toNumber, phone), eq(whatsappMessages.fromNumber, phone)))
  await db.delete(contacts).where(eq(contacts.phone, phone))
  await db.delete(simulatedMessages).where(eq(simulatedMessages.phone, phone))
}

export async function forgetOldSimulated({ db }: OnDb): Promise<void> {
  await db.delete(simulatedMessages).where(lt(simulatedMessages.createdAt, sql`now() - interval '7 days'`))
}
