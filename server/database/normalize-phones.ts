import { maskPhone } from '@qatra/contract/phone'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { canonicalPhone } from '../lib/phone.ts'
import type { Db } from './db.ts'
import { backfills } from './tables.ts'

/** Key of the advisory lock that serializes processes starting at the same time. */
const LOCK = 7_301_974
const NAME = 'canonical-phones'

/**
 * Rewrites every stored phone to its canonical form, once. Merges two customers with the same phone into the older one. If
 * one of two accounts is staff or deactivated, changes nothing and warns at every startup until an operator resolves it.
 */
export async function normalizePhones(db: Db, log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
    const done = await tx.execute(sql`select from ${backfills} where ${backfills.name} = ${NAME}`)
    if (done.rows.length > 0) return
    const stored = await tx.execute<{ phone: string }>(sql`select stored_phones() as phone`)
    const misspelled = stored.rows
      .map(({ phone }) => phone)
      .filter((phone) => phone?.startsWith('+') && canonicalPhone(phone) !== phone)
    let undecided = 0
    for (const phone of misspelled) {
      const canonical = canonicalPhone(phone)
      const answer = await tx.execute<{ done: boolean }>(sql`select respell_phone(${phone}, ${canonical}) as done`)
      if (answer.rows[0]?.done) continue
      undecided += 1
      const holders = await tx.execute<{ id: number }>(
        sql`select id from users where phone in (${phone}, ${canonical}) order by id`,
      )
      const userIds = holders.rows.map(({ id }) => id)
      log.warn({ userIds, phone: maskPhone(canonical) }, 'two accounts have one phone: see docs/operations.md')
    }
    if (undecided === 0) await tx.insert(backfills).values({ name: NAME })
    if (misspelled.length > undecided) log.info({ count: misspelled.length - undecided }, 'phones normalized')
  })
}
