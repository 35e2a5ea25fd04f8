import { desc, eq, getTableColumns } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { eraseLinksTo } from './commands.ts'
import { magicLinks } from './tables.ts'

const { token, createdBy, revokedBy, ...columns } = getTableColumns(magicLinks)

export const linkPersonalData: PersonalData = {
  tables: { magic_links: { exported: 'links', erased: 'deleted' } },
  export: async ({ db }, { phone, maxRows }) => ({
    links: await db
      .select(columns)
      .from(magicLinks)
      .where(eq(magicLinks.phone, phone))
      .orderBy(desc(magicLinks.id))
      .limit(maxRows),
  }),
  erase: (ctx, { phone }) => eraseLinksTo(ctx, phone),
}
