import type { Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/lib/text'
import type { BottleType } from '@qatra/contract/products/bottle-types'
import { BULK_ROWS, type BulkColumn, type BulkResult, type bulkProducts } from '@qatra/contract/products/bulk'
import { duplicateKey } from '@qatra/contract/products/fields'
import { listBottleTypes } from '../../bottles/queries.ts'
import { lockUsableTypes, namesOf } from '../../bottles/types.commands.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import type { App } from '../../http/runtime.ts'
import { type ImportKind, runImport } from '../../import/import.ts'
import { jsonReader } from '../../import/json.ts'
import type { ProblemKind, RowFailure } from '../../import/problem.ts'
import { reporter } from '../../import/rows.ts'
import { emitAll } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { translatorFor } from '../../lib/translate.ts'
import { missingPictures } from '../../media/commands.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { BULK_ACTION } from '../admin.queries.ts'
import { lockProduct, updateProduct } from '../commands.ts'
import { toFacts, toRow } from '../facts.ts'
import type { ProductSnapshot } from '../snapshot.ts'
import { type ImportedProduct, productImports } from '../tables.ts'
import { type ChangedRow, type Checked, type CheckedRow, checkRows } from './check.ts'
import { columns, type ProductCells } from './columns.ts'
import { isFormula, splitUnit } from './values.ts'

type Counts = Pick<BulkResult, 'created' | 'updated' | 'importId'>

/** From the product's specification; in English for every language of the request. */
const titles: Partial<Record<ProblemKind | 'rows', string>> = {
  format: 'Invalid file format',
  none: 'No valid products',
  tooMany: 'Upload failed',
  tooBig: 'Upload failed',
  rows: 'Upload failed',
}

const productFile: ImportKind<ProductCells, Counts, unknown> = {
  scope: 'bulk',
  columns,
  isFormula,
  prepare: splitUnit,
  readJson: jsonReader('products'),
  maxRows: BULK_ROWS,
  mostListed: Number.POSITIVE_INFINITY,
  budgetMs: 5_000,
  nameOf: (problem) => titles[problem] ?? 'File parsing error',
  nothing: { created: 0 },
}

/** @throws BULK_REFUSED with every problem by row and field, FORBIDDEN if a row names a vendor out of reach */
export async function uploadProducts(
  ctx: Ctx,
  app: Pick<App, 'pool'>,
  catalogue: ProductSnapshot,
  { query: { vendorId, ...mode }, body: file }: Pick<Parsed<typeof bulkProducts>, 'query' | 'body'>,
): Promise<BulkResult> {
  const types = await listBottleTypes(ctx, vendorInReach(ctx.actor))
  const rules = rulesOf(ctx, catalogue, { vendorId: vendorId || null, types })
  return runImport(ctx, app, productFile, {
    file,
    mode,
    vendorId: rules.vendorId ?? 0,
    async check(rows) {
      const checked = await checkRows(rows, rules)
      return async (inside) => {
        if (!mode.dryRun && checked.foreign.length > 0) throw new AppError('FORBIDDEN', { failed: checked.foreign })
        const { good, changed, failed } = await withoutStored(inside, checked)
        return {
          failed,
          counts: { created: 0, ...counted(changed.length) },
          async write(writing) {
            if (good.length + changed.length === 0) return null
            const work = { fileName: file.name, done: [] }
            const lost = await write(writing, good, work)
            const unchanged = await change(writing, catalogue, changed, work)
            const counts = { created: good.length - lost.length, ...counted(changed.length - unchanged.length) }
            const importId = await recordImport(writing, [...good, ...changed], work)
            return { counts: { ...counts, importId }, lost: [...lost, ...unchanged] }
          },
        }
      }
    },
  })
}

const counted = (updated: number) => (updated > 0 ? { updated } : {})

interface Known {
  /** Of rows that name none. */
  vendorId: number | null
  types: readonly BottleType[]
}

function rulesOf(ctx: Ctx, catalogue: ProductSnapshot, { vendorId, types }: Known) {
  const ownVendorId = vendorInReach(ctx.actor)
  const byName = new Map<string, number>()
  for (const { id, name, nameAr } of catalogue.vendors.values())
    for (const spelling of [name, nameAr]) if (spelling) byName.set(fold(spelling), id)
  return {
    ownVendorId,
    vendorId: vendorInReach(ctx.actor, vendorId),
    hasVendor: (id: number) => catalogue.vendors.has(id),
    findBottle(ofVendor: number, name: string | undefined) {
      const own = types.filter((type) => type.vendorId === ofVendor)
      const found = name === undefined ? own : own.filter((type) => namesOf(type).includes(fold(name)))
      return (found.length === 1 && found[0]?.id) || null
    },
    findVendor: (name: string) => byName.get(fold(name)) ?? null,
    findProduct(id: number) {
      const product = catalogue.products.get(id)
      return product && (ownVendorId === null || product.vendorId === ownVendorId) ? toFacts(product) : null
    },
  }
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
async function withoutStored(ctx: Ctx, { good, changed }: Checked) {
  const all = [...good, ...changed]
  const stored = await findStored(ctx, all)
  const purged = await missingPictures(
    ctx.db,
    all.map(({ facts }) => facts.imageUrl),
  )
  const bottleOf = (each: CheckedRow | ChangedRow) => ('given' in each ? each.given : each.facts).bottle
  const usable = await lockUsableTypes(ctx, [...new Set(all.flatMap((each) => bottleOf(each)?.typeId ?? []))])
  const failed: RowFailure[] = []
  for (const each of all) {
    const refuse = refuserOf(ctx, failed, each)
    const bottle = bottleOf(each)
    const id = stored.get(keyOfRow(each))
    if (id !== undefined && !('id' in each && id === each.id)) refuse('name', 'bulk.stored', { id })
    else if (purged.has(each.facts.imageUrl ?? '')) refuse('imageUrl', 'validation.pictureGone')
    else if (bottle && !usable.has(bottle.typeId)) refuse('bottleType', 'bulk.bottleOff')
  }
  const bad = new Set(failed.map(({ row }) => row))
  const isGood = ({ row }: CheckedRow) => !bad.has(row)
  return { good: good.filter(isGood), changed: changed.filter(isGood), failed }
}

const refuserOf = ({ actor }: Ctx, failed: RowFailure[], row: CheckedRow) =>
  reporter<BulkColumn>(failed, row, translatorFor(actor.lang))

/** For the history. */
const noteOf = (name: string | null, row: number) => (name === null ? `#${row}` : `${name} #${row}`)

const insertSql = statement(
  'bulk-insert',
  `insert into products (vendor_id, name, name_ar, description, description_ar, price, size, image_url, vat_percentage,
     is_active, inventory_unit, inventory_unit_ar, units_per_inventory_unit, source, source_ar, tds, sodium, ph,
     filled_on, filled_within_days, duplicate_key, bottle_type_id, bottle_terms)
   select * from jsonb_to_recordset($1::jsonb) as w ("vendorId" integer, name text, "nameAr" text, description text,
     "descriptionAr" text, price bigint, size text, "imageUrl" text, "vatPercentage" numeric, "isActive" boolean,
     "inventoryUnit" text, "inventoryUnitAr" text, "unitsPerInventoryUnit" integer, source text,
     "sourceAr" text, tds integer, sodium numeric, ph numeric, "filledOn" date, "filledWithinDays" integer, "duplicateKey" text,
     "bottleTypeId" integer, "bottleTerms" text)
   on conflict (vendor_id, duplicate_key) where deleted_at is null do nothing
   returning id, vendor_id, duplicate_key`,
)

/** Of which file, and the list of what was written. */
interface Work {
  fileName: string | null
  done: ImportedProduct[]
}

async function recordImport(ctx: Ctx, rows: readonly CheckedRow[], { fileName, done: products }: Work) {
  if (products.length === 0) return undefined
  const vendorIds = new Set(rows.map(({ facts }) => facts.vendorId))
  const [vendorId = null] = vendorIds.size === 1 ? vendorIds : []
  const values = { vendorId, fileName, products, createdBy: userOf(ctx).id }
  const [made] = await ctx.db.insert(productImports).values(values).returning({ id: productImports.id })
  return made?.id
}

/** Returns the rows whose product was created concurrently. */
async function write(ctx: Ctx, good: readonly CheckedRow[], { fileName, done }: Work): Promise<RowFailure[]> {
  if (good.length === 0) return []
  const made = await run<Stored>(ctx.db, insertSql, [JSON.stringify(good.map(({ facts }) => toRow(facts)))])
  const ids = new Map(made.map((row) => [keyOf(row.vendor_id, row.duplicate_key), row.id]))
  const imported = good.flatMap(({ facts, row }) => {
    const id = ids.get(keyOfRow({ facts, row }))
    if (id === undefined) return []
    done.push({ id, row, version: 1, before: null })
    const changes = [{ field: null, from: null, to: facts }]
    const about = { action: BULK_ACTION, resource: 'product', id, changes, notes: noteOf(fileName, row) }
    return [{ name: 'product.imported' as const, ...about }]
  })
  await emitAll(ctx, imported)
  const lost = good.filter((row) => !ids.has(keyOfRow(row)))
  const stored = await findStored(ctx, lost)
  const failed: RowFailure[] = []
  for (const each of lost) refuserOf(ctx, failed, each)('name', 'bulk.stored', { id: stored.get(keyOfRow(each)) ?? 0 })
  return failed
}

/**
 * Updates products by ascending id, so that parallel uploads cannot deadlock. Returns the rows whose product was deleted
 * or whose name was taken since the check.
 */
async function change(
  ctx: Ctx,
  catalogue: ProductSnapshot,
  changed: readonly ChangedRow[],
  { fileName, done }: Work,
): Promise<RowFailure[]> {
  const failed: RowFailure[] = []
  for (const each of changed.toSorted((a, b) => a.id - b.id)) {
    const refuse = refuserOf(ctx, failed, each)
    try {
      const before = await lockProduct(ctx, each.id)
      const { version } = await updateProduct(ctx, catalogue, each.id, each.given, noteOf(fileName, each.row))
      if (version > before.version) done.push({ id: each.id, row: each.row, version, before: toFacts(before) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'PRODUCT_EXISTS') refuse('name', 'bulk.stored', { id: Number(error.details['productId']) })
      else if (error.code === 'PRODUCT_NOT_FOUND') refuse('id', 'bulk.unknownId')
      else throw error
    }
  }
  return failed
}
