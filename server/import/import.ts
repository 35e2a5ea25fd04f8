import {
  type BulkFailure,
  type FileReading,
  type ImportMapping,
  type ImportPlan,
  type ImportReport,
  importPlan,
  type UploadedFile,
} from '@qatra/contract/lib/upload'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { createSemaphore } from '../lib/concurrency.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/secrets.ts'
import { translatorFor } from '../lib/translate.ts'
import { shownRead, shownText } from './cells.ts'
import { FileProblem, type ProblemKind, plainFailure, type RowFailure } from './problem.ts'
import { groupProblems, replacedCells, withoutSkipped } from './repairs.ts'
import { type ReadRow, type RowFormat, readRows } from './rows.ts'
import { type FileFormat, readTable, type TableShape } from './table.ts'

/** What the rows of a file change, decided beside what is stored. */
interface Plan<Counts> {
  /** Beside the failures of the rows alone. */
  failed: RowFailure[]
  /** Of a preview. */
  counts: Counts
  /** Also returns the rows that something stored in the meantime does not allow. Null refuses a file without others. */
  write: (ctx: Ctx) => Promise<{ counts: Counts; lost?: RowFailure[] } | null>
}

/**
 * A preview is not written and locks nothing. Another plan is made within the transaction that writes it, and again if
 * that is repeated.
 */
type MakePlan<Counts> = (ctx: Ctx, isPreview: boolean) => Promise<Plan<Counts>>

interface ImportMode {
  /** Reports the result of every row and writes nothing. */
  dryRun?: boolean | undefined
  /** Writes the valid rows. Otherwise one invalid row rejects the import. */
  partial?: boolean | undefined
}

interface Refusals {
  /** Name of a refusal in its details. */
  nameOf?: (problem: ProblemKind | 'rows') => string
  /** Most failures of one answer. */
  mostListed?: number
}

type RowsFormat<Values, Cell> = RowFormat<Values, Cell> &
  Pick<FileFormat<keyof Values & string, Cell>, 'maxRows' | 'readJson' | 'lines'>

/** One kind of file: its columns, limits and words. */
export interface ImportKind<Values, Counts, Cell = string> extends RowsFormat<Values, Cell>, Required<Refusals> {
  /** For reading and checking. */
  budgetMs: number
  /** Counts of a rejected file. */
  nothing: Counts
}

interface ImportOf<Values, Counts, Cell> {
  file: UploadedFile
  mode: ImportMode
  /** For whom the columns are remembered; 0 for the market. */
  vendorId: number
  /** Checks the rows beside each other, without the database, before the plan is made. */
  check: (rows: AsyncIterable<ReadRow<Values, Cell>>, total: number) => Promise<MakePlan<Counts>>
}

/** One file at a time: parsing is CPU-bound, and this bounds the memory of unpacked files. */
const parsing = createSemaphore({ permits: 1, maxWaiting: 30 })

/** @throws BAD_REQUEST for a plan of another shape */
function planOf({ plan = {} }: UploadedFile): ImportPlan {
  const parsed = importPlan.safeParse(plan)
  if (!parsed.success) throw new AppError('BAD_REQUEST')
  return parsed.data
}

/** How the rows were read, for the report of a dry run. */
function recorder<Values, Cell>({ shown }: ImportPlan) {
  type Row = ReadRow<Values, Cell>
  const preview: FileReading['preview'] = []
  const changed = new Map<string, FileReading['changed'][number]>()
  function note({ row, entered, values }: Row) {
    const cells: FileReading['preview'][number]['cells'] = {}
    const texts = new Map<string, unknown>(Object.entries(entered))
    for (const [field, value] of Object.entries<unknown>(values)) {
      const text = texts.get(field)
      const written = typeof text === 'string' || typeof text === 'number' ? shownText(String(text)) : ''
      if (text === undefined && value === undefined) continue
      cells[field] = { written, read: shownRead(value) }
      // Digits of other scripts and separators are no words.
      if (typeof value !== 'number' || !/\p{L}/u.test(written)) continue
      const before = changed.get(field)
      if (before) before.count += 1
      else changed.set(field, { field, count: 1, value: written, read: value })
    }
    if (preview.length < shown) preview.push({ row, cells })
  }
  return {
    preview,
    changed,
    async *watch(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
      for await (const row of rows) {
        note(row)
        yield row
      }
    },
  }
}

/** A value that replaces another one may be replaced itself, so often. */
const MOST_REPLACED = 5

interface MappingOf {
  /** Prefix of the messages of the kind of file. */
  kind: string
  vendorId: number
  titles: readonly string[]
}

const recallSql = statement(
  'import-mapping',
  'select mapping from import_mappings where kind = $1 and vendor_id = $2 and headings = $3',
)
const rememberSql = statement(
  'import-mapping-keep',
  `insert into import_mappings (kind, vendor_id, headings, mapping) values ($1, $2, $3, $4)
   on conflict (kind, vendor_id, headings) do update set mapping = excluded.mapping, updated_at = now()`,
)
const keysOf = ({ kind, vendorId, titles }: MappingOf) => [kind, vendorId, sha256(JSON.stringify(titles))]

/** The mapping with which the vendor imported a file with the same headings. */
async function recallMapping({ db }: Pick<Ctx, 'db'>, about: MappingOf): Promise<ImportMapping | null> {
  if (about.titles.length === 0) return null
  const [found] = await run<{ mapping: ImportMapping }>(db, recallSql, keysOf(about))
  return found?.mapping ?? null
}

/**
 * Reads and checks the rows of a file and imports all of them or none, unless the import is partial. A dry run returns
 * the problems instead of an error, and how the file was read: columns that it guesses count in the import only if they
 * are sent with it.
 * @throws BULK_REFUSED with the problems by row and field; BAD_REQUEST
 */
export async function runImport<Values, Counts, Cell>(
  ctx: Ctx,
  app: Pick<App, 'pool'>,
  kind: ImportKind<Values, Counts, Cell>,
  { file, mode, check, vendorId }: ImportOf<Values, Counts, Cell>,
): Promise<Counts & ImportReport & { failedRows: number }> {
  const { mostListed, nameOf } = kind
  const plan = planOf(file)
  const words = translatorFor(ctx.actor.lang)
  let record = recorder<Values, Cell>(plan)
  const aboutOf = (titles: readonly string[]) => ({ kind: kind.scope, vendorId, titles })
  const readingOf = (shape: TableShape | undefined, failed: readonly RowFailure[], skipped: number) => {
    if (!mode.dryRun || !shape) return {}
    const { titles: _, ...known } = shape
    const { preview, changed } = record
    return { reading: { ...known, preview, changed: [...changed.values()], problems: groupProblems(failed), skipped } }
  }
  /** Rejects the whole file. Lists the failures of the rows before the broken place first. */
  const refuse = (
    { kind: problem, row, field }: FileProblem,
    before: readonly RowFailure[],
    shape?: TableShape,
  ): Counts & ImportReport & { failedRows: number } => {
    const failure = { row, field, reason: words(`${kind.scope}.file.${problem}`, { row }) }
    const failed = [
      ...inOrder(before)
        .slice(0, mostListed - 1)
        .map(plainFailure),
      failure,
    ]
    if (!mode.dryRun) throw new AppError('BULK_REFUSED', { problem: nameOf(problem), failed })
    return { ...kind.nothing, ...listed(failed, mostListed), ...readingOf(shape, [], 0), rows: 0, columns: [] }
  }
  try {
    let failedRows: RowFailure[] = []
    const { rows, columns, problem, shape, makePlan } = await parsing.run(async () => {
      const signal = AbortSignal.timeout(kind.budgetMs)
      const table = await readTable(file, kind, signal, {
        headingRow: plan.heading,
        mapping: plan.mapping,
        isGuessing: mode.dryRun,
        recall: (titles) => recallMapping(ctx, aboutOf(titles)),
      })
      const checkWith = (cells: ImportPlan['cells']) => {
        failedRows = []
        record = recorder<Values, Cell>(plan)
        const checked = readRows(table, kind, { failed: failedRows, words, signal, plan: { ...plan, cells } })
        return check(record.watch(checked), table.rows.length)
      }
      let { cells } = plan
      let makePlan = await checkWith(cells)
      // Values that are refused beside others of the row, such as a vendor's name, are replaced before it is read again.
      for (let n = 0; n < MOST_REPLACED; n += 1) {
        const replaced = replacedCells(failedRows, plan.repairs)
        if (replaced.length === 0) break
        cells = [...cells, ...replaced]
        makePlan = await checkWith(cells)
      }
      return { ...table, makePlan }
    })
    let skipped = 0
    const planAll: MakePlan<Counts> = async (inside, isPreview) => {
      const { failed, write, ...made } = await makePlan(inside, isPreview)
      const left = withoutSkipped([...failedRows, ...failed], plan.repairs)
      skipped = left.skipped
      return {
        ...made,
        failed: left.failed,
        async write(writing) {
          if (plan.mapping && shape && shape.titles.length > 0)
            await run(writing.db, rememberSql, [...keysOf(aboutOf(shape.titles)), JSON.stringify(plan.mapping)])
          return write(writing)
        },
      }
    }
    if (problem) return refuse(problem, (await planAll(ctx, true)).failed, shape)
    const done = await applyPlan(ctx, app, planAll, { ...mode, mostListed, nameOf })
    const { failed, ...counts } = done
    return {
      ...(counts as Counts), // all of the plan's counts but its failures
      ...listed(failed, mostListed),
      ...readingOf(shape, failed, skipped),
      rows: rows.length,
      columns,
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new AppError('UNAVAILABLE')
    if (!(error instanceof FileProblem)) throw error
    // The raw body of the request is not JSON.
    if (error.kind === 'json' && file.name === null && !mode.dryRun) throw new AppError('BAD_REQUEST')
    return refuse(error, [])
  }
}

/**
 * Previews a plan, or makes and writes it in one transaction: completely, or without the rows that fail. Imports that are
 * no table use it, too.
 * @throws BULK_REFUSED
 */
export async function applyPlan<Counts>(
  ctx: Ctx,
  { pool }: Pick<App, 'pool'>,
  plan: MakePlan<Counts>,
  { dryRun, partial, nameOf, mostListed }: ImportMode & Refusals,
): Promise<Counts & { failed: RowFailure[] }> {
  if (dryRun) {
    const { counts, failed } = await plan(ctx, true)
    return { ...counts, failed: inOrder(failed) }
  }
  const refuse = (problem: 'rows' | 'none', failed: readonly RowFailure[]) => {
    const named = nameOf && { problem: nameOf(problem) }
    throw new AppError('BULK_REFUSED', {
      ...named,
      failed: inOrder(failed).slice(0, mostListed).map(plainFailure),
    })
  }
  return inTransaction(pool, async (db) => {
    const inside = { ...ctx, db }
    const { failed, write } = await plan(inside, false)
    if (failed.length > 0 && !partial) refuse('rows', failed)
    const written = await write(inside)
    if (!written) return refuse('none', failed)
    const { counts, lost = [] } = written
    if (lost.length > 0 && !partial) refuse('rows', lost)
    return { ...counts, failed: inOrder([...failed, ...lost]) }
  })
}

const listed = (failed: readonly BulkFailure[], most: number) => ({
  failed: failed.slice(0, most).map(plainFailure),
  failedRows: rowCount(failed),
})

export const rowCount = (failed: readonly BulkFailure[]) => new Set(failed.map(({ row }) => row)).size

export const inOrder = <F extends BulkFailure>(failed: readonly F[]): F[] => failed.toSorted((a, b) => a.row - b.row)

/** How many of the rows are new and how many are known. */
export function countKnown<Row>(rows: readonly Row[], isKnown: (row: Row) => boolean) {
  const updated = rows.filter(isKnown).length
  return { created: rows.length - updated, updated }
}

/** Rows of one statement: each ends well below the statement timeout, and other requests run in between. */
const BATCH = 1_000

export async function inBatches<T>(list: readonly T[], work: (batch: readonly T[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < list.length; at += BATCH) await work(list.slice(at, at + BATCH))
}
