import { isStaff } from '@qatra/contract/roles'
import { type Ctx, userOf } from '../platform/context.ts'
import { run, statement } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import type { PersonalData } from '../platform/personal-data.ts'
import type { CookieNames } from '../platform/session.ts'
import { lockUser } from './office.commands.ts'

/** Of each part of an export; `incomplete` names the parts that have more. */
const MOST_EXPORTED_ROWS = 10_000

/** Everything stored about the person, by part. Hashes of cookies, codes and tokens are keys, not data, and stay out. */
export async function exportAccount(
  ctx: Ctx,
  features: readonly PersonalData[],
  mostRows = MOST_EXPORTED_ROWS,
): Promise<Record<string, unknown>> {
  const { id, phone } = userOf(ctx)
  const parts: Record<string, readonly unknown[]> = {}
  // One after the other: an export takes one connection, however many tables there are.
  for (const feature of features) Object.assign(parts, await feature.export?.(ctx, { id, phone, mostRows }))
  const { user = [], ...lists } = parts
  const incomplete = Object.keys(lists).filter((name) => (lists[name]?.length ?? 0) >= mostRows)
  return { exportedAt: ctx.now.toISOString(), incomplete, user: user[0], ...lists }
}

const eraseSql = statement('erasing', `select set_config('qatra.erasing', 'on', true)`)

/**
 * The person goes from every table in one transaction. What stays: orders with their sums, histories with ids. Orders
 * that have not left yet are cancelled, since their address goes too.
 * @throws FORBIDDEN for staff, whose accounts their vendor keeps; ORDERS_ON_THE_WAY while a driver has an order
 */
export async function eraseAccount(
  ctx: Ctx,
  cookies: CookieNames,
  features: readonly PersonalData[],
): Promise<{ success: true }> {
  const { id } = userOf(ctx)
  // Read under the lock: the person may accept an invitation to work at the same moment.
  const { phone, role } = await lockUser(ctx, id)
  if (isStaff(role)) throw new AppError('FORBIDDEN')
  await run(ctx.db, eraseSql)
  for (const feature of features) await feature.erase?.(ctx, { id, phone, mostRows: MOST_EXPORTED_ROWS })
  ctx.setCookie({ name: cookies.session, value: null })
  ctx.setCookie({ name: cookies.device, value: null })
  ctx.setHeader('clear-site-data', '"cache","storage"')
  return { success: true }
}
