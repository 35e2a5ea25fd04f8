import type { Parsed } from '@qatra/contract/endpoint'
import { addFils, toBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import type { ImportReport } from '@qatra/contract/lib/upload'
import {
  CUSTOMER_ROWS,
  type CustomerImportResult,
  type importCustomers as importing,
  MOST_LISTED,
} from '@qatra/contract/users/customers-import'
import type { AreaSnapshot } from '../../areas/snapshot.ts'
import { listBottleTypes } from '../../bottles/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { Outdated, run, statement } from '../../database/db.ts'
import type { App } from '../../http/runtime.ts'
import { countKnown, type ImportKind, inBatches, inOrder, rowCount, runImport } from '../../import/import.ts'
import { plainFailure } from '../../import/problem.ts'
import { emit } from '../../jobs/domain-events.ts'
import { sha256 } from '../../lib/secrets.ts'
import { translatorFor } from '../../lib/translate.ts'
import { createImported, fillImported, lockAccountsOf, serializeImports } from '../../users/import.commands.ts'
import { customerImports, MARKET } from '../tables.ts'
import { postOpening } from './bottles.commands.ts'
import { checkRows } from './check.ts'
import { type CustomerCells, columnsWith, type OpeningType } from './columns.ts'
import { type Change, planImport } from './plan.ts'
import { findEarlier, findKnown, requireVendor } from './queries.ts'

type Counts = Omit<CustomerImportResult, keyof ImportReport | 'failedRows'>

const nothing: Counts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  kept: [],
  keptRows: 0,
  bottles: [],
  earlier: null,
  importId: null,
}

const customerFile = (types: readonly OpeningType[]): ImportKind<CustomerCells, Counts> => ({
  scope: 'customerFile',
  columns: columnsWith(types),
  // A phone begins with a plus.
  isFormula: (cell) => /^ *[=@\t\r]/.test(cell),
  maxRows: CUSTOMER_ROWS,
  mostListed: MOST_LISTED,
  budgetMs: 10_000,
  nameOf: (problem) => problem,
  nothing,
})

interface Job {
  rows: number
  fileHash: string
  fileName: string | null
  vendorId: number
}

/** @throws BULK_REFUSED with the problems by row and field, VENDOR_NOT_FOUND */
export async function importCustomers(
  ctx: Ctx,
  { pool, areas }: Pick<App, 'pool'> & Pick<AreaSnapshot, 'areas'>,
  { query: { vendorId = MARKET, ...mode }, body: file }: Pick<Parsed<typeof importing>, 'query' | 'body'>,
): Promise<CustomerImportResult> {
  await requireVendor(ctx, vendorId)
  const words = translatorFor(ctx.actor.lang)
  // Addresses are in the language of accounts that have not chosen one.
  const types = await listOpeningTypes(ctx, vendorId)
  const rules = { addressWords: translatorFor('ar'), findArea: areaFinder(areas), types }
  return runImport(ctx, { pool }, customerFile(types), {
    file,
    mode,
    vendorId,
    async check(read, rows) {
      const { people, kept: keptAlone } = await checkRows(read, rules)
      const phones = people.map(({ phone }) => phone)
      const job = { rows, fileHash: sha256(file.bytes), fileName: file.name, vendorId }
      return async (inside, isPreview) => {
        // One import writes at a time, so the second of two equal files finds everything of the first.
        if (!isPreview) await serializeImports(inside)
        const earlier = await findEarlier(inside, job.fileHash, vendorId)
        if (!isPreview) await lockAccountsOf(inside, phones)
        const known = await findKnown(inside.db, phones, vendorId)
        const { changes, unchanged, failed, ...plan } = planImport(people, known, {
          words,
          isForVendor: vendorId !== MARKET,
        })
        const kept = inOrder([...keptAlone, ...plan.kept])
        const counts = {
          ...nothing,
          ...countKnown(changes, ({ id }) => id !== null),
          unchanged,
          kept: kept.slice(0, MOST_LISTED).map(plainFailure),
          keptRows: rowCount(kept),
          bottles: sumsOf(changes),
          earlier,
        }
        const write = async (writing: Ctx) => ({ counts: await writePlan(writing, job, changes, counts) })
        return { failed, counts, write }
      }
    },
  })
}

/** Types of bottles of which a file of the vendor may have columns. */
export const listOpeningTypes = async (ctx: Ctx, vendorId: number = MARKET): Promise<OpeningType[]> =>
  vendorId === MARKET ? [] : (await listBottleTypes(ctx, vendorId)).filter(({ isOffered }) => isOffered)

function sumsOf(changes: readonly Change[]): Counts['bottles'] {
  const all = changes.flatMap(({ bottles, person: { phone } }) => bottles.map((one) => ({ ...one, phone })))
  return [...Map.groupBy(all, ({ typeId }) => typeId)].map(([typeId, ofType]) => ({
    typeId,
    customers: new Set(ofType.map(({ phone }) => phone)).size,
    count: ofType.reduce((sum, { count }) => sum + count, 0),
    deposit: toBhd(addFils(...ofType.map(({ deposit }) => deposit))),
  }))
}

/** By name in either language, or by code. */
function areaFinder(areas: AreaSnapshot['areas']) {
  const byName = new Map<string, { id: number; name: string }>()
  for (const { id, areaId, name, nameAr } of areas.values()) {
    for (const spelling of [name, nameAr, areaId])
      if (spelling) byName.set(fold(spelling), { id, name: nameAr ?? name })
  }
  return (name: string) => byName.get(fold(name)) ?? null
}

async function writePlan(ctx: Ctx, job: Job, changes: readonly Change[], counts: Counts): Promise<Counts> {
  if (changes.length === 0) return counts
  const id = await recordImport(ctx, job, counts)
  await inBatches(changes, async (batch) => {
    const written = await writeChanges(ctx, id, job.vendorId, batch)
    const opened = written.flatMap(({ userId, bottles }) => bottles.map((one) => ({ ...one, userId })))
    await postOpening(ctx, { ...job, id }, opened)
  })
  return { ...counts, importId: id }
}

async function recordImport(
  ctx: Ctx,
  { rows, fileHash, fileName, vendorId }: Job,
  { created, updated, bottles }: Counts,
): Promise<number> {
  const [made] = await ctx.db
    .insert(customerImports)
    .values({ vendorId, fileName, fileHash, rows, created, updated, createdBy: userOf(ctx).id })
    .returning({ id: customerImports.id })
  if (!made) throw new Error('The import was inserted')
  const count = bottles.reduce((sum, each) => sum + each.count, 0)
  const facts = { fileName, rows, created, updated, ...(count > 0 && { count }) }
  const changes = Object.entries(facts).map(([field, to]) => ({ field, from: null, to }))
  const owner = vendorId === MARKET ? null : vendorId
  await emit(ctx, {
    name: 'customers.imported',
    action: 'imported',
    resource: 'customer-import',
    id: made.id,
    vendorId: owner,
    changes,
  })
  return made.id
}

async function writeChanges(ctx: Ctx, importId: number, vendorId: number, changes: readonly Change[]) {
  const newOnes = changes.filter(({ id }) => id === null)
  const ids = await createImported(
    ctx,
    newOnes.map((change) => ({ phone: change.person.phone, ...fieldsOf(change) })),
    userOf(ctx).id,
  )
  if (ids.size < newOnes.length) throw new Outdated('Somebody signed up with one of the phones')
  await fillImported(
    ctx,
    changes.flatMap((change) =>
      change.id !== null && change.filled.length > 0 ? [{ id: change.id, ...fieldsOf(change) }] : [],
    ),
  )
  const written = changes.map((change) => ({ ...change, userId: change.id ?? ids.get(change.person.phone) ?? 0 }))
  await run(ctx.db, rowsSql, [
    JSON.stringify(
      written.map(({ person, id, userId, filled, areaId, tags, notes, isJoined }) => ({
        userId,
        row: person.row,
        isNew: id === null,
        name: person.name,
        address: person.address,
        addressParts: person.addressParts,
        areaId,
        consent: person.consent?.isGiven ?? null,
        words: person.consent?.words ?? null,
        filled,
        tags,
        notes,
        isJoined,
      })),
    ),
    importId,
    vendorId,
    userOf(ctx).id,
  ])
  return written
}

const fieldsOf = ({ person, filled, otherAddresses }: Change) => ({
  name: filled.includes('name') ? person.name : null,
  address: filled.includes('address') ? person.address : null,
  addressParts: filled.includes('address') ? person.addressParts : null,
  areaId: person.areaId,
  otherAddresses,
  consent: filled.includes('consent') ? (person.consent?.isGiven ?? null) : null,
})

/** Notes, tags and the vendor's customers, with the rows of the import. */
const rowsSql = statement(
  'import-write-rows',
  `with w as materialized (
     select * from jsonb_to_recordset($1::jsonb) as w ("userId" integer, "row" integer, "isNew" boolean, name text,
       address text, "addressParts" jsonb, "areaId" integer, consent boolean, words text, filled text[], tags text[],
       notes text, "isJoined" boolean)
   ), noted as (
     insert into customer_notes (user_id, vendor_id, body, created_by)
     select "userId", $3, notes, $4 from w where notes is not null
     returning id, user_id
   ), tagged as (
     insert into customer_tags (user_id, vendor_id, tags) select "userId", $3, tags from w where tags <> '{}'
     on conflict (user_id, vendor_id) do update set updated_at = now(),
       tags = array(select distinct unnest(customer_tags.tags || excluded.tags) order by 1)
   ), joined as (
     insert into customer_totals (user_id, vendor_id) select "userId", $3 from w where "isJoined" on conflict do nothing
   )
   insert into customer_import_rows (import_id, user_id, "row", is_new, name, address, address_parts, area_id, consent,
     consent_words, filled, tags, note_id, is_joined)
   select $2, w."userId", w."row", w."isNew", w.name, w.address, w."addressParts", w."areaId", w.consent, w.words,
     w.filled, w.tags, n.id, w."isJoined"
   from w left join noted n on n.user_id = w."userId"`,
)
