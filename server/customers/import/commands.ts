import type { Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/lib/text'
import type { BulkFailure, FoundColumn, UploadedFile } from '@qatra/contract/lib/upload'
import {
  CUSTOMER_ROWS,
  type CustomerColumn,
  type CustomerImportResult,
  type importCustomers as importing,
  MOST_LISTED,
} from '@qatra/contract/users/customers-import'
import type { AreaSnapshot } from '../../areas/snapshot.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/secrets.ts'
import { FileProblem } from '../../lib/table-file/problem.ts'
import { parsing, readCsvTable, readXlsxTable, type Table } from '../../lib/table-file/table.ts'
import { translatorFor } from '../../lib/translate.ts'
import { createImported, fillImported, lockAccountsOf, serializeImports } from '../../users/import.commands.ts'
import { customerImports, MARKET } from '../tables.ts'
import { type CheckedFile, checkRows } from './check.ts'
import { heading } from './columns.ts'
import { type Change, type Plan, planImport } from './plan.ts'
import { findEarlier, findKnown, inBatches, requireVendor } from './queries.ts'

const BUDGET_MS = 10_000

type Read = Pick<App, 'pool'> & { areas: AreaSnapshot['areas'] }

/**
 * Imports all customers or none, unless the import is partial. A dry run returns the problems instead of an error.
 * @throws BULK_REFUSED with the problems by row and field, VENDOR_NOT_FOUND
 */
export async function importCustomers(
  ctx: Ctx,
  { pool, areas }: Read,
  { query, body: file }: Pick<Parsed<typeof importing>, 'query' | 'body'>,
): Promise<CustomerImportResult> {
  const [isDryRun, isPartial] = [query.dryRun === 'true', query.partial === 'true']
  const vendorId = query.vendorId ?? MARKET
  await requireVendor(ctx, vendorId)
  try {
    const { problem, ...read } = await parsing.run(() => readAndCheck(ctx, areas, file))
    const { checked } = read
    if (problem) return refuseFile(ctx, problem, checked.failed, isDryRun)
    const fileHash = sha256(file.bytes)
    const job: Job = { ...read, fileHash, fileName: file.name, vendorId, isPartial }
    if (!isDryRun) return await writeUntilFree(() => inTransaction(pool, (db) => write({ ...ctx, db }, job)))
    const known = await findKnown(ctx.db, phonesOf(checked), vendorId)
    return answerOf(job, planFor(ctx, job, known), await findEarlier(ctx, fileHash, vendorId))
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new AppError('UNAVAILABLE')
    if (!(error instanceof FileProblem)) throw error
    return refuseFile(ctx, error, [], isDryRun)
  }
}

async function readAndCheck(ctx: Ctx, areas: AreaSnapshot['areas'], file: UploadedFile) {
  const signal = AbortSignal.timeout(BUDGET_MS)
  const table = await readTable(file, signal)
  const rules = {
    words: translatorFor(ctx.actor.lang),
    // The language of accounts that have not chosen one.
    addressWords: translatorFor('ar'),
    findArea: areaFinder(areas),
  }
  const { columns, problem } = table
  return { checked: await checkRows(table, rules, signal), rows: table.rows.length, columns, problem }
}

function readTable({ name, bytes }: UploadedFile, signal: AbortSignal): Promise<Table<CustomerColumn>> {
  const format = { heading, maxRows: CUSTOMER_ROWS }
  const extension = /\.(\w+)$/.exec(name ?? '')?.[1]?.toLowerCase()
  if (extension === 'csv') return readCsvTable(bytes, format, signal)
  if (extension === 'xlsx') return readXlsxTable(bytes, format, signal)
  throw new FileProblem('format')
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

/** Rejects the whole file. Lists the failures of the rows before the broken place first. */
function refuseFile(
  { actor }: Ctx,
  { kind, row, field }: FileProblem,
  before: readonly BulkFailure[],
  isDryRun: boolean,
): CustomerImportResult {
  const failure = { row, field, reason: translatorFor(actor.lang)(`customerFile.file.${kind}`, { row }) }
  const failed = [...before.slice(0, MOST_LISTED - 1), failure]
  if (!isDryRun) throw new AppError('BULK_REFUSED', { problem: kind, failed })
  return { ...nothing, rows: 0, columns: [], failed, failedRows: rowCount(failed), kept: [], keptRows: 0 }
}

const nothing = { created: 0, updated: 0, unchanged: 0, earlier: null, importId: null }

interface Job {
  checked: CheckedFile
  rows: number
  columns: FoundColumn[]
  fileHash: string
  fileName: string | null
  vendorId: number
  isPartial: boolean
}

const phonesOf = ({ people }: CheckedFile) => people.map(({ phone }) => phone)
const rowCount = (failed: readonly BulkFailure[]) => new Set(failed.map(({ row }) => row)).size

/** The plan with the problems of the file's rows. */
function planFor({ actor }: Ctx, { checked, vendorId }: Job, known: Awaited<ReturnType<typeof findKnown>>): Plan {
  const plan = planImport(checked.people, known, {
    words: translatorFor(actor.lang),
    isForVendor: vendorId !== MARKET,
  })
  const inOrder = (all: readonly BulkFailure[]) => all.toSorted((a, b) => a.row - b.row)
  return {
    ...plan,
    failed: inOrder([...checked.failed, ...plan.failed]),
    kept: inOrder([...checked.kept, ...plan.kept]),
  }
}

function answerOf(
  { rows, columns }: Job,
  { changes, unchanged, failed, kept }: Plan,
  earlier: CustomerImportResult['earlier'],
): CustomerImportResult {
  const created = changes.filter(({ id }) => id === null).length
  return {
    created,
    updated: changes.length - created,
    unchanged,
    rows,
    columns,
    failed: failed.slice(0, MOST_LISTED),
    failedRows: rowCount(failed),
    kept: kept.slice(0, MOST_LISTED),
    keptRows: rowCount(kept),
    earlier,
    importId: null,
  }
}

/** Somebody signed up with one of the phones since they were looked up. */
class PhoneTaken extends Error {}

/** Repeats an import that met a sign-up; it then finds the account. */
async function writeUntilFree(work: () => Promise<CustomerImportResult>, tries = 3): Promise<CustomerImportResult> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PhoneTaken)) throw error
    if (tries === 1) throw new AppError('UNAVAILABLE')
    return writeUntilFree(work, tries - 1)
  }
}

/** One import writes at a time, so the second of two equal files finds everything of the first. */
async function write(ctx: Ctx, job: Job): Promise<CustomerImportResult> {
  const { checked, vendorId, fileHash, isPartial } = job
  await serializeImports(ctx)
  const earlier = await findEarlier(ctx, fileHash, vendorId)
  await lockAccountsOf(ctx, phonesOf(checked))
  const known = await findKnown(ctx.db, phonesOf(checked), vendorId)
  const plan = planFor(ctx, job, known)
  const answer = answerOf(job, plan, earlier)
  if (plan.failed.length > 0 && !isPartial)
    throw new AppError('BULK_REFUSED', { problem: 'rows', failed: answer.failed })
  if (plan.changes.length === 0) return answer
  const importId = await recordImport(ctx, job, answer)
  await inBatches(plan.changes, (batch) => writeChanges(ctx, importId, vendorId, batch))
  return { ...answer, importId }
}

async function recordImport(
  ctx: Ctx,
  { rows, fileHash, fileName, vendorId }: Job,
  { created, updated }: CustomerImportResult,
): Promise<number> {
  const [made] = await ctx.db
    .insert(customerImports)
    .values({ vendorId, fileName, fileHash, rows, created, updated, createdBy: userOf(ctx).id })
    .returning({ id: customerImports.id })
  if (!made) throw new Error('The import was inserted')
  const changes = Object.entries({ fileName, rows, created, updated }).map(([field, to]) => ({ field, from: null, to }))
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

async function writeChanges(ctx: Ctx, importId: number, vendorId: number, changes: readonly Change[]): Promise<void> {
  const newOnes = changes.filter(({ id }) => id === null)
  const ids = await createImported(
    ctx,
    newOnes.map((change) => ({ phone: change.person.phone, ...fieldsOf(change) })),
    userOf(ctx).id,
  )
  if (ids.size < newOnes.length) throw new PhoneTaken()
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
