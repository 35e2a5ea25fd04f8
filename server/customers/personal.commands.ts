import { desc, eq } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { eraseCustomer } from './commands.ts'
import { customerImportRows, customerImports, customerNotes, customerTags, customerTotals } from './tables.ts'

export const customerPersonalData: PersonalData = {
  tables: {
    customer_notes: { exported: 'customerNotes', erased: 'deleted' },
    customer_tags: { exported: 'customerTags', erased: 'deleted' },
    customer_import_rows: { exported: 'customerImports', erased: 'deleted' },
    customer_totals: { exported: 'customerTotals', erased: 'deleted' },
  },
  async export({ db }, { id, maxRows }) {
    const { vendorId, body, createdAt, removedAt } = customerNotes
    return {
      customerNotes: await db
        .select({ vendorId, body, createdAt, removedAt })
        .from(customerNotes)
        .where(eq(customerNotes.userId, id))
        .orderBy(desc(customerNotes.id))
        .limit(maxRows),
      customerImports: await db
        .select({
          createdAt: customerImports.createdAt,
          undoneAt: customerImports.undoneAt,
          vendorId: customerImports.vendorId,
          name: customerImportRows.name,
          address: customerImportRows.address,
          addressParts: customerImportRows.addressParts,
          areaId: customerImportRows.areaId,
          consent: customerImportRows.consent,
          consentWords: customerImportRows.consentWords,
          tags: customerImportRows.tags,
        })
        .from(customerImportRows)
        .innerJoin(customerImports, eq(customerImports.id, customerImportRows.importId))
        .where(eq(customerImportRows.userId, id))
        .orderBy(desc(customerImportRows.importId))
        .limit(maxRows),
      customerTags: await db.select().from(customerTags).where(eq(customerTags.userId, id)).limit(maxRows),
      customerTotals: await db.select().from(customerTotals).where(eq(customerTotals.userId, id)).limit(maxRows),
    }
  },
  erase: (ctx, { id }) => eraseCustomer(ctx, id),
}
