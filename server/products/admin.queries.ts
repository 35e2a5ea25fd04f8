import { toBhd } from '@qatra/contract/lib/money'
import type { Page, PageQuery } from '@qatra/contract/lib/page'
import { fold } from '@qatra/contract/lib/text'
import type { PastImport } from '@qatra/contract/lib/upload'
import type { AdminProduct, ProductChangeRow, ProductSort } from '@qatra/contract/products/admin'
import { bulkFields } from '@qatra/contract/products/bulk'
import { productSearchText, searchFor } from '@qatra/contract/products/search'
import { compareSizes } from '@qatra/contract/products/sizes'
import { listBottleTypes } from '../bottles/queries.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { moneyCell, type Table, tableOf } from '../lib/table-file.ts'
import { type OpenPictures, pictureStateOf } from '../media/state.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { bottleOf } from './facts.ts'
import { inOrder, toProduct } from './queries.ts'
import type { CatalogueProduct, ProductSnapshot } from './snapshot.ts'

/** Without `pictures`, for an address that was just saved, the state is waiting. */
export const toAdminProduct = (product: CatalogueProduct, pictures: OpenPictures = new Map()): AdminProduct => ({
  ...toProduct(product),
  imageUrl: product.imageUrl,
  picture: pictureStateOf(pictures, product.imageUrl),
  bottle: bottleOf(product),
  version: product.version,
  createdAt: product.createdAt.toISOString(),
  updatedAt: product.updatedAt.toISOString(),
})

export interface ProductFilters {
  search?: string | undefined
  /** 0 or none means all in reach. */
  vendorId?: number | undefined
  isActive?: 'true' | 'false' | undefined
  sort?: ProductSort | undefined
}

/** Folded search text by product id; computed once per snapshot. */
const wordsIn = new WeakMap<ProductSnapshot, ReadonlyMap<number, string>>()

function wordsOfAll(catalogue: ProductSnapshot): ReadonlyMap<number, string> {
  const known = wordsIn.get(catalogue)
  if (known) return known
  const { products, vendors } = catalogue
  const words = new Map(
    [...products.values()].map((product) => [product.id, productSearchText(product, vendors.get(product.vendorId))]),
  )
  wordsIn.set(catalogue, words)
  return words
}

function soughtIn(catalogue: ProductSnapshot, products: CatalogueProduct[], search: string | undefined) {
  if (!search?.trim()) return products
  const words = wordsOfAll(catalogue)
  const textOf = ({ id }: CatalogueProduct) => words.get(id) ?? ''
  const { isFound } = searchFor(search, products.map(textOf))
  return products.filter((product) => isFound(textOf(product)))
}

/** @throws FORBIDDEN if the filter names a vendor out of reach */
export function findAdminProducts(catalogue: ProductSnapshot, ctx: Ctx, query: ProductFilters): CatalogueProduct[] {
  const vendorId = vendorInReach(ctx.actor, query.vendorId || null)
  const filtered = [...catalogue.products.values()]
    .filter((product) => vendorId === null || product.vendorId === vendorId)
    .filter((product) => query.isActive === undefined || product.isActive === (query.isActive === 'true'))
  return soughtIn(catalogue, filtered, query.search).sort(sorterOf(query.sort))
}

export function listAdminProducts(
  catalogue: ProductSnapshot,
  ctx: Ctx,
  query: ProductFilters & PageQuery,
): Page<AdminProduct> {
  const found = findAdminProducts(catalogue, ctx, query)
  const { page, limit } = query
  const items = found
    .slice((page - 1) * limit, page * limit)
    .map((product) => toAdminProduct(product, catalogue.pictures))
  return { items, page, limit, total: found.length }
}

type Sorter = (a: CatalogueProduct, b: CatalogueProduct) => number

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const sorters: Record<string, Sorter> = {
  name: (a, b) => byText(fold(a.name), fold(b.name)),
  price: (a, b) => a.price - b.price,
  size: (a, b) => compareSizes(a.size, b.size),
  updatedAt: (a, b) => a.updatedAt.getTime() - b.updatedAt.getTime(),
}

function sorterOf(sort: ProductSort | undefined): Sorter {
  const sorter = sorters[sort?.replace('-', '') ?? '']
  if (!sorter) return inOrder
  const direction = sort?.startsWith('-') ? -1 : 1
  return (a, b) => direction * sorter(a, b) || a.id - b.id
}

/** One product of a vendor in reach; the error is the same for a foreign and an unknown product. */
export function requireOwnProduct(
  catalogue: ProductSnapshot,
  { actor }: Pick<Ctx, 'actor'>,
  id: number,
): CatalogueProduct {
  const product = catalogue.products.get(id)
  const own = vendorInReach(actor)
  if (!product || (own !== null && product.vendorId !== own)) throw new AppError('PRODUCT_NOT_FOUND')
  return product
}

const importsSql = statement(
  'product-imports',
  `select i.id, i.file_name as "fileName", jsonb_array_length(i.products) as rows, (
     select count(*)::int from jsonb_array_elements(i.products) p where p->'before' <> 'null') as updated,
     i.created_at as "createdAt", i.undone_at as "undoneAt",
     case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'nameAr', v.name_ar) end as vendor,
     case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by,
     count(*) over ()::int as total
   from product_imports i left join vendors v on v.id = i.vendor_id left join users u on u.id = i.created_by
   where $1::integer is null or i.vendor_id = $1 order by i.id desc limit $2 offset $3`,
)
type ImportRow = Omit<PastImport, 'createdAt' | 'undoneAt'> & { createdAt: Date; undoneAt: Date | null; total: number }

export async function listProductImports(ctx: Ctx, { page, limit }: PageQuery): Promise<Page<PastImport>> {
  const found = await run<ImportRow>(ctx.db, importsSql, [vendorInReach(ctx.actor), limit, (page - 1) * limit])
  const items = found.map(({ total: _, createdAt, undoneAt, ...row }) => ({
    ...row,
    created: row.rows - row.updated,
    createdAt: createdAt.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
  }))
  return { items, page, limit, total: found[0]?.total ?? 0 }
}

const auditSql = statement(
  'product-audit',
  `select h.id, h.product_id as "productId", h.action, h.changed_by as "changedBy", w.name as "changedByName",
     h.on_behalf_of as "onBehalfOf", b.name as "onBehalfOfName", h.changed_at as "changedAt",
     h.field_changed as "fieldChanged", h.old_value as "oldValue", h.new_value as "newValue", h.notes
   from product_audit_history h
   left join users w on w.id = h.changed_by
   left join users b on b.id = h.on_behalf_of
   where h.product_id = $1
   order by h.id desc`,
)
interface AuditRow extends Omit<ProductChangeRow, 'changedAt' | 'oldValue' | 'newValue' | 'isBulk'> {
  changedAt: Date
  oldValue: string | null
  newValue: string | null
}

const ownerSql = statement('product-owner', 'select vendor_id as "vendorId" from products where id = $1')

export const BULK_ACTION = 'created via bulk upload'

/** Includes deleted products. Without a row, the vendor is read from the history. */
export async function listProductAudit(ctx: Ctx, productId: number): Promise<ProductChangeRow[]> {
  const own = vendorInReach(ctx.actor)
  const [[product], rows] = await Promise.all([
    run<{ vendorId: number }>(ctx.db, ownerSql, [productId]),
    run<AuditRow>(ctx.db, auditSql, [productId]),
  ])
  const vendorId = product?.vendorId ?? vendorIn(rows)
  if (vendorId === null || (own !== null && vendorId !== own)) throw new AppError('PRODUCT_NOT_FOUND')
  return rows.map((row) => ({
    ...row,
    changedAt: row.changedAt.toISOString(),
    oldValue: valueOf(row.fieldChanged, row.oldValue),
    newValue: valueOf(row.fieldChanged, row.newValue),
    isBulk: row.action === BULK_ACTION,
  }))
}

/** Vendor of a permanently deleted product: the history row of the deletion contains the whole product. */
function vendorIn(rows: readonly AuditRow[]): number | null {
  for (const row of rows) {
    const whole = row.fieldChanged === null ? valueOf(null, row.oldValue ?? row.newValue) : null
    if (typeof whole === 'object' && typeof whole?.['vendorId'] === 'number') return whole['vendorId']
  }
  return null
}

type Value = ProductChangeRow['oldValue']
const notTexts: readonly string[] = [
  ...['vendorId', 'price', 'vatPercentage', 'isActive', 'unitsPerInventoryUnit'],
  ...['tds', 'sodium', 'ph', 'filledWithinDays'],
]
const textFields: ReadonlySet<string> = new Set(bulkFields.filter((field) => !notTexts.includes(field)))

/** The history stores texts unchanged and other values as JSON. */
function valueOf(field: string | null, stored: string | null): Value {
  if (stored === null || (field !== null && textFields.has(field))) return stored
  try {
    return JSON.parse(stored) as Value // `emit` wrote it from such a value
  } catch {
    return stored
  }
}

/** Exports the columns of an upload, so that the file can be edited and uploaded again: the id selects the product. */
export async function exportProducts(catalogue: ProductSnapshot, ctx: Ctx, filters: ProductFilters): Promise<Table> {
  const rows = findAdminProducts(catalogue, ctx, filters)
  const types = await listBottleTypes(ctx, vendorInReach(ctx.actor, filters.vendorId || null))
  const names = new Map(types.map(({ id, name }) => [id, name]))
  return tableOf<CatalogueProduct>({
    // The columns have the names of the fields.
    lang: 'en',
    rows,
    columns: {
      id: ({ id }) => id,
      vendorName: ({ vendorId }) => catalogue.vendors.get(vendorId)?.name ?? null,
      ...Object.fromEntries(
        bulkFields.map((field) => [field, (product) => (field === 'bottleType' ? null : product[field])]),
      ),
      bottleType: ({ bottleTypeId }) => names.get(bottleTypeId ?? 0) ?? null,
      price: ({ price }) => moneyCell(toBhd(price)),
      isActive: ({ isActive }) => String(isActive),
    },
  })
}
