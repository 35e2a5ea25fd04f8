import type { SimulatedMessage } from '@qatra/contract/simulator'
import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { keyFor, unseal } from '../../lib/secrets.ts'
import { simulatedMessages } from './tables.ts'

/** Name of the shop in a simulated conversation. */
export const SHOP = 'Qatra'
const MOST = 500

export const simulatorKey = (secret: Buffer) => keyFor(secret, 'simulated phones')

/** The status of the stored message; null for messages that are in no conversation. */
const statusOf = sql<SimulatedMessage['status'] | null>`(
  select m.status from whatsapp_messages m where m.message_id = ${simulatedMessages}.id
)`

/** Newest first. Skips messages that were encrypted with another key (another DATA_DIR). */
export async function listSimulated(
  { db, key }: { db: Db; key: Buffer },
  phone: string | undefined,
): Promise<SimulatedMessage[]> {
  const rows = await db
    .select({ message: simulatedMessages, status: statusOf })
    .from(simulatedMessages)
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

const { sealedBody, sealedParts, ...openColumns } = getTableColumns(simulatedMessages)

/** For the export of personal data: without the sealed contents. Newest first. */
export const exportSimulated = (db: Db, phone: string, mostRows: number) =>
  db
    .select(openColumns)
    .from(simulatedMessages)
    .where(eq(simulatedMessages.phone, phone))
    .orderBy(desc(simulatedMessages.createdAt))
    .limit(mostRows)
