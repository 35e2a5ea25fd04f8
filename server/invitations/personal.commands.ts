import { desc, eq, getTableColumns } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { eraseInvitationsTo } from './commands.ts'
import { staffInvitations } from './tables.ts'

const { invitedBy, ...columns } = getTableColumns(staffInvitations)

export const invitationPersonalData: PersonalData = {
  tables: { staff_invitations: { exported: 'invitations', erased: 'deleted' } },
  export: async ({ db }, { phone, maxRows }) => ({
    invitations: await db
      .select(columns)
      .from(staffInvitations)
      .where(eq(staffInvitations.phone, phone))
      .orderBy(desc(staffInvitations.id))
      .limit(maxRows),
  }),
  erase: (ctx, { phone }) => eraseInvitationsTo(ctx, phone),
}
