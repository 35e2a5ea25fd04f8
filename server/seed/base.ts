import { holidays } from '../calendar/tables.ts'
import type { Db } from '../platform/db.ts'
import { userRoles } from '../users/tables.ts'
import { publicHolidays } from './calendar.ts'
import { roleNames } from './site-facts.ts'

/** What every installation begins with: the roles and the public holidays. Once only, so that what staff remove stays away. */
export async function seedBase(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const written = await tx
      .insert(userRoles)
      .values([...roleNames])
      .onConflictDoNothing()
      .returning()
    if (written.length === 0) return
    await tx
      .insert(holidays)
      .values([...publicHolidays])
      .onConflictDoNothing()
  })
}
