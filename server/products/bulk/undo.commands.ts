import type { BulkFailure, UndoneImport } from '@qatra/contract/lib/upload'
import { and, eq, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { inOrder } from '../../import/import.ts'
import { AppError } from '../../lib/errors.ts'
import { translatorFor } from '../../lib/translate.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { deleteProduct, updateProduct } from '../commands.ts'
import type { ProductSnapshot } from '../snapshot.ts'
import { type ImportedProduct, productImports } from '../tables.ts'

const storedSql = statement(
  'bulk-undo-stored',
  `select p.id, p.name, p.version, exists (select from order_items i where i.product_id = p.id) as "isOrdered"
   from products p where p.id = any($1::integer[]) and p.deleted_at is null order by p.id for update of p`,
)
interface Stored {
  id: number
  name: string
  version: number
  isOrdered: boolean
}

/**
 * Takes an upload back, except products that somebody has ordered or changed since.
 * @throws IMPORT_NOT_FOUND, IMPORT_UNDONE
 */
export async function undoImport(ctx: Ctx, catalogue: ProductSnapshot, importId: number): Promise<UndoneImport> {
  const vendorId = vendorInReach(ctx.actor)
  const isInReach = vendorId === null ? undefined : eq(productImports.vendorId, vendorId)
  const [found] = await ctx.db
    .select()
    .from(productImports)
    .where(and(eq(productImports.id, importId), isInReach))
    .for('update')
  if (!found) throw new AppError('IMPORT_NOT_FOUND')
  if (found.undoneAt) throw new AppError('IMPORT_UNDONE')
  const rows = await run<Stored>(ctx.db, storedSql, [found.products.map(({ id }) => id)])
  const stored = new Map(rows.map((row) => [row.id, row]))
  const t = translatorFor(ctx.actor.lang)
  const kept: BulkFailure[] = []
  let [removed, restored] = [0, 0]
  for (const made of found.products.toSorted((a, b) => a.id - b.id)) {
    const now = stored.get(made.id)
    // Of a new product that somebody has deleted nothing is left to undo.
    if (!now && made.before === null) continue
    const reason = await takeBack(ctx, catalogue, made, now)
    if (reason) kept.push({ row: made.row, field: 'name', reason: t(reason), value: now?.name ?? made.before?.name })
    else if (made.before === null) removed += 1
    else restored += 1
  }
  await ctx.db
    .update(productImports)
    .set({ undoneAt: sql`now()`, undoneBy: userOf(ctx).id })
    .where(eq(productImports.id, importId))
  return { removed, restored, kept: inOrder(kept), keptRows: kept.length }
}

/** Why a former state cannot be restored: its name or picture is gone, or carts hold the product of the other vendor. */
const refusals = ['PRODUCT_EXISTS', 'PRODUCT_IN_CARTS', 'INVALID_BODY']

/** Returns why the product stays as it is. */
async function takeBack(
  ctx: Ctx,
  catalogue: ProductSnapshot,
  { id, version, before }: ImportedProduct,
  stored: Stored | undefined,
) {
  if (!stored) return 'bulk.undo.deleted'
  if (stored.version !== version) return 'bulk.undo.changed'
  if (before === null) {
    if (stored.isOrdered) return 'bulk.undo.ordered'
    await deleteProduct(ctx, id)
    return null
  }
  try {
    await updateProduct(ctx, catalogue, id, before)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || !refusals.includes(error.code)) throw error
    return 'bulk.undo.taken'
  }
}
