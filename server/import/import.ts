import type { BulkFailure, FoundColumn, UploadedFile } from '@qatra/contract/lib/upload'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { createSemaphore } from '../lib/concurrency.ts'
import { AppError } from '../lib/errors.ts'
import { translatorFor } from '../lib/translate.ts'
import { FileProblem, type ProblemKind } from './problem.ts'
import { type FileFormat, readTable, type Table } from './table.ts'

/** What the rows of a file change, decided beside what is stored. */
interface Plan<Counts> {
  failed: BulkFailure[]
  /** Of a dry run. */
  counts: Counts
  /** Also returns the rows that something stored in the meantime does not allow. */
  write: (ctx: Ctx) => Promise<{ counts: Counts; lost?: BulkFailure[] }>
}

interface ImportMode {
  /** Reports the result of every row and writes nothing. */
  dryRun?: boolean | undefined
  /** Writes the valid rows. Otherwise one invalid row rejects the import. */
  partial?: boolean | undefined
}

interface Refusals {
  /** Name of the refusal in its details. */
  problem?: string
  /** Most failures of one answer. */
  mostListed?: number | undefined
}

/** One kind of file. */
interface ImportKind<Column extends string, Cell, Counts> {
  /** Prefix of its messages. */
  scope: string
  format: FileFormat<Column, Cell>
  /** For reading and checking. */
  budgetMs: number
  mostListed?: number
  /** Name of a refusal in its details. */
  nameOf: (problem: ProblemKind | 'rows') => string
  /** Counts of a rejected file. */
  nothing: Counts
  /** Checks the rows alone. The plan is then made within the transaction that writes, and again if that is repeated. */
  check: (table: Table<Column, Cell | string>, signal: AbortSignal) => Promise<(ctx: Ctx) => Promise<Plan<Counts>>>
}

interface ImportReport {
  failed: BulkFailure[]
  failedRows: number
  /** Data rows; 0 if the whole file is rejected. */
  rows: number
  columns: FoundColumn[]
}

/** One file at a time: parsing is CPU-bound, and this bounds the memory of unpacked files. */
const parsing = createSemaphore({ permits: 1, maxWaiting: 30 })

/**
 * Imports all rows of a file or none, unless the import is partial. A dry run returns the problems instead of an error.
 * @throws BULK_REFUSED with the problems by row and field
 */
export async function runImport<Column extends string, Cell, Counts>(
  ctx: Ctx,
  app: Pick<App, 'pool'>,
  kind: ImportKind<Column, Cell, Counts>,
  { file, mode }: { file: UploadedFile; mode: ImportMode },
): Promise<Counts & ImportReport> {
  const { mostListed } = kind
  /** Rejects the whole file. Lists the failures of the rows before the broken place first. */
  const refuse = ({ kind: problem, row, field }: FileProblem, before: readonly BulkFailure[]) => {
    const failure = { row, field, reason: translatorFor(ctx.actor.lang)(`${kind.scope}.file.${problem}`, { row }) }
    const failed = [...inOrder(before).slice(0, mostListed && mostListed - 1), failure]
    if (!mode.dryRun) throw new AppError('BULK_REFUSED', { problem: kind.nameOf(problem), failed })
    return { ...kind.nothing, ...listed(failed, mostListed), rows: 0, columns: [] }
  }
  try {
    const { plan, ...table } = await parsing.run(async () => {
      const signal = AbortSignal.timeout(kind.budgetMs)
      const read = await readTable(file, kind.format, signal)
      return { ...read, plan: await kind.check(read, signal) }
    })
    if (table.problem) return refuse(table.problem, (await plan(ctx)).failed)
    const done = await applyPlan(ctx, app, plan, { ...mode, mostListed, problem: kind.nameOf('rows') })
    return { ...done, ...listed(done.failed, mostListed), rows: table.rows.length, columns: table.columns }
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
  plan: (ctx: Ctx) => Promise<Plan<Counts>>,
  { dryRun, partial, problem, mostListed }: ImportMode & Refusals,
): Promise<Counts & { failed: BulkFailure[] }> {
  if (dryRun) {
    const { counts, failed } = await plan(ctx)
    return { ...counts, failed: inOrder(failed) }
  }
  const allow = (failed: readonly BulkFailure[]) => {
    if (failed.length === 0 || partial) return
    const named = problem === undefined ? {} : { problem }
    throw new AppError('BULK_REFUSED', { ...named, failed: inOrder(failed).slice(0, mostListed) })
  }
  return inTransaction(pool, async (db) => {
    const inside = { ...ctx, db }
    const { failed, write } = await plan(inside)
    allow(failed)
    const { counts, lost = [] } = await write(inside)
    allow(lost)
    return { ...counts, failed: inOrder([...failed, ...lost]) }
  })
}

const listed = (failed: BulkFailure[], most: number | undefined) => ({
  failed: failed.slice(0, most),
  failedRows: rowCount(failed),
})

export const rowCount = (failed: readonly BulkFailure[]) => new Set(failed.map(({ row }) => row)).size

export const inOrder = (failed: readonly BulkFailure[]) => failed.toSorted((a, b) => a.row - b.row)

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
