import { listCustomers, listCustomerTags } from '@qatra/contract/customers'
import {
  type CustomerColumn,
  type CustomerImportResult,
  customerColumns,
  listCustomerImports,
} from '@qatra/contract/customers-import'
import type { QueryClient } from '@tanstack/react-query'
import { useT } from '../../app/i18n.tsx'
import { type CallError, read } from '../../lib/api-client.ts'

/** Past imports that the page lists. */
const SHOWN = 20

export const importsQuery = read(listCustomerImports, { query: { limit: SHOWN } })

export const nothing: CustomerImportResult = {
  created: 0,
  updated: 0,
  unchanged: 0,
  rows: 0,
  failed: [],
  failedRows: 0,
  kept: [],
  keptRows: 0,
  earlier: null,
  importId: null,
}

/** After an import and its undo: lists, tags and past imports are read again. */
export const forgetCustomers = (queries: QueryClient) =>
  Promise.all(
    [listCustomers.path, listCustomerTags.path, listCustomerImports.path].map((path) =>
      queries.invalidateQueries({ queryKey: [path] }),
    ),
  )

const problems = {
  OFFLINE: 'customerImport.offline',
  TOO_LARGE: 'customerImport.tooLarge',
  TOO_MANY_REQUESTS: 'customerImport.busy',
  IMPORT_UNDONE: 'customerImport.undoneAlready',
} as const

/** The text for a refused call. */
export function useImportProblem(): (error: Pick<CallError, 'code'>) => string {
  const t = useT()
  return ({ code }) => t(code in problems ? problems[code as keyof typeof problems] : 'customerImport.failed')
}

const isColumn = (field: string): field is CustomerColumn => customerColumns.some((column) => column === field)

/** Name of a column of the file; null for the whole file. */
export function useColumnName(): (field: string) => string | null {
  const t = useT()
  return (field) => (isColumn(field) ? t(`customerImport.column.${field}`) : null)
}
