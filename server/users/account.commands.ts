import { isStaff } from '@qatra/contract/users/roles'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { eraseRows, exportRows, type PersonalData } from '../database/personal-data.ts'
import type { CookieNames } from '../http/session-cookie.ts'
import { AppError } from '../lib/errors.ts'
import { lockUser } from './admin.commands.ts'

/** Limit per part of an export; `incomplete` lists the parts that reached it. */
const MOST_EXPORTED_ROWS = 10_000

/** All data stored about the person, by part. Omits hashes of cookies, codes and tokens, which are keys. */
export async function exportAccount(
  ctx: Ctx,
  tables: readonly PersonalData[],
  maxRows = MOST_EXPORTED_ROWS,
): Promise<Record<string, unknown>> {
  const { id, phone } = userOf(ctx)
  const parts: Record<string, readonly unknown[]> = {}
  // Sequential, so that an export uses one connection.
  for (const entry of tables) {
    const rows = await exportRows(ctx, entry, { id, phone, maxRows })
    if (rows) parts[entry.exported] = rows
  }
  const { user = [], ...lists } = parts
  const incomplete = Object.keys(lists).filter((name) => (lists[name]?.length ?? 0) >= maxRows)
  return { exportedAt: ctx.now.toISOString(), incomplete, user: user[0], ...lists }
}

const eraseSql = statement('erasing', `select set_config('qatra.erasing', 'on', true)`)

/**
 * Erases the person from all tables in one transaction. Orders keep their amounts, histories their ids. Cancels open
 * orders that are not shipped, since their address is erased.
 * @throws FORBIDDEN for staff, whose accounts belong to their vendor; ORDERS_ON_THE_WAY if an order is shipped
 */
export async function eraseAccount(
  ctx: Ctx,
  cookies: CookieNames,
  tables: readonly PersonalData[],
): Promise<{ success: true }> {
  const { id } = userOf(ctx)
  // Read under the lock, since the person may accept an invitation concurrently.
  const { phone, role } = await lockUser(ctx, id)
  if (isStaff(role)) throw new AppError('FORBIDDEN')
  await run(ctx.db, eraseSql)
  for (const entry of tables) await eraseRows(ctx, entry, { id, phone, maxRows: MOST_EXPORTED_ROWS })
  ctx.setCookie({ name: cookies.session, value: null })
  ctx.setCookie({ name: cookies.device, value: null })
  ctx.setHeader('clear-site-data', '"cache","storage"')
  return { success: true }
}
