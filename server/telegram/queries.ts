import type { Lang } from '@qatra/contract/lang'
import type { Fils } from '@qatra/contract/money'
import { type Kind, kindsFor } from '@qatra/contract/notification-kinds'
import { mayEnter, rolePermissions } from '@qatra/contract/permissions'
import { isStaff, type Role } from '@qatra/contract/roles'
import type { TelegramStatus } from '@qatra/contract/telegram'
import { sendReply } from '@qatra/contract/whatsapp-inbox'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type Ctx, userOf } from '../platform/context.ts'
import { type Db, run, statement } from '../platform/db.ts'
import type { App } from '../platform/runtime.ts'
import { users } from '../users/tables.ts'
import { telegramOf } from './gateway.ts'

export interface Person {
  id: number
  name: string | null
  phone: string
  role: Role
  vendorId: number | null
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
  permissions: users.permissions,
  language: users.language,
  chatId: users.telegramChatId,
  notificationEnabled: users.notificationEnabled,
  notificationTypes: users.notificationTypes,
}
const isHere = and(users.isActive, isNull(users.erasedAt))

/** Of the staff; null for customers, and for who is switched off or erased. */
export async function findPerson(db: Db, id: number): Promise<Person | null> {
  const [row] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), isHere))
  return row && isStaff(row.role) ? row : null
}

/** Whose Telegram account it is. */
export async function findLinked(db: Db, chatId: string): Promise<Person | null> {
  const [row] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.telegramChatId, chatId), isHere))
  return row && isStaff(row.role) ? row : null
}

/** Exactly who may answer a conversation in the office. */
export const mayAnswer = ({ role, permissions }: Person) =>
  mayEnter(sendReply, { role, permissions: [...rolePermissions[role], ...permissions] })

/** Linked people whose bell this rings, by role, vendor and their own settings. */
export async function listeners(db: Db, kind: Kind, vendorId: number | null): Promise<(Person & { chatId: string })[]> {
  const rows = await db
    .select(columns)
    .from(users)
    .where(and(isNotNull(users.telegramChatId), isHere))
  return rows.flatMap((row) => {
    const isInScope = row.role === 'super_admin' || (vendorId !== null && row.vendorId === vendorId)
    const { chatId } = row
    return chatId !== null && isInScope && kindsFor(row).includes(kind) ? [{ ...row, chatId }] : []
  })
}

export interface TelegramFacts {
  isOn: boolean
  hasGroup: boolean
  botName: string | null
}
export function factsOf(app: App): TelegramFacts {
  const telegram = telegramOf(app)
  return { isOn: telegram !== null, hasGroup: !!telegram?.groupId, botName: telegram?.name() ?? null }
}

export async function readStatus(ctx: Ctx, facts: TelegramFacts): Promise<TelegramStatus> {
  const { id } = userOf(ctx)
  const [row] = await ctx.db
    .select({ chatId: users.telegramChatId, name: users.telegramName })
    .from(users)
    .where(eq(users.id, id))
  return { ...facts, isLinked: !!row?.chatId, accountName: row?.chatId ? row.name : null }
}

export interface OrderPlaced {
  id: string
  vendor_id: number
  vendor_name: string
  vendor_name_ar: string | null
  area: string | null
  area_ar: string | null
  total: Fils
  promised_date: string
}
const orderSql = statement(
  'telegram-order',
  `select o.id, o.vendor_id, o.vendor_name, o.vendor_name_ar, o.area_name as area, o.area_name_ar as area_ar, o.total, o.promised_date
   from orders o where o.id = $1 and o.status <> 'cancelled'`,
)
export async function findOrderPlaced(db: Db, id: string): Promise<OrderPlaced | null> {
  const [row] = await run<OrderPlaced>(db, orderSql, [id])
  return row ?? null
}
