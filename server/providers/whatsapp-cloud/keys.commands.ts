import { type WhatsappKey, whatsappKeys as names } from '@qatra/contract/whatsapp/connection/setup'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { seal } from '../../lib/secrets.ts'
import { sealingKey } from './keys.queries.ts'
import { whatsappKeys } from './tables.ts'

/** New values; null for a key that is removed. */
export type KeyChanges = Readonly<Partial<Record<WhatsappKey, string | null>>>

/** Each is sealed for its name, so that a row cannot take the place of another. */
export async function writeKeys(db: Db, secret: Buffer, keys: KeyChanges, updatedBy: number): Promise<void> {
  const removed = names.filter((name) => keys[name] === null)
  await db.delete(whatsappKeys).where(inArray(whatsappKeys.name, removed))
  const given = names.flatMap((name) => (keys[name] ? [{ name, value: keys[name] }] : []))
  if (given.length === 0) return
  const written = { updatedBy, updatedAt: sql`now()` }
  await db
    .insert(whatsappKeys)
    .values(given.map(({ name, value }) => ({ name, sealed: seal(sealingKey(secret), value, name), ...written })))
    .onConflictDoUpdate({ target: whatsappKeys.name, set: { sealed: sql`excluded.sealed`, ...written } })
}
