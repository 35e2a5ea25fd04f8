import { eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import type { App } from '../../http/runtime.ts'
import { seal } from '../../lib/secrets.ts'
import { simulatorKey } from './queries.ts'
import { simulatedFiles, simulatedMessages } from './tables.ts'

type OnDb = { db: Db }

interface Simulated {
  id: string
  phone: string
  direction: 'incoming' | 'outgoing'
  channel: 'whatsapp' | 'sms'
  body: string
  /** Buttons, list and so on, as the simulated phone shows them. */
  parts?: object | undefined
  file?: { bytes: Buffer; mimeType: string } | undefined
}

export async function storeSimulated({ db }: OnDb, key: Buffer, message: Simulated): Promise<Date> {
  const { body, parts, file, ...columns } = message
  const sealedParts = parts ? seal(key, JSON.stringify(parts), message.id) : null
  const [row] = await db
    .insert(simulatedMessages)
    .values({ ...columns, sealedBody: seal(key, body, message.id), sealedParts })
    .returning({ createdAt: simulatedMessages.createdAt })
  if (!row) throw new Error('The insert answers its row')
  if (file) {
    const sealedBytes = seal(key, file.bytes.toString('base64'), message.id)
    await db.insert(simulatedFiles).values({ messageId: message.id, mimeType: file.mimeType, sealedBytes })
  }
  return row.createdAt
}

/** A message for a simulated phone; also printed for the person who started the shop. */
export async function storeOutgoing(app: App, message: Omit<Simulated, 'direction'>): Promise<void> {
  const { channel, phone, body } = message
  await storeSimulated(app, simulatorKey(app.config.secret), { ...message, direction: 'outgoing' })
  const line = body.split('\n').filter(Boolean).join(' · ')
  app.print(`[simulator] ${channel === 'sms' ? 'SMS' : 'WhatsApp'} to ${phone}: ${line}`)
}

export async function deleteSimulatedOf({ db }: OnDb, phone: string): Promise<void> {
  await db.delete(simulatedMessages).where(eq(simulatedMessages.phone, phone))
}

export async function deleteOldSimulated({ db }: OnDb): Promise<void> {
  await db.delete(simulatedMessages).where(lt(simulatedMessages.createdAt, sql`now() - interval '7 days'`))
}
