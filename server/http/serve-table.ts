import { type AnyEndpoint, type Parsed, workbookOf } from '@qatra/contract/endpoint'
import type { Ctx } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { attachment } from '../lib/csv.ts'
import { csvFile, type Table, workbookFile } from '../lib/table-file.ts'
import type { App } from './runtime.ts'
import { serve } from './serve.ts'

type ExportedList =
  | 'orders'
  | 'customers'
  | 'bottles'
  | 'products'
  | 'audit'
  | 'campaign'
  | 'cash-day'
  | 'corrections'
  | 'payments'
  | 'vat'
  | 'conversations'

interface Filters {
  vendorId?: number | undefined
  [filter: string]: unknown
}

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Masks the search text, which can be a name or phone: the log is kept longer than personal data. */
const recorded = (field: string, value: unknown) => (field === 'search' ? '•••' : value)

/** Writes the audit entry of an export with its filters, before the first row is read. */
async function auditExport(ctx: Ctx, list: ExportedList, { lang: _, ...filters }: Filters): Promise<void> {
  await emit(ctx, {
    name: 'list.exported',
    action: 'exported',
    resource: 'export',
    id: list,
    ...(filters.vendorId ? { vendorId: filters.vendorId } : {}),
    changes: Object.entries(filters).flatMap(([field, to]) =>
      isGiven(to) ? [{ field, from: null, to: recorded(field, to) }] : [],
    ),
  })
}

interface TableAnswer {
  /** For the audit log, with the filters. */
  list: ExportedList
  filters: Filters
  /** Of the file, without its ending. */
  name: string
  table: Table
}

/** Registers an endpoint that answers the rows of a table, and its workbook. Each export is written to the audit log. */
export function serveTable<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  read: (ctx: Ctx, input: Parsed<E>) => TableAnswer | Promise<TableAnswer>,
) {
  const formats = [
    { ending: 'csv', served: endpoint, write: csvFile },
    { ending: 'xlsx', served: workbookOf(endpoint), write: workbookFile },
  ]
  for (const { ending, served, write } of formats)
    serve<AnyEndpoint>(app, served, async (ctx, input) => {
      const { list, filters, name, table } = await read(ctx, input as Parsed<E>) // `served` has the schemas of `endpoint`
      await auditExport(ctx, list, filters)
      const file = await write(table)
      ctx.setHeader('content-disposition', attachment(`${name}.${ending}`))
      return file
    })
}
