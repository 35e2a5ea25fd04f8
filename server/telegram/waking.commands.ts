import { type Db, run, statement } from '../database/db.ts'

/** Channel that activates the simulated bot in all processes. */
export const WAKING_CHANNEL = 'telegram_waking'

const wakeSql = statement('telegram-waking', `select pg_notify('${WAKING_CHANNEL}', '')`)

export async function announceWaking(db: Db): Promise<void> {
  await run(db, wakeSql)
}
