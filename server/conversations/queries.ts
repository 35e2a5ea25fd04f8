import { type Db, run, statement } from '../database/db.ts'

const statusSql = statement('message-status', 'select status from whatsapp_messages where dedupe_key = $1')

export async function findStatus(db: Db, dedupeKey: string): Promise<string | null> {
  const [row] = await run<{ status: string }>(db, statusSql, [dedupeKey])
  return row?.status ?? null
}
