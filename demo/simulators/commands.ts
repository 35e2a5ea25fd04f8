import type { Db } from '../../server/database/db.ts'
import type { App } from '../../server/http/runtime.ts'
import { seal } from '../../server/lib/secrets.ts'
import { simulatedFiles, simulatedMessages } from '../../server/providers/simulator/tables.ts'
import { simulatorKey } from './queries.ts'

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

export async function storeSimulated({ db }: { db: Db }, key: Buffer, message: Simulated): Promise<Date> {
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
