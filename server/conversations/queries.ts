import type { SimulatedMessage } from '@qatra/contract/simulator'
import { desc, eq } from 'drizzle-orm'
import { type Db, run, statement } from '../database/db.ts'
import { keyFor, unseal } from '../lib/secrets.ts'
import { simulatedMessages, whatsappMessages } from './tables.ts'

/** Name of the shop in a simulated conversation. */
export const SHOP = 'Qatra'
const MOST = 500

export const simulatorKey = (secret: Buffer) => keyFor(secret, 'simulated phones')

/** Newest first. Skips messages that were encrypted with another key (another DATA_DIR). */
export async function listSimulated(
  { db, key }: { db: Db; key: Buffer },
  phone: string | undefined,
): Promise<SimulatedMessage[]> {
  const rows = await db
    .select({ message: simulatedMessages, status: whatsappMessages.status })
    .from(simulatedMessages)
    .leftJoin(whatsappMessages, eq(whatsappMessages.messageId, simulatedMessages.id))
    .where(phone === undefined ? undefined : eq(simulatedMessages.phone, phone))
    .orderBy(desc(simulatedMessages.createdAt), desc(simulatedMessages.id))
    .limit(MOST)
  return rows.flatMap(({ message, status }) => {
    const { id, direction, channel, createdAt } = message
    const body = unseal(key, message.sealedBody, id)
    if (body === null) return []
    const [from, to] = direction === 'outgoing' ? [SHOP, message.phone] : [message.phone, SHOP]
    const parts = message.sealedParts === null ? null : unseal(key, message.sealedParts, id)
    // Written by this module.
    const shown = parts === null ? null : (JSON.parse(parts) as SimulatedMessage['parts'])
    return [
      {
        id,
        to,
        from,
        direction,
        channel,
        body,
        parts: shown,
        status: status ?? 'sent',
        createdAt: createdAt.toISOString(),
      },
    ]
  })
}

const statusSql = statement('message-status', 'select status from whatsapp_messages where dedupe_key = $1')

export async function findStatus(db: Db, dedupeKey: string): Promise<string | null> {
  const [row] = await run<{ status: string }>(db, statusSql, [dedupeKey])
  return row?.status ?? null
}

interface FoundMessage {
  status: 'queued' | 'unknown' | 'sent' | 'delivered' | 'read' | 'failed'
  /** The provider's last error. */
  problem: string | null
}

const messageSql = statement(
  'message-found',
  `select status, errors -> -1 ->> 'text' as problem from whatsapp_messages where dedupe_key = $1`,
)

export async function findMessage(db: Db, dedupeKey: string): Promise<FoundMessage | null> {
  const [row] = await run<FoundMessage>(db, messageSql, [dedupeKey])
  return row ?? null
}
