import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../server/database/db.ts'
import type { ServedFile } from '../../server/http/serve-file.ts'
import { AppError } from '../../server/lib/errors.ts'
import { keyFor, unseal } from '../../server/lib/secrets.ts'
import { simulatedFiles, simulatedMessages } from '../../server/providers/simulator/tables.ts'
import type { SimulatedMessage } from '../contract/simulator.ts'

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

/** The file of a message that a simulated phone received. @throws NOT_FOUND */
export async function requireSimulatedFile({ db, key }: { db: Db; key: Buffer }, id: string): Promise<ServedFile> {
  const [row] = await db.select().from(simulatedFiles).where(eq(simulatedFiles.messageId, id))
  const base64 = row ? unseal(key, row.sealedBytes, id) : null
  if (!row || base64 === null) throw new AppError('NOT_FOUND')
  const bytes = Buffer.from(base64, 'base64')
  return {
    mimeType: row.mimeType,
    size: bytes.length,
    shownAs: 'inline',
    isPublic: false,
    tag: id,
    read: async (from, to) => bytes.subarray(from, to),
  }
}
