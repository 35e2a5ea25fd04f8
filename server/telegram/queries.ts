import type { PromiseFields } from '@qatra/contract/calendar/slot'
import type { Lang } from '@qatra/contract/lib/lang'
import type { Fils } from '@qatra/contract/lib/money'
import { kindsFor } from '@qatra/contract/notifications/kinds'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import type { TelegramStatus } from '@qatra/contract/telegram'
import { includedPermissions, isAuthorized, type RoleChoice } from '@qatra/contract/users/permissions'
import { isStaff, type Role } from '@qatra/contract/users/roles'
import { sendReply } from '@qatra/contract/whatsapp/inbox/inbox'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { isInReach } from '../conversations/policy.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { type Reach, reaches } from '../notifications/policy.ts'
import { SIMULATED_BOT_NAME } from '../providers/settings.ts'
import { users } from '../users/tables.ts'
import { telegramOf } from './gateway.ts'

export interface Person {
  id: number
  name: string | null
  phone: string
  role: Role
  vendorId: number | null
  /** Own ones and those of the role. */
  permissions: readonly string[]
  language: Lang
  chatId: string | null
  notificationEnabled: boolean
  notificationTypes: readonly string[]
}

const columns = {
  id: users.id,
  name: users.name,
  phone: users.phone,
  role: users.role,
  vendorId: users.vendorId,
  preset: users.preset,
  permissions: users.permissions,
  language: users.language,
  chatId: users.telegramChatId,
  notificationEnabled: users.notificationEnabled,
  notificationTypes: users.notificationTypes,
}
const isHere = and(users.isActive, isNull(users.erasedAt))

/** Staff only; null for customers and for deactivated or erased users. */
export async function findPerson(db: Db, id: number): Promise<Person | null> {
  const [row] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), isHere))
  return row && isStaff(row.role) ? withRole(row) : null
}

/** User linked to the Telegram account. */
export async function findLinked(db: Db, chatId: string): Promise<Person | null> {
  const [row] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.telegramChatId, chatId), isHere))
  return row && isStaff(row.role) ? withRole(row) : null
}

/** Why a person may not answer a contact of these vendors; null if they may. As for a reply in the admin area. */
export function answerRefusal(person: Person | null, vendorIds: readonly number[]): string | null {
  if (!person || !isAuthorized(sendReply, person)) return 'telegram.notLinked'
  return isInReach(person, vendorIds) ? null : 'telegram.notYours'
}

const withRole = <P extends RoleChoice & Pick<Person, 'permissions'>>(person: P): P => ({
  ...person,
  permissions: [...includedPermissions(person), ...person.permissions],
})

/** Linked users whom this notification alerts, by role, scope and preferences; never its author. */
export async function listeners(
  db: Db,
  event: Reach,
  byId: number | null = null,
): Promise<(Person & { chatId: string })[]> {
  const rows = await db
    .select(columns)
    .from(users)
    .where(and(isNotNull(users.telegramChatId), isHere))
  return rows.map(withRole).flatMap((row) => {
    const { chatId } = row
    const isRecipient = row.id !== byId && reaches(row, event) && kindsFor(row).includes(event.kind)
    return chatId !== null && isRecipient ? [{ ...row, chatId }] : []
  })
}

const linkedSql = statement('telegram-anybody', 'select from users where telegram_chat_id is not null limit 1')
export const isAnybodyLinked = async (db: Db): Promise<boolean> => (await run(db, linkedSql)).length > 0

export interface TelegramFacts {
  isOn: boolean
  isSimulated: boolean
  hasGroup: boolean
  botName: string | null
}
export function factsOf(app: App): TelegramFacts {
  const telegram = telegramOf(app)
  const { isSimulated } = app.config.telegram
  // A simulated bot has a name even while inactive.
  const botName = isSimulated ? SIMULATED_BOT_NAME : (telegram?.name() ?? null)
  return { isOn: telegram !== null, hasGroup: !!telegram?.groupId, botName, isSimulated }
}

export async function readStatus(ctx: Ctx, facts: TelegramFacts): Promise<TelegramStatus> {
  const { id } = userOf(ctx)
  const [row] = await ctx.db
    .select({ chatId: users.telegramChatId, name: users.telegramName })
    .from(users)
    .where(eq(users.id, id))
  return { ...facts, isLinked: !!row?.chatId, accountName: row?.chatId ? row.name : null }
}

export interface OrderOfNews extends PromiseFields {
  id: string
  status: OrderStatus
  vendor_id: number
  vendor_name: string
  vendor_name_ar: string | null
  area: string | null
  area_ar: string | null
  total: Fils
  driver_id: number | null
  agent_id: number | null
}
const orderSql = statement(
  'telegram-order',
  `select o.id, o.status, o.vendor_id, o.vendor_name, o.vendor_name_ar, o.area_name as area, o.area_name_ar as area_ar,
     o.total, o.promised_date as "promisedDate", o.assigned_driver_id as driver_id, o.placed_by as agent_id
   from orders o where o.id = $1`,
)
export interface VisitOfNews {
  vendorName: string
  vendorNameAr: string | null
  areaName: string | null
  areaNameAr: string | null
  date: string
}
const visitSql = statement(
  'telegram-visit',
  `select b.name as "vendorName", b.name_ar as "vendorNameAr", v.area_name as "areaName", v.area_name_ar as "areaNameAr",
     v.day::text as date from visits v join vendors b on b.id = v.vendor_id where v.id = $1`,
)
export async function findVisitOfNews(db: Db, id: number): Promise<VisitOfNews | null> {
  const [row] = await run<VisitOfNews>(db, visitSql, [id])
  return row ?? null
}

export async function findOrderOfNews(db: Db, id: string): Promise<OrderOfNews | null> {
  const [row] = await run<OrderOfNews>(db, orderSql, [id])
  return row ?? null
}
