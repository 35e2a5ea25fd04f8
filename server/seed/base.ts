import { presetPermissions, rolePermissions } from '@qatra/contract/users/permissions'
import { sql } from 'drizzle-orm'
import { holidays } from '../calendar/tables.ts'
import type { Db } from '../database/db.ts'
import { userRoles } from '../users/tables.ts'
import { publicHolidays } from './calendar.ts'

/** Display names of the roles and presets; contract/users/permissions.ts defines their permissions. */
const roleNames = [
  { name: 'customer', displayName: 'Customer', displayNameAr: 'عميل' },
  { name: 'vendor_sales', displayName: 'Sales', displayNameAr: 'موظف المبيعات' },
  { name: 'vendor_staff', displayName: 'Vendor staff', displayNameAr: 'موظف المكتب' },
  { name: 'vendor_admin', displayName: 'Vendor admin', displayNameAr: 'مدير الشركة' },
  { name: 'agent', displayName: 'Customer service', displayNameAr: 'خدمة العملاء' },
  { name: 'driver', displayName: 'Driver', displayNameAr: 'السائق' },
  { name: 'super_admin', displayName: 'Super admin', displayNameAr: 'المدير العام' },
] as const

const permissionsOf = { ...rolePermissions, ...presetPermissions }

/**
 * Data of every installation: roles with the permissions of this version, and public holidays. Holidays are inserted
 * only once, so that those removed by staff are not restored.
 */
export async function seedBase(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const written = await tx
      .insert(userRoles)
      .values(roleNames.map((role) => ({ ...role, permissions: [...permissionsOf[role.name]] })))
      .onConflictDoUpdate({ target: userRoles.name, set: { permissions: sql`excluded.permissions` } })
      .returning({ isNew: sql<boolean>`xmax = 0` })
    if (!written.some(({ isNew }) => isNew)) return
    await tx
      .insert(holidays)
      .values([...publicHolidays])
      .onConflictDoNothing()
  })
}
