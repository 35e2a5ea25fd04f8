import { type BottleType, listBottleTypes } from '@qatra/contract/products/bottle-types'
import { listCustomers, listCustomerTags } from '@qatra/contract/users/customers'
import {
  CUSTOMER_FILE_BYTES,
  type CustomerColumn,
  type CustomerImportResult,
  customerColumns,
  importCustomers,
  listCustomerImports,
} from '@qatra/contract/users/customers-import'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
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
  bottles: [],
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

const plainColumns = [...customerColumns, 'bottles', 'depositPaid'] as const
const isColumn = (field: string): field is (typeof plainColumns)[number] =>
  plainColumns.some((column) => column === field)

/** Name of a column of the file; null for the whole file. */
export function useColumnName(types: readonly BottleType[] = []): (field: string) => string | null {
  const t = useT()
  const nameIn = useNameIn()
  return (field) => {
    if (isColumn(field)) return t(`customerImport.column.${field}`)
    const type = types.find(({ name }) => field === `bottles:${name}`)
    return type ? t('customerImport.column.bottlesOf', { type: nameIn(type) }) : null
  }
}

/** Types of bottles of which a file of the vendor may have columns. */
export function useOpeningTypes(vendorId: number | null): readonly BottleType[] {
  const { data = [] } = useQuery({
    ...read(listBottleTypes, { query: { vendorId: String(vendorId) } }),
    enabled: vendorId !== null,
  })
  return data.filter((type) => type.isOffered && type.vendorId === vendorId)
}

/** Fields of a file; `bottles` of several types only where a column has it, to be given to one of them. */
export function fieldsWith(types: readonly BottleType[], columns: readonly { field: string | null }[]): string[] {
  if (types.length === 0) return [...customerColumns]
  const named = types.map(({ name }): CustomerColumn => `bottles:${name}`)
  const isUsed = (field: string) => columns.some((column) => column.field === field)
  const ofTypes = types.length === 1 && !named.some(isUsed) ? [] : named
  const plain = ofTypes.length === 0 || isUsed('bottles') ? ['bottles'] : []
  return [...customerColumns, ...plain, ...ofTypes, 'depositPaid']
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
