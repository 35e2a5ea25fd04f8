import type { Output } from '@qatra/contract/endpoint'
import { MOST_LISTED, type undoCustomerImport as undoing } from '@qatra/contract/users/customers-import'
import { eq, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import { inBatches, inOrder, rowCount } from '../../import/import.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { translatorFor } from '../../lib/translate.ts'
import { clearImported, lockAccounts, removeImported, serializeImports } from '../../users/import.commands.ts'
import { customerImports, MARKET } from '../tables.ts'
import { takeBackOpening } from './bottles.commands.ts'
import { listImportedIds, readImportedRows } from './queries.ts'
import { planUndo, type UndoPlan } from './undo-plan.ts'

type Answer = Output<typeof undoing>

/** Takes an import back, except what somebody has used or changed since. @throws IMPORT_NOT_FOUND, IMPORT_UNDONE */
export function undoImport(ctx: Ctx, { pool }: Pick<App, 'pool'>, importId: number): Promise<Answer> {
  return inTransaction(pool, (db) => undo({ ...ctx, db }, importId))
}

async function undo(ctx: Ctx, importId: number): Promise<Answer> {
  await serializeImports(ctx)
  const [found] = await ctx.db.select().from(customerImports).where(eq(customerImports.id, importId))
  if (!found) throw new AppError('IMPORT_NOT_FOUND')
  if (found.undoneAt) throw new AppError('IMPORT_UNDONE')
  const ids = await listImportedIds(ctx.db, importId)
  const plan: UndoPlan = { removed: [], restored: [], kept: [] }
  // Orders and sign-ins lock the account first: none can begin between the decision and the deletion.
  await inBatches(ids, (batch) => lockAccounts(ctx, batch))
  await inBatches(ids, async (batch) => {
    const rows = await readImportedRows(ctx.db, importId, batch)
    const { removed, restored, kept } = planUndo(rows, translatorFor(ctx.actor.lang))
    plan.kept.push(...(await takeBackOpening(ctx, found, rows)))
    await removeImported(ctx, removed)
    await clearImported(
      ctx,
      importId,
      restored.flatMap(({ userId, fields }) => (fields.length > 0 ? [{ id: userId, fields }] : [])),
    )
    await run(ctx.db, takeBackSql, [JSON.stringify(restored), importId, found.vendorId])
    plan.removed.push(...removed)
    plan.restored.push(...restored)
    plan.kept.push(...kept)
  })
  await ctx.db
    .update(customerImports)
    .set({ undoneAt: sql`now()`, undoneBy: userOf(ctx).id })
    .where(eq(customerImports.id, importId))
  const [removed, restored] = [
    plan.removed.length,
    plan.restored.filter(({ changed, isUsed }) => !isUsed && changed.length === 0).length,
  ]
  const keptRows = rowCount(plan.kept)
  const vendorId = found.vendorId === MARKET ? null : found.vendorId
  const changes = Object.entries({ removed, restored, kept: keptRows }).map(([field, to]) => ({
    field,
    from: null,
    to,
  }))
  await emit(ctx, {
    name: 'customers.import-undone',
    action: 'undone',
    resource: 'customer-import',
    id: importId,
    vendorId,
    changes,
  })
  const kept = inOrder(plan.kept).slice(0, MOST_LISTED)
  return { removed, restored, kept, keptRows }
}

/**
 * Takes back tags, notes and the vendor's list, and the rows of the import. A row with a field that stays is kept, since
 * it has the words of a consent; that of a used account is kept without its name and consent.
 */
const takeBackSql = statement(
  'import-take-back',
  `with w as materialized (
     select * from jsonb_to_recordset($1::jsonb) as w ("userId" integer, changed text[], tags text[], "noteId" integer,
       "isJoined" boolean, "isUsed" boolean)
   ), untagged as (
     update customer_tags t set updated_at = now(), tags = array(select unnest(t.tags) except select unnest(w.tags) order by 1)
     from w where t.user_id = w."userId" and t.vendor_id = $3 and t.tags && w.tags
   ), unnoted as (
     delete from customer_notes n using w where n.id = w."noteId"
   ), left_list as (
     delete from customer_totals s using w
     where w."isJoined" and s.user_id = w."userId" and s.vendor_id = $3 and s.order_count = 0
   ), shortened as (
     update customer_import_rows r set filled = w.changed, tags = '{}', note_id = null
     from w where r.import_id = $2 and r.user_id = w."userId" and w.changed <> '{}' and not w."isUsed"
   ), bared as (
     update customer_import_rows r set filled = w.changed, name = null, consent = null, consent_words = null
     from w where r.import_id = $2 and r.user_id = w."userId" and w."isUsed"
   )
   delete from customer_import_rows r using w
   where r.import_id = $2 and r.user_id = w."userId" and w.changed = '{}' and not w."isUsed"`,
)
