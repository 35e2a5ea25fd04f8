import type { Parsed } from '@qatra/contract/endpoint'
import { fromBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import type { BulkFailure } from '@qatra/contract/lib/upload'
import { BULK_ROWS, type BulkColumn, type BulkResult, type bulkProducts } from '@qatra/contract/products/bulk'
import { duplicateKey } from '@qatra/contract/products/fields'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import type { App } from '../../http/runtime.ts'
import { inOrder, runImport } from '../../import/import.ts'
import type { ProblemKind } from '../../import/problem.ts'
import type { Table } from '../../import/table.ts'
import { emitAll } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { translatorFor } from '../../lib/translate.ts'
import { missingPictures } from '../../media/commands.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { BULK_ACTION } from '../admin.queries.ts'
import { updateProduct } from '../commands.ts'
import { toFacts } from '../facts.ts'
import type { ProductSnapshot } from '../snapshot.ts'
import { type ChangedRow, type Checked, type CheckedRow, checkRows } from './check.ts'
import { columns } from './columns.ts'
import { readJson } from './read.ts'

/** From the product's specification; in English for every language of the request. */
const NOTHING = 'No valid products'
const titles: Partial<Record<ProblemKind | 'rows', string>> = {
  format: 'Invalid file format',
  none: NOTHING,
  tooMany: 'Upload failed',
  tooBig: 'Upload failed',
  rows: 'Upload failed',
}

type Counts = Pick<BulkResult, 'created' | 'updated'>

/** @throws BULK_REFUSED with every problem by row and field, FORBIDDEN if a row names a vendor out of reach */
export function uploadProducts(
  ctx: Ctx,
  app: Pick<App, 'pool'>,
  catalogue: ProductSnapshot,
  { query: { vendorId, ...mode }, body: file }: Pick<Parsed<typeof bulkProducts>, 'query' | 'body'>,
): Promise<BulkResult> {
  const rules = rulesOf(ctx, catalogue, vendorId || null)
  const kind = {
    scope: 'bulk',
    format: { columns, maxRows: BULK_ROWS, readJson },
    budgetMs: 5_000,
    nameOf: (problem: ProblemKind | 'rows') => titles[problem] ?? 'File parsing error',
    nothing: { created: 0 },
    async check(table: Table<BulkColumn, unknown>, signal: AbortSignal) {
      const checked = await checkRows(table, rules, signal)
      return async (inside: Ctx) => {
        if (!mode.dryRun && checked.foreign.length > 0)
          throw new AppError('FORBIDDEN', { failed: foreignRows(checked) })
        const { good, changed, failed } = await withoutStored(inside, checked)
        return {
          failed,
          counts: { created: 0, ...counted(changed.length) },
          async write(writing: Ctx) {
            if (good.length + changed.length === 0)
              throw new AppError('BULK_REFUSED', { problem: NOTHING, failed: inOrder(failed) })
            const lost = await write(writing, good, file.name)
            const unchanged = await change(writing, catalogue, changed, file.name)
            const counts = { created: good.length - lost.length, ...counted(changed.length - unchanged.length) }
            return { counts, lost: [...lost, ...unchanged] }
          },
        }
      }
    },
  }
  return runImport<BulkColumn, unknown, Counts>(ctx, app, kind, { file, mode })
}

const counted = (updated: number) => (updated > 0 ? { updated } : {})

function rulesOf(ctx: Ctx, catalogue: ProductSnapshot, vendorId: number | null) {
  const ownVendorId = vendorInReach(ctx.actor)
  const byName = new Map<string, number>()
  for (const { id, name, nameAr } of catalogue.vendors.values())
    for (const spelling of [name, nameAr]) if (spelling) byName.set(fold(spelling), id)
  return {
    ownVendorId,
    vendorId: vendorInReach(ctx.actor, vendorId),
    words: translatorFor(ctx.actor.lang),
    hasVendor: (id: number) => catalogue.vendors.has(id),
    findVendor: (name: string) => byName.get(fold(name)) ?? null,
    findProduct(id: number) {
      const product = catalogue.products.get(id)
      return product && (ownVendorId === null || product.vendorId === ownVendorId) ? toFacts(product) : null
    },
  }
}

const foreignRows = ({ failed, foreign }: Checked) => {
  const rows = new Set(foreign)
  return failed.filter(({ row, field }) => field === 'vendorId' && rows.has(row))
}

const keyOf = (vendorId: number, key: string) => `${vendorId}|${key}`
const keyOfRow = ({ facts }: CheckedRow) => keyOf(facts.vendorId, duplicateKey(facts.name, facts.size))

const storedSql = statement(
  'bulk-stored',
  `select p.id, p.vendor_id, p.duplicate_key
   from unnest($1::int[], $2::text[]) as w (vendor_id, duplicate_key)
   join products p using (vendor_id, duplicate_key)
   where p.deleted_at is null`,
)
interface Stored {
  id: number
  vendor_id: number
  duplicate_key: string
}

/** Ids of stored products with the name and size of a row, by vendor and key. */
async function findStored(ctx: Ctx, good: readonly CheckedRow[]): Promise<ReadonlyMap<string, number>> {
  if (good.length === 0) return new Map()
  const rows = await run<Stored>(ctx.db, storedSql, [
    good.map(({ facts }) => facts.vendorId),
    good.map(({ facts }) => duplicateKey(facts.name, facts.size)),
  ])
  return new Map(rows.map(({ id, vendor_id, duplicate_key }) => [keyOf(vendor_id, duplicate_key), id]))
}

/** Moves rows of stored products and of purged pictures to the failures. */
async function withoutStored(ctx: Ctx, { good, changed, failed }: Checked) {
  const all = [...good, ...changed]
  const stored = await findStored(ctx, all)
  const purged = await missingPictures(
    ctx.db,
    all.map(({ facts }) => facts.imageUrl),
  )
  const isDouble = (row: CheckedRow | ChangedRow) =>
    stored.has(keyOfRow(row)) && !('id' in row && stored.get(keyOfRow(row)) === row.id)
  const isGood = (row: CheckedRow) => !isDouble(row) && !purged.has(row.facts.imageUrl ?? '')
  const failureOf = (row: CheckedRow): BulkFailure =>
    isDouble(row)
      ? storedFailure(ctx, row, stored.get(keyOfRow(row)) ?? 0)
      : { row: row.row, field: 'imageUrl', reason: translatorFor(ctx.actor.lang)('validation.pictureGone') }
  return {
    good: good.filter(isGood),
    changed: changed.filter(isGood),
    failed: [...failed, ...all.filter((row) => !isGood(row)).map(failureOf)],
  }
}

const storedFailure = ({ actor }: Ctx, { row }: CheckedRow, id: number): BulkFailure => ({
  row,
  field: 'name',
  reason: translatorFor(actor.lang)('bulk.stored', { id }),
})

/** For the history. */
const noteOf = (name: string | null, row: number) => (name === null ? `#${row}` : `${name} #${row}`)

const insertSql = statement(
  'bulk-insert',
  `insert into products (vendor_id, name, name_ar, description, description_ar, price, size, image_url, vat_percentage,
     is_active, inventory_unit, inventory_unit_ar, units_per_inventory_unit, duplicate_key)
   select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[],
     $9::numeric[], $10::boolean[], $11::text[], $12::text[], $13::int[], $14::text[])
   on conflict (vendor_id, duplicate_key) where deleted_at is null do nothing
   returning id, vendor_id, duplicate_key`,
)

/** Returns the rows whose product was created concurrently. */
async function write(ctx: Ctx, good: readonly CheckedRow[], fileName: string | null): Promise<BulkFailure[]> {
  if (good.length === 0) return []
  const column = (pick: (row: CheckedRow) => unknown) => good.map(pick)
  const made = await run<Stored>(ctx.db, insertSql, [
    column(({ facts }) => facts.vendorId),
    column(({ facts }) => facts.name),
    column(({ facts }) => facts.nameAr),
    column(({ facts }) => facts.description),
    column(({ facts }) => facts.descriptionAr),
    column(({ facts }) => fromBhd(facts.price)),
    column(({ facts }) => facts.size),
    column(({ facts }) => facts.imageUrl),
    column(({ facts }) => facts.vatPercentage),
    column(({ facts }) => facts.isActive),
    column(({ facts }) => facts.inventoryUnit),
    column(({ facts }) => facts.inventoryUnitAr),
    column(({ facts }) => facts.unitsPerInventoryUnit),
    column(({ facts }) => duplicateKey(facts.name, facts.size)),
  ])
  const ids = new Map(made.map((row) => [keyOf(row.vendor_id, row.duplicate_key), row.id]))
  const imported = good.flatMap(({ facts, row }) => {
    const id = ids.get(keyOfRow({ facts, row }))
    if (id === undefined) return []
    const changes = [{ field: null, from: null, to: facts }]
    const about = { action: BULK_ACTION, resource: 'product', id, changes, notes: noteOf(fileName, row) }
    return [{ name: 'product.imported' as const, ...about }]
  })
  await emitAll(ctx, imported)
  const lost = good.filter((row) => !ids.has(keyOfRow(row)))
  if (lost.length === 0) return []
  const stored = await findStored(ctx, lost)
  return lost.map((row) => storedFailure(ctx, row, stored.get(keyOfRow(row)) ?? 0))
}

/**
 * Updates products by ascending id, so that parallel uploads cannot deadlock. Returns the rows whose product was deleted
 * or whose name was taken since the check.
 */
async function change(
  ctx: Ctx,
  catalogue: ProductSnapshot,
  changed: readonly ChangedRow[],
  fileName: string | null,
): Promise<BulkFailure[]> {
  const failed: BulkFailure[] = []
  for (const { row, id, given } of changed.toSorted((a, b) => a.id - b.id)) {
    try {
      await updateProduct(ctx, catalogue, id, given, noteOf(fileName, row))
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'PRODUCT_EXISTS' && error.code !== 'PRODUCT_NOT_FOUND'))
        throw error
      const isTaken = error.code === 'PRODUCT_EXISTS'
      const words = translatorFor(ctx.actor.lang)
      failed.push({
        row,
        field: isTaken ? 'name' : 'id',
        reason: isTaken ? words('bulk.stored', { id: Number(error.details['productId']) }) : words('bulk.unknownId'),
      })
    }
  }
  return failed
}
