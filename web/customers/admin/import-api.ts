import { listCustomers, listCustomerTags } from '@qatra/contract/users/customers'
import {
  CUSTOMER_FILE_BYTES,
  type CustomerColumn,
  type CustomerImportResult,
  customerColumns,
  importCustomers,
  listCustomerImports,
} from '@qatra/contract/users/customers-import'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { type Refused, refusalText } from '../../lib/refusal.ts'
import { sendFile } from '../../lib/send-file.ts'
import { useFileImport } from '../../ui/admin/import/use-file-import.ts'

/** Past imports that the page lists. */
const SHOWN = 20

export const importsQuery = read(listCustomerImports, { query: { limit: SHOWN } })

const nothing: CustomerImportResult = {
  created: 0,
  updated: 0,
  unchanged: 0,
  rows: 0,
  columns: [],
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

/** The text for a refused call. */
export function useImportProblem(): (error: Refused) => string {
  const t = useT()
  return (error) => refusalText(t, error, 'customerImport', 'import')
}

const isColumn = (field: string): field is CustomerColumn => customerColumns.some((column) => column === field)

/** Name of a column of the file; null for the whole file. */
export function useColumnName(): (field: string) => string | null {
  const t = useT()
  return (field) => (isColumn(field) ? t(`customerImport.column.${field}`) : null)
}

/** The steps of an import of customers, of one vendor or of the whole market. */
export function useCustomerImport(vendorId: number | null, onWritten?: () => Promise<unknown>) {
  const queries = useQueryClient()
  return useFileImport({
    send: (sending) => sendFile(importCustomers, sending),
    vendorId,
    bytes: CUSTOMER_FILE_BYTES,
    nothing,
    problemOf: useImportProblem(),
    onWritten: () => Promise.all([forgetCustomers(queries), onWritten?.()]),
  })
}
