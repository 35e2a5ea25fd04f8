import { BULK_BYTES, type BulkResult, bulkProducts } from '@qatra/contract/products/bulk'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { sendFile } from '../../lib/send-file.ts'
import { useFileImport } from '../../ui/admin/import/use-file-import.ts'
import { renewProducts } from './api.ts'

const nothing: BulkResult = { rows: 0, created: 0, failed: [], columns: [] }

/** The steps of an upload; rows that name no vendor are of this one. */
export function useBulk(vendorId: number | null) {
  const t = useT()
  const queries = useQueryClient()
  return useFileImport({
    send: ({ query, ...sending }) =>
      sendFile(bulkProducts, { ...sending, query: { ...query, ...(vendorId && { vendorId: String(vendorId) }) } }),
    bytes: BULK_BYTES,
    nothing,
    problemOf: (error) => refusalText(t, error, 'adminProducts.bulk', 'import'),
    onWritten: () => renewProducts(queries),
  })
}
