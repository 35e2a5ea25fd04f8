import { isStaff } from '@qatra/contract/roles'
import { endSessionsOf, forgetSignIns } from '../auth/sessions.commands.ts'
import { forgetCartsOf } from '../cart/commands.ts'
import { forgetMessagesOf } from '../channel/commands.ts'
import { forgetCustomer } from '../customers/commands.ts'
import { forgetWordsOf } from '../legacy/commands.ts'
import { forgetLinksTo } from '../links/commands.ts'
import { forgetPersonInOrders } from '../orders/erasure.commands.ts'
import { type Ctx, userOf } from '../platform/context.ts'
import { run, statement } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { emit, forgetTracesOf } from '../platform/events.ts'
import type { CookieNames } from '../platform/session.ts'
import { forgetTelegramOf } from '../telegram/forget.commands.ts'
import { forgetSendsTo } from '../whatsapp/campaigns/receipts.commands.ts'
import { eraseEventsOf } from '../whatsapp/webhook/person.commands.ts'
import { anonymiseUser } from './commands.ts'

const eraseSql = statement('erasing', `select set_config('qatra.erasing', 'on', true)`)

/**
 * The person goes from every table in one transaction. What stays: orders with their sums, histories with ids. Orders
 * that have not left yet are cancelled, since their address goes too.
 * @throws FORBIDDEN for staff, whose accounts their vendor keeps
 */
export async function eraseAccount(ctx: Ctx, cookies: CookieNames): Promise<{ success: true }> {
  const { id, phone, role } = userOf(ctx)
  if (isStaff(role)) throw new AppError('FORBIDDEN')
  await run(ctx.db, eraseSql)
  // First of all: an order that is being placed holds the cart, and is there to be seen once the cart is free.
  await forgetCartsOf(ctx, id)
  await forgetPersonInOrders(ctx, id)
  await forgetWordsOf(ctx, id)
  await forgetCustomer(ctx, id)
  await forgetLinksTo(ctx, phone)
  await eraseEventsOf(ctx, phone)
  await forgetTelegramOf(ctx, phone)
  await forgetMessagesOf(ctx, phone)
  await forgetSendsTo(ctx, phone)
  await forgetSignIns(ctx, phone)
  await endSessionsOf(ctx, id)
  await emit(ctx, { name: 'user.erased', action: 'deleted', resource: 'user', id })
  await anonymiseUser(ctx, id)
  await forgetTracesOf(ctx, id)
  ctx.setCookie({ name: cookies.session, value: null })
  ctx.setCookie({ name: cookies.device, value: null })
  ctx.setHeader('clear-site-data', '"cache","storage"')
  return { success: true }
}
