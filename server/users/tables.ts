import type { AddressParts } from '@qatra/contract/auth'
import type { Lang } from '@qatra/contract/lang'
import type { Role } from '@qatra/contract/roles'
import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { vendors } from '../vendors/tables.ts'

export const users = pgTable(
  'users',
  {
    id: rowId(),
    /** E.164; replaced by an invalid mark when the person is erased. */
    phone: text().notNull().unique(),
    name: text(),
    language: text().$type<Lang>().notNull().default('ar'),
    address: text(),
    addressParts: jsonb().$type<AddressParts>(),
    lat: doublePrecision().notNull().default(0),
    lng: doublePrecision().notNull().default(0),
    instructions: text(),
    isVerified: boolean().notNull().default(false),
    role: text().$type<Role>().notNull().default('customer'),
    vendorId: integer().references(() => vendors.id),
    permissions: text().array().notNull().default(sql`'{}'`),
    createdBy: integer(),
    isActive: boolean().notNull().default(true),
    lastLoginAt: instant(),
    lastActiveAt: instant(),
    telegramChatId: text(),
    telegramThreadId: text(),
    /** What the linked Telegram account is called there: `@name`, or the person's own words. */
    telegramName: text(),
    notificationEnabled: boolean().notNull().default(true),
    notificationTypes: text().array().notNull().default(sql`'{order_updates,whatsapp_incoming,new_orders}'`),
    marketingConsent: boolean().notNull().default(false),
    /** Where and when the last answer about marketing was given. */
    consentSource: text(),
    consentAt: instant(),
    erasedAt: instant(),
    /** Name and phone as `fold` of the contract writes them: what a search looks into. */
    searchText: text().generatedAlwaysAs(sql`fold_text(coalesce(name, '') || ' ' || phone)`),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.vendorId),
    index('users_last_active').on(t.lastActiveAt.desc().nullsLast(), t.id.desc()),
    index('users_newest').on(t.createdAt.desc(), t.id.desc()),
    index('users_search').using('gin', t.searchText.op('gin_trgm_ops')),
    check(
      'users_role',
      sql`${t.role} in ('customer','vendor_sales','vendor_staff','vendor_admin','driver','super_admin')`,
    ),
  ],
)

/** The roles as data, with what each may do beyond its guard; a person's own permissions are added to them. */
export const userRoles = pgTable('user_roles', {
  id: rowId(),
  name: text().notNull().unique(),
  displayName: text().notNull(),
  displayNameAr: text().notNull(),
  permissions: text().array().notNull().default(sql`'{}'`),
  createdAt: instant().notNull().defaultNow(),
})
