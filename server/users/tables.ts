import type { Lang } from '@qatra/contract/lib/lang'
import type { PinSource } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { Preset } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { areas } from '../areas/tables.ts'
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
    /** Of a company that buys; printed on invoices. */
    companyName: text(),
    crNumber: text(),
    vatNumber: text(),
    isVerified: boolean().notNull().default(false),
    role: text().$type<Role>().notNull().default('customer'),
    vendorId: integer().references(() => vendors.id),
    /** The delivery area that the person chose; null: that of the default address. */
    deliveryAreaId: integer().references(() => areas.id, { onDelete: 'set null' }),
    permissions: text().array().notNull().default(sql`'{}'`),
    /** A named set of permissions in place of the role's. */
    preset: text().$type<Preset>(),
    createdBy: integer(),
    isActive: boolean().notNull().default(true),
    lastLoginAt: instant(),
    lastActiveAt: instant(),
    telegramChatId: text(),
    telegramThreadId: text(),
    /** Name of the linked Telegram account: `@name`, or its profile name. */
    telegramName: text(),
    notificationEnabled: boolean().notNull().default(true),
    notificationTypes: text().array().notNull().default(sql`'{order_updates,whatsapp_incoming,new_orders}'`),
    marketingConsent: boolean().notNull().default(false),
    /** Asked to be reminded when the next order is due. */
    reminders: boolean().notNull().default(false),
    /** Source and time of the last marketing consent. */
    consentSource: text(),
    consentAt: instant(),
    erasedAt: instant(),
    /** Name and phone in the form of `fold` of the contract, for search. */
    searchText: text().generatedAlwaysAs(sql`fold_text(coalesce(name, '') || ' ' || phone)`),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.vendorId),
    index().on(t.deliveryAreaId),
    index('users_last_active').on(t.lastActiveAt.desc().nullsLast(), t.id.desc()),
    index('users_newest').on(t.createdAt.desc(), t.id.desc()),
    index('users_by_name').on(sql`(${t.name} is null)`, t.searchText, t.id),
    index('users_staff').on(t.role, t.id).where(sql`${t.role} <> 'customer'`),
    index('users_search').using('gin', t.searchText.op('gin_trgm_ops')),
    check(
      'users_role',
      sql`${t.role} in ('customer','vendor_sales','vendor_staff','vendor_admin','driver','super_admin')`,
    ),
    check('users_preset', sql`${t.preset} is null or (${t.preset} = 'agent' and ${t.role} = 'vendor_staff')`),
  ],
)

/** The address book. */
export const addresses = pgTable(
  'addresses',
  {
    id: rowId(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** "Home", "Work". */
    label: text(),
    /** Null if only a place was saved. */
    address: text(),
    addressParts: jsonb().$type<AddressParts>(),
    /** 0,0: no place was chosen. */
    lat: doublePrecision().notNull().default(0),
    lng: doublePrecision().notNull().default(0),
    /** Null if not known, as for pins from before it was kept. */
    pinSource: text().$type<PinSource>(),
    /** The customer has ordered here and was asked whether the approximate pin is at the door. */
    isPinAsked: boolean().notNull().default(false),
    instructions: text(),
    /** Who takes the water here, if not the customer. */
    receiverName: text(),
    receiverPhone: text(),
    isDefault: boolean().notNull().default(false),
    /** The last order to it, or the last change of it. */
    usedAt: instant().notNull().defaultNow(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.userId, t.id),
    uniqueIndex('addresses_one_default').on(t.userId).where(sql`${t.isDefault}`),
    check('addresses_pin_source', sql`${t.pinSource} in ('gps','map','search','area')`),
  ],
)

/** A copy of the permissions per role and per preset; a person's own permissions are added to them. */
export const userRoles = pgTable('user_roles', {
  id: rowId(),
  name: text().notNull().unique(),
  displayName: text().notNull(),
  displayNameAr: text().notNull(),
  permissions: text().array().notNull().default(sql`'{}'`),
  createdAt: instant().notNull().defaultNow(),
})
