import type { Fils } from '@qatra/contract/lib/money'
import type { AdminProduct, NewProduct, ProductChange } from '@qatra/contract/products/admin'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { lockUsableTypes } from '../bottles/types.commands.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, isForeignKeyViolation, isUniqueViolation, run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { translatorFor } from '../lib/translate.ts'
import { requirePicture } from '../media/commands.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { toAdminProduct } from './admin.queries.ts'
import { changesBetween, type ProductFacts, toFacts, toRow, withUnitNames } from './facts.ts'
import type { ProductSnapshot } from './snapshot.ts'
import { products } from './tables.ts'

type StoredProduct = typeof products.$inferSelect

/** @throws FORBIDDEN for another vendor, INVALID_BODY without a vendor */
function chosenVendorId(catalogue: ProductSnapshot, ctx: Ctx, requestedVendorId: number | undefined): number {
  const vendorId = vendorInReach(ctx.actor, requestedVendorId)
  if (vendorId === null) throw invalidFields(ctx, { vendorId: 'validation.required' })
  if (!catalogue.vendors.has(vendorId)) throw invalidFields(ctx, { vendorId: 'validation.unknownVendor' })
  return vendorId
}

/** The error for a duplicate, with the id of the existing product. */
async function existing(ctx: Ctx, { vendorId, duplicateKey }: { vendorId: number; duplicateKey: string }) {
  const [known] = await ctx.db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.vendorId, vendorId), eq(products.duplicateKey, duplicateKey), isNull(products.deletedAt)))
  const name = translatorFor(ctx.actor.lang)('validation.productExists')
  return new AppError('PRODUCT_EXISTS', { productId: known?.id ?? null, fields: { name } })
}

export async function createProduct(ctx: Ctx, catalogue: ProductSnapshot, body: NewProduct): Promise<AdminProduct> {
  const vendorId = chosenVendorId(catalogue, ctx, body.vendorId)
  const facts: ProductFacts = withUnitNames({ ...body, vendorId })
  await requireBottle(ctx, facts)
  await requirePicture(ctx, 'imageUrl', facts.imageUrl)
  const row = toRow(facts)
  const [made] = await ctx.db.insert(products).values(row).onConflictDoNothing().returning()
  if (!made) throw await existing(ctx, row)
  await emit(ctx, {
    name: 'product.created',
    action: 'created',
    resource: 'product',
    id: made.id,
    vendorId,
    changes: [{ field: null, from: null, to: facts }],
  })
  return answerOf(made)
}

/** Locks the type, so that it stays in use until the transaction ends. @throws INVALID_BODY */
async function requireBottle(ctx: Ctx, { vendorId, bottle }: ProductFacts): Promise<void> {
  if (bottle === null) return
  const usable = await lockUsableTypes(ctx, [bottle.typeId])
  if (usable.get(bottle.typeId) !== vendorId) throw invalidFields(ctx, { bottle: 'validation.bottle' })
}

/** Locks against other changes; carts can still add the product. */
export async function lockProduct(ctx: Ctx, id: number): Promise<StoredProduct> {
  const [product] = await ctx.db
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .for('no key update')
  const own = vendorInReach(ctx.actor)
  if (!product || (own !== null && product.vendorId !== own)) throw new AppError('PRODUCT_NOT_FOUND')
  return product
}

/** @throws VERSION_CONFLICT if it was changed since `version` was read, INVALID_BODY for a purged picture */
export async function updateProduct(
  ctx: Ctx,
  catalogue: ProductSnapshot,
  id: number,
  { version, ...wanted }: ProductChange,
  notes: string | null = null,
): Promise<AdminProduct> {
  const product = await lockProduct(ctx, id)
  const vendorId = wanted.vendorId === undefined ? product.vendorId : chosenVendorId(catalogue, ctx, wanted.vendorId)
  const before = toFacts(product)
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  // Bottles are their vendor's.
  const bottle = vendorId === product.vendorId ? before.bottle : null
  const after: ProductFacts = { ...before, bottle, ...given, vendorId }
  const changes = changesBetween(before, after)
  if (version !== undefined && version !== product.version) {
    throw new AppError('VERSION_CONFLICT', { version: product.version })
  }
  if (changes.length === 0) return answerOf(product)
  if (after.imageUrl !== before.imageUrl) await requirePicture(ctx, 'imageUrl', after.imageUrl)
  if (changes.some(({ field }) => field === 'bottle' || field === 'vendorId')) await requireBottle(ctx, after)
  const row = toRow(after)
  const [changed] = await savepoint(ctx, row, () =>
    ctx.db
      .update(products)
      .set({ ...row, version: product.version + 1, updatedAt: sql`now()` })
      .where(eq(products.id, id))
      .returning(),
  )
  if (!changed) throw new AppError('PRODUCT_NOT_FOUND')
  await emit(ctx, {
    name: 'product.updated',
    action: 'updated',
    resource: 'product',
    id,
    vendorId,
    changes,
    notes,
  })
  return answerOf(changed)
}

/** After a constraint violation the transaction can still read the conflicting product. */
async function savepoint<T>(ctx: Ctx, row: ReturnType<typeof toRow>, work: () => Promise<T>): Promise<T> {
  await ctx.db.execute(sql`savepoint change`)
  try {
    return await work()
  } catch (error) {
    await ctx.db.execute(sql`rollback to savepoint change`)
    if (isUniqueViolation(error)) throw await existing(ctx, row)
    if (isForeignKeyViolation(error)) throw new AppError('PRODUCT_IN_CARTS')
    throw error
  }
}

const neededSql = statement(
  'product-needed',
  `select exists (select from order_items where product_id = $1) or exists (select from cart_items where product_id = $1)
     as needed`,
)

/** Deletes the row if no order or cart contains the product; otherwise marks it as deleted. */
export async function deleteProduct(ctx: Ctx, id: number): Promise<{ success: true }> {
  const product = await lockProduct(ctx, id)
  // A concurrent addition to a cart waits for this transaction.
  await ctx.db.select({ id: products.id }).from(products).where(eq(products.id, id)).for('update')
  const [found] = await run<{ needed: boolean }>(ctx.db, neededSql, [id])
  if (found?.needed) {
    await ctx.db
      .update(products)
      .set({ deletedAt: sql`now()`, updatedAt: sql`now()`, version: product.version + 1 })
      .where(eq(products.id, id))
  } else await ctx.db.delete(products).where(eq(products.id, id))
  await emit(ctx, {
    name: 'product.deleted',
    action: 'deleted',
    resource: 'product',
    id,
    vendorId: product.vendorId,
    changes: [{ field: null, from: toFacts(product), to: null }],
  })
  return { success: true }
}

// money columns hold fils
const answerOf = (row: StoredProduct): AdminProduct =>
  toAdminProduct({ ...row, price: row.price as Fils, bottle: null })

const showFetchedSql = statement('product-pictures-show', 'select show_fetched_product_pictures()')
export const showFetchedPictures = (db: Db) => run(db, showFetchedSql)
