import type { Output } from '@qatra/contract/endpoint'
import type { PageQuery } from '@qatra/contract/lib/page'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { listCustomerImports } from '@qatra/contract/users/customers-import'
import type { Role } from '@qatra/contract/users/roles'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { areas } from '../../areas/tables.ts'
import type { Ctx } from '../../database/context.ts'
import { type Db, run, statement } from '../../database/db.ts'
import { inBatches } from '../../import/import.ts'
import { AppError } from '../../lib/errors.ts'
import { users } from '../../users/tables.ts'
import { vendors } from '../../vendors/tables.ts'
import { importedFor } from '../policy.ts'
import { customerImports, MARKET } from '../tables.ts'
import type { Known } from './plan.ts'
import type { ImportedRow } from './undo-plan.ts'

const knownSql = statement(
  'import-known',
  `select p.phone, c.opted_out_at is not null as has_opted_out, u.id, u.role, u.is_active, u.name, a.address,
     a.address_parts, array(select b.address from addresses b where b.user_id = u.id) as addresses, u.consent_at is not null as has_answered, u.marketing_consent,
     coalesce(
       (select o.area_id from orders o where o.user_id = u.id order by o.created_at desc limit 1),
       (select r.area_id from customer_import_rows r where r.user_id = u.id and r.area_id is not null
        order by r.import_id desc limit 1)) as area_id,
     coalesce(t.tags, '{}') as tags,
     array(select n.body from customer_notes n where n.user_id = u.id and n.vendor_id = $2 and n.removed_at is null) as notes,
     exists (select from customer_totals s where s.user_id = u.id and s.vendor_id = $2) as is_of_vendor
   from unnest($1::text[]) as p (phone)
   left join users u on u.phone = p.phone
   left join addresses a on a.user_id = u.id and a.is_default
   left join contacts c on c.phone = p.phone
   left join customer_tags t on t.user_id = u.id and t.vendor_id = $2`,
)

interface KnownRow {
  phone: string
  has_opted_out: boolean
  id: number | null
  role: Role
  is_active: boolean
  name: string | null
  address: string | null
  address_parts: AddressParts | null
  addresses: (string | null)[]
  has_answered: boolean
  marketing_consent: boolean
  area_id: number | null
  tags: string[]
  notes: string[]
  is_of_vendor: boolean
}

/** What is stored for these phones, with tags and notes of the vendor. */
export async function findKnown(db: Db, phones: readonly string[], vendorId: number): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  await inBatches(phones, async (batch) => {
    for (const row of await run<KnownRow>(db, knownSql, [batch, vendorId])) known.set(row.phone, knownOf(row))
  })
  return known
}

const knownOf = ({ phone, has_opted_out: hasOptedOut, id, ...row }: KnownRow): Known => ({
  phone,
  hasOptedOut,
  account:
    id === null
      ? null
      : {
          id,
          role: row.role,
          isActive: row.is_active,
          name: row.name,
          address: row.address,
          addressParts: row.address_parts,
          addresses: row.addresses,
          hasAnsweredConsent: row.has_answered,
          consent: row.marketing_consent,
          areaId: row.area_id,
          tags: row.tags,
          notes: row.notes,
          isOfVendor: row.is_of_vendor,
        },
})

/** The last import of this file for the vendor that was not undone. */
export async function findEarlier({ db }: Pick<Ctx, 'db'>, fileHash: string, vendorId: number) {
  const [earlier] = await db
    .select({ id: customerImports.id, createdAt: customerImports.createdAt })
    .from(customerImports)
    .where(
      and(
        eq(customerImports.fileHash, fileHash),
        eq(customerImports.vendorId, vendorId),
        isNull(customerImports.undoneAt),
      ),
    )
    .orderBy(desc(customerImports.id))
    .limit(1)
  return earlier ? { id: earlier.id, createdAt: earlier.createdAt.toISOString() } : null
}

/** @throws VENDOR_NOT_FOUND */
export async function requireVendor({ db }: Pick<Ctx, 'db'>, vendorId: number): Promise<void> {
  if (vendorId === MARKET) return
  const [vendor] = await db.select({ id: vendors.id }).from(vendors).where(eq(vendors.id, vendorId))
  if (!vendor) throw new AppError('VENDOR_NOT_FOUND')
}

export async function listImports(
  { db }: Pick<Ctx, 'db'>,
  { page, limit }: PageQuery,
): Promise<Output<typeof listCustomerImports>> {
  const rows = await db
    .select({ imported: customerImports, vendor: vendors, by: users, total: sql<number>`count(*) over ()::integer` })
    .from(customerImports)
    .leftJoin(vendors, eq(vendors.id, customerImports.vendorId))
    .leftJoin(users, eq(users.id, customerImports.createdBy))
    .orderBy(desc(customerImports.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return {
    items: rows.map(({ imported, vendor, by }) => ({
      id: imported.id,
      fileName: imported.fileName,
      vendor: vendor && { id: vendor.id, name: vendor.name, nameAr: vendor.nameAr },
      rows: imported.rows,
      created: imported.created,
      updated: imported.updated,
      by: by && { id: by.id, name: by.name },
      createdAt: imported.createdAt.toISOString(),
      undoneAt: imported.undoneAt?.toISOString() ?? null,
    })),
    page,
    limit,
    total: rows[0]?.total ?? 0,
  }
}

const importedSql = statement(
  'import-rows',
  `select r.user_id, r.row, r.is_new, r.filled, r.tags, r.note_id, r.is_joined,
     u.role = 'customer' and u.is_active and u.updated_at = u.created_at as is_account_untouched,
     u.last_login_at is not null as has_signed_in,
     (u.name is not distinct from r.name) as has_name,
     (a.address is not distinct from r.address and a.address_parts is not distinct from r.address_parts) as has_address,
     (u.consent_source = 'import' and u.consent_at = i.created_at) as has_consent,
     exists (select from orders o where o.user_id = u.id and (r.is_new or o.created_at >= i.created_at)) as has_ordered,
     exists (select from customer_notes n where n.user_id = u.id and (n.id <> r.note_id or r.note_id is null))
       or exists (select from customer_tags t where t.user_id = u.id
         and (t.vendor_id <> i.vendor_id or not t.tags <@ r.tags))
       or exists (select from carts c where c.user_id = u.id)
       or exists (select from addresses b where b.user_id = u.id and b.used_at <> i.created_at)
       or exists (select from customer_import_rows x where x.user_id = u.id and x.import_id <> r.import_id)
       as has_more,
     coalesce((select n.removed_at is not null from customer_notes n where n.id = r.note_id), false) as is_note_removed
   from customer_import_rows r
   join customer_imports i on i.id = r.import_id
   join users u on u.id = r.user_id
   left join addresses a on a.user_id = u.id and a.is_default
   where r.import_id = $1 and r.user_id = any($2::integer[])
   order by r.row`,
)

interface ImportedSqlRow {
  user_id: number
  row: number
  is_new: boolean
  filled: ImportedRow['filled']
  tags: string[]
  note_id: number | null
  is_joined: boolean
  is_account_untouched: boolean
  has_signed_in: boolean
  has_name: boolean
  has_address: boolean
  has_consent: boolean | null
  has_ordered: boolean
  has_more: boolean
  is_note_removed: boolean
}

/** Rows of an import beside what is stored for its customers now. */
export async function readImportedRows(db: Db, importId: number, userIds: readonly number[]): Promise<ImportedRow[]> {
  const rows = await run<ImportedSqlRow>(db, importedSql, [importId, userIds])
  return rows.map((row) => ({
    userId: row.user_id,
    row: row.row,
    isNew: row.is_new,
    filled: row.filled,
    tags: row.tags,
    noteId: row.note_id,
    isJoined: row.is_joined,
    hasOrdered: row.has_ordered,
    hasSignedIn: row.has_signed_in,
    isTouched: !row.is_account_untouched || row.has_more,
    isStored: { name: row.has_name, address: row.has_address, consent: row.has_consent === true },
    isNoteRemoved: row.is_note_removed,
  }))
}

const idsSql = statement(
  'import-user-ids',
  'select user_id from customer_import_rows where import_id = $1 order by user_id',
)

export async function listImportedIds(db: Db, importId: number): Promise<number[]> {
  const rows = await run<{ user_id: number }>(db, idsSql, [importId])
  return rows.map(({ user_id }) => user_id)
}

/** What the imported files have for a customer: an address for the scope, an area, and the words of a consent. */
export async function readImported({ db }: Pick<Ctx, 'db'>, id: number, scope: number) {
  // With its table: in a subquery a bare `id` would be that of an import.
  const userId = sql`users.id`
  const defaultAddress = sql<
    string | null
  >`(select a.address from addresses a where a.user_id = ${userId} and a.is_default)`
  const [found] = await db
    .select({
      address: scope === MARKET ? defaultAddress : importedFor(userId, scope, sql<string>`imported_row.address`),
      areaId: importedFor(userId, scope, sql<number>`imported_row.area_id`),
      consentWords: sql<string | null>`(select r.consent_words from customer_import_rows r
        where r.user_id = ${userId} and r.consent and 'consent' = any(r.filled) and users.consent_source = 'import'
        order by r.import_id desc limit 1)`,
    })
    .from(users)
    .where(eq(users.id, id))
  if (!found?.areaId) return { address: null, areaName: null, areaNameAr: null, consentWords: null, ...found }
  const [area] = await db
    .select({ areaName: areas.name, areaNameAr: areas.nameAr })
    .from(areas)
    .where(eq(areas.id, found.areaId))
  return { areaName: null, areaNameAr: null, ...area, ...found }
}
