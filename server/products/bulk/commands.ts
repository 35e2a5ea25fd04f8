import { fromBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import type { BulkFailure, UploadedFile } from '@qatra/contract/lib/upload'
import type { BulkResult } from '@qatra/contract/products/bulk'
import { duplicateKey } from '@qatra/contract/products/fields'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import { authorsOf } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { FileProblem } from '../../lib/table-file/problem.ts'
import { parsing } from '../../lib/table-file/table.ts'
import { translatorFor } from '../../lib/translate.ts'
import { missingPictures } from '../../media/commands.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { BULK_ACTION } from '../admin.queries.ts'
import { updateProduct } from '../commands.ts'
import { toFacts } from '../facts.ts'
import type { ProductSnapshot } from '../snapshot.ts'
import { type ChangedRow, type Checked, type CheckedRow, checkRows } from './check.ts'
import { titles } from './problem.ts'
import { readRows } from './read.ts'

const BUDGET_MS = 5_000

export interface BulkOptions {
  isDryRun: boolean
  isPartial: boolean
  /** The vendor of rows that name none. */
  vendorId: number | null
}

/**
 * Imports all rows or none, unless the upload is partial. A dry run returns the problems instead of an error.
 * @throws BULK_REFUSED with every problem by row and field, FORBIDDEN if a row names a vendor out of reach
 */
export async function uploadProducts(
  ctx: Ctx,
  { pool }: Pick<App, 'pool'>,
  catalogue: ProductSnapshot,
  file: UploadedFile,
  { isDryRun, isPartial, vendorId }: BulkOptions,
): Promise<BulkResult> {
  const defaultVendorId = vendorInReach(ctx.actor, vendorId)
  try {
    const { checked, rows, columns, problem } = await parsing.run(() =>
      readAndCheck(ctx, catalogue, file, { ownVendorId: vendorInReach(ctx.actor), vendorId: defaultVendorId }),
    )
    if (!isDryRun && checked.foreign.length > 0) throw new AppError('FORBIDDEN', { failed: foreignRows(checked) })
    const stored = await findStored(ctx, [...checked.good, ...checked.changed])
    const pictures = [...checked.good, ...checked.changed].map(({ facts }) => facts.imageUrl)
    const { good, changed, failed } = withoutStored(ctx, checked, stored, await missingPictures(ctx.db, pictures))
    if (problem) return refuseFile(ctx, problem, failed, isDryRun)
    if (isDryRun) return { created: 0, ...counted(changed.length), failed, rows, columns }
    if (failed.length > 0 && !isPartial) throw new AppError('BULK_REFUSED', { problem: 'Upload failed', failed })
    if (good.length + changed.length === 0) throw new AppError('BULK_REFUSED', { problem: titles.none, failed })
    const options = { name: file.name, isPartial }
    const { lost, unchanged } = await inTransaction(pool, async (db) => {
      const inside = { ...ctx, db }
      // Locks the pictures. One that was purged since the check is named by the next attempt.
      const gone = await missingPictures(db, pictures)
      if (good.some(({ facts }) => isIn(gone, facts.imageUrl))) throw new AppError('UNAVAILABLE')
      return {
        lost: await write(inside, good, options),
        unchanged: await change(inside, catalogue, changed, options),
      }
    })
    return {
      created: good.length - lost.length,
      ...counted(changed.length - unchanged.length),
      failed: inOrder([...failed, ...lost, ...unchanged]),
      rows,
      columns,
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new AppError('UNAVAILABLE')
    if (!(error instanceof FileProblem)) throw error
    // The raw body of the request is not JSON.
    if (error.kind === 'json' && file.name === null && !isDryRun) throw new AppError('BAD_REQUEST')
    return refuseFile(ctx, error, [], isDryRun)
  }
}

const counted = (updated: number) => (updated > 0 ? { updated } : {})

/** Rejects the whole file. Lists the failures of the rows before the broken place first. */
function refuseFile(
  { actor }: Ctx,
  { kind, row, field }: FileProblem,
  before: readonly BulkFailure[],
  isDryRun: boolean,
): BulkResult {
  const failed = [...before, { row, field, reason: translatorFor(actor.lang)(`bulk.file.${kind}`, { row }) }]
  if (isDryRun) return { created: 0, failed, rows: 0, columns: [] }
  throw new AppError('BULK_REFUSED', { problem: titles[kind], failed })
}

async function readAndCheck(
  ctx: Ctx,
  catalogue: ProductSnapshot,
  file: UploadedFile,
  reach: Record<'ownVendorId' | 'vendorId', number | null>,
) {
  const signal = AbortSignal.timeout(BUDGET_MS)
  const { rows, columns, problem, ...raw } = await readRows(file, signal)
  const byName = new Map<string, number>()
  for (const { id, name, nameAr } of catalogue.vendors.values())
    for (const spelling of [name, nameAr]) if (spelling) byName.set(fold(spelling), id)
  const rules = {
    ...reach,
    words: translatorFor(ctx.actor.lang),
    hasVendor: (id: number) => catalogue.vendors.has(id),
    findVendor: (name: string) => byName.get(fold(name)) ?? null,
    findProduct(id: number) {
      const product = catalogue.products.get(id)
      const isInReach = reach.ownVendorId === null || product?.vendorId === reach.ownVendorId
      return product && isInReach ? toFacts(product) : null
    },
  }
  const checked = await checkRows({ ...raw, rows }, rules, signal)
  return { checked, rows: rows.length, columns, problem }
}

const foreignRows = ({ failed, foreign }: Checked) => {
  const rows = new Set(foreign)
  return failed.filter(({ row, field }) => field === 'vendorId' && rows.has(row))
}

const inOrder = (failed: readonly BulkFailure[]) => failed.toSorted((a, b) => a.row - b.row)
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

const isIn = (gone: ReadonlySet<string>, url: string | null) => url !== null && gone.has(url)

/** Moves rows of stored products and of pictures that are `gone` to the failures. */
function withoutStored(
  ctx: Ctx,
  { good, changed, failed }: Checked,
  stored: ReadonlyMap<string, number>,
  gone: ReadonlySet<string>,
) {
  const isDouble = (row: CheckedRow | ChangedRow) =>
    stored.has(keyOfRow(row)) && !('id' in row && stored.get(keyOfRow(row)) === row.id)
  const isGood = (row: CheckedRow) => !isDouble(row) && !isIn(gone, row.facts.imageUrl)
  const failureOf = (row: CheckedRow): BulkFailure =>
    isDouble(row)
      ? storedFailure(ctx, row, stored.get(keyOfRow(row)) ?? 0)
      : { row: row.row, field: 'imageUrl', reason: translatorFor(ctx.actor.lang)('validation.pictureGone') }
  const bad = [...good, ...changed].filter((row) => !isGood(row))
  return {
    good: good.filter(isGood),
    changed: changed.filter(isGood),
    failed: inOrder([...failed, ...bad.map(failureOf)]),
  }
}

const storedFailure = ({ actor }: Ctx, { row }: CheckedRow, id: number): BulkFailure => ({
  row,
  field: 'name',
  reason: translatorFor(actor.lang)('bulk.stored', { id }),
})

interface WriteOptions {
  /** File name, for the history. */
  name: string | null
  isPartial: boolean
}
const noteOf = (name: string | null, row: number) => (name === null ? `#${row}` : `${name} #${row}`)

/** One statement inserts the products and their history. */
const insertSql = statement(
  'bulk-insert',
  `with wanted as (
     select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[],
       $9::numeric[], $10::boolean[], $11::text[], $12::text[], $13::int[], $14::text[], $15::text[], $16::text[])
       as w (vendor_id, name, name_ar, description, description_ar, price, size, image_url, vat_percentage, is_active,
         inventory_unit, inventory_unit_ar, units_per_inventory_unit, duplicate_key, facts, notes)
   ), made as (
     insert into products (vendor_id, name, name_ar, description, description_ar, price, size, image_url, vat_percentage,
       is_active, inventory_unit, inventory_unit_ar, units_per_inventory_unit, duplicate_key)
     select vendor_id, name, name_ar, description, description_ar, price, size, image_url, vat_percentage, is_active,
       inventory_unit, inventory_unit_ar, units_per_inventory_unit, duplicate_key
     from wanted
     on conflict (vendor_id, duplicate_key) where deleted_at is null do nothing
     returning id, vendor_id, duplicate_key
   ), history as (
     insert into product_audit_history (product_id, action, changed_by, on_behalf_of, new_value, notes)
     select m.id, '${BULK_ACTION}', $17, $18, w.facts, w.notes from made m join wanted w using (vendor_id, duplicate_key)
     order by m.id
   )
   select id, vendor_id, duplicate_key from made`,
)

/**
 * Returns the rows whose product was created concurrently. @throws BULK_REFUSED for them unless the upload is partial
 */
async function write(ctx: Ctx, good: readonly CheckedRow[], { name, isPartial }: WriteOptions) {
  if (good.length === 0) return []
  const { changedBy, onBehalfOf } = authorsOf(ctx)
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
    column(({ facts }) => JSON.stringify(facts)),
    column(({ row }) => noteOf(name, row)),
    changedBy,
    onBehalfOf,
  ])
  const isMade = new Set(made.map((row) => keyOf(row.vendor_id, row.duplicate_key)))
  const lost = good.filter((row) => !isMade.has(keyOfRow(row)))
  if (lost.length === 0) return []
  const stored = await findStored(ctx, lost)
  const failed = lost.map((row) => storedFailure(ctx, row, stored.get(keyOfRow(row)) ?? 0))
  if (!isPartial) throw new AppError('BULK_REFUSED', { problem: 'Upload failed', failed })
  return failed
}

/**
 * Updates products by ascending id, so that parallel uploads cannot deadlock. Returns the rows whose product was deleted
 * or whose name was taken since the check.
 * @throws BULK_REFUSED for such rows unless the upload is partial
 */
async function change(
  ctx: Ctx,
  catalogue: ProductSnapshot,
  changed: readonly ChangedRow[],
  { name, isPartial }: WriteOptions,
) {
  const failed: BulkFailure[] = []
  for (const { row, id, given } of changed.toSorted((a, b) => a.id - b.id)) {
    try {
      await updateProduct(ctx, catalogue, id, given, noteOf(name, row))
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
  if (failed.length > 0 && !isPartial) throw new AppError('BULK_REFUSED', { problem: 'Upload failed', failed })
  return failed
}
