import type { AddressParts } from '@qatra/contract/users/auth'
import { takeLock } from '../database/advisory-lock.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { chooseDefaults } from './address-book.commands.ts'

/** Lets one import of customers or its undo write at a time, until the transaction ends. */
export async function serializeImports({ db }: Pick<Ctx, 'db'>): Promise<void> {
  await takeLock(db, 'import')
}

const lockPhonesSql = statement(
  'import-lock-phones',
  'select id from users where phone = any($1::text[]) order by id for no key update',
)
const lockIdsSql = statement(
  'import-lock-ids',
  'select id from users where id = any($1::integer[]) order by id for update',
)

/** Locks the accounts of these phones in the order of their ids. */
export async function lockAccountsOf({ db }: Pick<Ctx, 'db'>, phones: readonly string[]): Promise<void> {
  await run(db, lockPhonesSql, [phones])
}

/** Locks accounts that may be deleted, in the order of their ids. */
export async function lockAccounts({ db }: Pick<Ctx, 'db'>, ids: readonly number[]): Promise<void> {
  await run(db, lockIdsSql, [ids])
}

/** Null leaves a field as it is. */
export interface ImportedFields {
  name: string | null
  address: string | null
  addressParts: AddressParts | null
  /** Its centre is the approximate pin of the address. */
  areaId: number | null
  otherAddresses: readonly { address: string; addressParts: AddressParts | null; areaId: number | null }[]
  /** The answer to marketing messages. */
  consent: boolean | null
}

/** The pin of an imported address: that of its area, as where an area is chosen from a list; else none. */
const pinOf = (one: string) => `coalesce((select centre_lat from areas where id = ${one}."areaId"), 0),
       coalesce((select centre_lng from areas where id = ${one}."areaId"), 0),
       case when exists (select from areas where id = ${one}."areaId") then 'area' end`

const createSql = statement(
  'import-create',
  `with w as materialized (
     select * from jsonb_to_recordset($1::jsonb) as w (phone text, name text, address text, "addressParts" jsonb,
       "areaId" integer, "otherAddresses" jsonb, consent boolean)
   ), created as (
     insert into users (phone, name, marketing_consent, consent_source, consent_at, created_by)
     select w.phone, w.name, coalesce(w.consent, false),
       case when w.consent is not null then 'import' end, case when w.consent is not null then now() end, $2
     from w
     on conflict (phone) do nothing
     returning id, phone
   ), addressed as (
     insert into addresses (user_id, address, address_parts, lat, lng, pin_source, is_default)
     select c.id, w.address, w."addressParts", ${pinOf('w')}, true from created c join w using (phone)
     where w.address is not null or w."addressParts" is not null
   ), others as (
     insert into addresses (user_id, address, address_parts, lat, lng, pin_source)
     select c.id, o.address, o."addressParts", ${pinOf('o')} from created c join w using (phone)
     cross join jsonb_to_recordset(w."otherAddresses") as o (address text, "addressParts" jsonb, "areaId" integer)
   )
   select id, phone from created`,
)

/** Creates accounts of customers. Returns their ids by phone, without phones that have an account by now. */
export async function createImported(
  { db }: Pick<Ctx, 'db'>,
  people: readonly (ImportedFields & { phone: string })[],
  createdBy: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await run<{ id: number; phone: string }>(db, createSql, [JSON.stringify(people), createdBy])
  return new Map(rows.map(({ id, phone }) => [phone, id]))
}

const fillSql = statement(
  'import-fill',
  `with w as materialized (
     select * from jsonb_to_recordset($1::jsonb) as w (id integer, name text, address text, "addressParts" jsonb,
       "areaId" integer, "otherAddresses" jsonb, consent boolean)
   ), addressed as (
     update addresses a set address = w.address, address_parts = w."addressParts", used_at = now()
     from w
     where a.user_id = w.id and a.is_default and (w.address is not null or w."addressParts" is not null)
       and a.address is null and a.address_parts is null
   ), added as (
     insert into addresses (user_id, address, address_parts, lat, lng, pin_source, is_default)
     select w.id, w.address, w."addressParts", ${pinOf('w')}, true from w
     where (w.address is not null or w."addressParts" is not null)
       and not exists (select from addresses a where a.user_id = w.id)
   ), others as (
     insert into addresses (user_id, address, address_parts, lat, lng, pin_source)
     select w.id, o.address, o."addressParts", ${pinOf('o')} from w
     cross join jsonb_to_recordset(w."otherAddresses") as o (address text, "addressParts" jsonb, "areaId" integer)
   )
   update users u set
     name = coalesce(u.name, w.name),
     marketing_consent = coalesce(w.consent, u.marketing_consent),
     consent_source = case when w.consent is null then u.consent_source else 'import' end,
     consent_at = case when w.consent is null then u.consent_at else now() end,
     updated_at = now()
   from w
   where u.id = w.id`,
)

/** Fills empty fields of locked accounts. */
export async function fillImported(
  { db }: Pick<Ctx, 'db'>,
  people: readonly (ImportedFields & { id: number })[],
): Promise<void> {
  if (people.length > 0) await run(db, fillSql, [JSON.stringify(people)])
}

const clearSql = statement(
  'import-clear',
  `update users u set
     name = case when 'name' = any(w.fields) then null else u.name end,
     marketing_consent = u.marketing_consent and not 'consent' = any(w.fields),
     consent_source = case when 'consent' = any(w.fields) then null else u.consent_source end,
     consent_at = case when 'consent' = any(w.fields) then null else u.consent_at end,
     updated_at = now()
   from jsonb_to_recordset($1::jsonb) as w (id integer, fields text[])
   where u.id = w.id`,
)

// Holds no more than what the import wrote. What the customer has added since is kept.
const importedAt = '(select created_at from customer_imports where id = $2)'
const hasNoPinOfOwn = `((lat, lng) = (0, 0) or pin_source is not distinct from 'area' and (created_at, used_at) = (${importedAt}, ${importedAt}))`
const isImportedAlone = `${hasNoPinOfOwn} and num_nonnulls(instructions, label, receiver_name, receiver_phone) = 0`
const clearAddressesSql = statement(
  'import-clear-addresses',
  `with removed as (
     delete from addresses
     where user_id = any($1::integer[]) and ${isImportedAlone} and (is_default or (created_at = used_at
       and used_at = ${importedAt}))
   )
   update addresses set address = null, address_parts = null
   where user_id = any($1::integer[]) and is_default and not (${isImportedAlone})`,
)

export type ImportedField = 'name' | 'address' | 'consent'

/** Empties fields that an import filled. */
export async function clearImported(
  { db }: Pick<Ctx, 'db'>,
  importId: number,
  people: readonly { id: number; fields: readonly ImportedField[] }[],
): Promise<void> {
  if (people.length === 0) return
  await run(db, clearSql, [JSON.stringify(people)])
  const addressed = people.filter(({ fields }) => fields.includes('address')).map(({ id }) => id)
  await run(db, clearAddressesSql, [addressed, importId])
  await chooseDefaults({ db }, addressed)
}

const removeSql = statement('import-remove', 'delete from users where id = any($1::integer[])')

/** Deletes accounts that nobody has used. */
export async function removeImported({ db }: Pick<Ctx, 'db'>, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await run(db, removeSql, [ids])
}
