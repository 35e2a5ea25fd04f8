import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** First member of a backup. */
export const manifestShape = z.object({
  format: z.literal(1),
  takenAt: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ hash: z.string(), createdAt: z.number() })),
  /** Identifies the key without revealing it; the key is never part of a backup. */
  keyMark: z.nullable(z.string()),
  /** Months of the partitioned tables, as dates of their first day. */
  months: z._default(z.array(z.object({ table: z.string(), month: z.string() })), []),
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })),
})
export type Manifest = z.infer<typeof manifestShape>

/** Last member, with counts and hashes of the others. */
export const summaryShape = z.object({
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
})
export type Summary = z.infer<typeof summaryShape>

/** Of SECRET_KEY or the stored key; null if there is none. Creates no key. */
export function keyMarkOf(env: Readonly<Record<string, string | undefined>>, dataDir: string): string | null {
  const kept = join(dataDir, 'secret.key')
  const key = env['SECRET_KEY']?.trim() || (existsSync(kept) ? readFileSync(kept, 'utf8').trim() : '')
  return key ? createHmac('sha256', key).update('qatra backup').digest('hex').slice(0, 16) : null
}
