import type { Output } from '@qatra/contract/endpoint'
import type { PageQuery } from '@qatra/contract/lib/page'
import type { listCustomerImports } from '@qatra/contract/users/customers-import'
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
import type { Known, KnownAccount } from './plan.ts'
import type { ImportedRow } from './undo-plan.ts'

const knownSql = statement(
  'import-known',
  `select p.phone, c.opted_out_at is not null as "hasOptedOut", u.id, u.role, u.is_active as "isActive", u.name, a.address,
     a.address_parts as "addressParts", array(select b.address from addresses b where b.user_id = u.id) as addresses,
     u.consent_at is not null as "hasAnsweredConsent", u.marketing_consent as consent,
     coalesce(
       (select o.area_id from orders o where o.user_id = u.id order by o.created_at desc limit 1),
       (select r.area_id from customer_import_rows r where r.user_id = u.id and r.area_id is not null
        order by r.import_id desc limit 1)) as "areaId",
     coalesce(t.tags, '{}') as tags,
     array(select n.body from customer_notes n where n.user_id = u.id and n.vendor_id = $2 and n.removed_at is null) as notes,
     exists (select from customer_totals s where s.user_id = u.id and s.vendor_id = $2) as "isOfVendor",
     (select coalesce(json_agg(b), '[]') from (select e.bottle_type_id as "typeId", sum(e.amount)::int as count
        from ledger_entries e where e.ledger = 'bottles' and e.vendor_id = $2 and e.holder_id = u.id
        group by e.bottle_type_id having sum(e.amount) <> 0 or bool_or(e.key not like 'import:%')) b) as bottles
   from unnest($1::text[]) as p (phone)
   left join users u on u.phone = p.phone
   left join addresses a on a.user_id = u.id and a.is_default
   left join contacts c on c.phone = p.phone
   left join customer_tags t on t.user_id = u.id and t.vendor_id = $2`,
)

type KnownRow = Omit<Known, 'account'> & (KnownAccount | { id: null })

/** What is stored for these phones, with tags and notes of the vendor. */
export async function findKnown(db: Db, phones: readonly string[], vendorId: number): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  await inBatches(phones, async (batch) => {
    for (const { phone, hasOptedOut, ...account } of await run<KnownRow>(db, knownSql, [batch, vendorId]))
      known.set(phone, { phone, hasOptedOut, account: account.id === null ? null : account })
  })
  return known
}

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
  `select r.user_id as "userId", r.row, r.is_new as "isNew", r.filled, r.tags, r.note_id as "noteId",
     r.is_joined as "isJoined", u.last_login_at is not null as "hasSignedIn",
     jsonb_build_object(
       'name', u.name is not distinct from r.name,
       'address', a.address is not distinct from r.address and a.address_parts is not distinct from r.address_parts,
       'consent', coalesce(u.consent_source = 'import' and u.consent_at = i.created_at, false)) as "isStored",
     exists (select from orders o where o.user_id = u.id and (r.is_new or o.created_at >= i.created_at)) as "hasOrdered",
     not (u.role = 'customer' and u.is_active and u.updated_at = u.created_at)
       or exists (select from customer_notes n where n.user_id = u.id and (n.id <> r.note_id or r.note_id is null))
       or exists (select from customer_tags t where t.user_id = u.id
         and (t.vendor_id <> i.vendor_id or not t.tags <@ r.tags))
       or exists (select from carts c where c.user_id = u.id)
       or exists (select from addresses b where b.user_id = u.id and b.used_at <> i.created_at)
       or exists (select from customer_import_rows x where x.user_id = u.id and x.import_id <> r.import_id)
       or exists (select from ledger_entries e where e.ledger = 'bottles' and e.holder_id = u.id
         and e.key not like 'import:' || i.id || ':%')
       as "isTouched",
     exists (select from ledger_entries e where e.ledger = 'bottles' and e.holder_id = u.id) as "hasBottles",
     coalesce((select n.removed_at is not null from customer_notes n where n.id = r.note_id), false) as "isNoteRemoved"
   from customer_import_rows r
   join customer_imports i on i.id = r.import_id
   join users u on u.id = r.user_id
   left join addresses a on a.user_id = u.id and a.is_default
   where r.import_id = $1 and r.user_id = any($2::integer[])
   order by r.row`,
)

/** Rows of an import beside what is stored for its customers now. */
export const readImportedRows = (db: Db, importId: number, userIds: readonly number[]) =>
  run<ImportedRow>(db, importedSql, [importId, userIds])

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
