import { type Db, run, statement } from '../database/db.ts'

/** Where the processes hear that the make-believe bot is wanted. */
export const WAKING_CHANNEL = 'telegram_waking'

const wakeSql = statement('telegram-waking', `select pg_notify('${WAKING_CHANNEL}', '')`)

export async function announceWaking(db: Db): Promise<void> {
  await run(db, wakeSql)
}
