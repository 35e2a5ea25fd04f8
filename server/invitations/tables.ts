import type { Preset } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { vendors } from '../vendors/tables.ts'

/** A role that a vendor's admin offers to a phone number. The account with that phone changes only on acceptance. */
export const staffInvitations = pgTable(
  'staff_invitations',
  {
    id: rowId(),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id, { onDelete: 'cascade' }),
    /** E.164 */
    phone: text().notNull(),
    name: text().notNull(),
    role: text().$type<Role>().notNull(),
    preset: text().$type<Preset>(),
    state: text().$type<'open' | 'accepted' | 'declined' | 'withdrawn'>().notNull().default('open'),
    invitedBy: integer().notNull(),
    messages: integer().notNull().default(1),
    sentAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    closedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('staff_invitations_open_once').on(t.vendorId, t.phone).where(sql`${t.state} = 'open'`),
    index('staff_invitations_of_phone').on(t.phone),
    index('staff_invitations_of_vendor').on(t.vendorId, t.createdAt.desc()),
    check('staff_invitations_role', sql`${t.role} in ('vendor_sales','vendor_staff','driver')`),
    check('staff_invitations_state', sql`${t.state} in ('open','accepted','declined','withdrawn')`),
  ],
)
