import { BULK_BYTES, type BulkResult, bulkProducts } from '@qatra/contract/products/bulk'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../lib/language/i18n.tsx'
import { sendFile } from '../../lib/send-file.ts'
import { useFileImport } from '../../ui/admin/import/use-file-import.ts'
import { renewProducts } from './api.ts'

const nothing: BulkResult = { rows: 0, created: 0, failed: [] }

const problems = {
  OFFLINE: 'import.offline',
  TOO_LARGE: 'adminProducts.bulk.tooLarge',
  FORBIDDEN: 'adminProducts.bulk.forbidden',
  TOO_MANY_REQUESTS: 'import.busy',
} as const

export function useBulk() {
  const t = useT()
  const queries = useQueryClient()
  return useFileImport({
    send: (sending) => sendFile(bulkProducts, sending),
    bytes: BULK_BYTES,
    nothing,
    problemOf: ({ code }) =>
      t(code in problems ? problems[code as keyof typeof problems] : 'adminProducts.bulk.failed'),
    onWritten: () => renewProducts(queries),
  })
}
