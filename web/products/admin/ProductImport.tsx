import {
  BULK_BYTES,
  type BulkColumn,
  type BulkResult,
  bulkColumns,
  bulkProducts,
  listProductImports,
  undoProductImport,
} from '@qatra/contract/products/bulk'
import { formatAmount, fromBhd } from '@qatra/contract/lib/money'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { sendFile } from '../../lib/send-file.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { reasonsByRow } from '../../ui/admin/import/failed-rows.ts'
import { ImportCount, ImportSteps } from '../../ui/admin/import/ImportSteps.tsx'
import { PastImports } from '../../ui/admin/import/PastImports.tsx'
import { PasteField } from '../../ui/admin/import/PasteField.tsx'
import { useFileImport } from '../../ui/admin/import/use-file-import.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { renewProducts, useAdminVendors } from './api.ts'

const nothing: BulkResult = { rows: 0, created: 0, failed: [], columns: [] }

/** The steps of an upload; rows that name no vendor are of this one. */
function useBulk(vendorId: number | null, onWritten?: () => Promise<unknown>) {
  const t = useT()
  const queries = useQueryClient()
  return useFileImport({
    send: (sending) => sendFile(bulkProducts, sending),
    vendorId,
    bytes: BULK_BYTES,
    nothing,
    problemOf: (error) => refusalText(t, error, 'adminProducts.bulk', 'import'),
    onWritten: () => Promise.all([renewProducts(queries), onWritten?.()]),
  })
}

/** Past uploads, with their undo. */
function PastProductImports({ nameOf }: { nameOf: (field: string) => string | null }) {
  const t = useT()
  const queries = useQueryClient()
  return (
    <PastImports
      list={useQuery(read(listProductImports))}
      undo={(id) => call(undoProductImport, { params: { importId: String(id) } })}
      forget={() => void renewProducts(queries)}
      nameOf={nameOf}
      words={{
        counts: ({ created, updated }) => t('adminProducts.bulk.past.counts', { created, updated }),
        explained: t('adminProducts.bulk.undoText'),
        removed: (count) => t('adminProducts.bulk.undone.removed', { count }),
        restored: (count) => t('adminProducts.bulk.undone.restored', { count }),
      }}
    />
  )
}

const isColumn = (field: string): field is BulkColumn => bulkColumns.some((column) => column === field)

/** The steps of an upload of products: of one vendor, or of those that the file names. */
export function ProductImport({ onWritten }: { onWritten?: () => Promise<unknown> }) {
  const t = useT()
  const nameIn = useNameIn()
  const [chosen, setChosen] = useState<number | null>(null)
  const isSuper = useUser()?.role === 'super_admin'
  const vendors = useAdminVendors()
  const only = vendors.length === 1 ? (vendors[0]?.id ?? null) : null
  // The server knows the vendor of its own people.
  const vendorId = isSuper ? (chosen ?? only) : null
  const bulk = useBulk(vendorId, onWritten)
  const { rows, failed, created, updated = 0 } = bulk.found
  const bad = reasonsByRow(failed).size
  const good = Math.max(rows - bad - (bulk.found.reading?.skipped ?? 0), 0)
  const nameOf = (field: string) => (isColumn(field) ? t(`adminProducts.column.${field}`) : null)
  return (
    <div className="grid gap-6">
      <ImportSteps
        importing={bulk}
        choose={{
          label: t('adminProducts.bulk.file'),
          hint: t('adminProducts.bulk.fileHint'),
          accept: '.xlsx,.csv,.tsv,.txt,.json',
          above: isSuper && only === null && (
            <SelectField
              label={t('adminProducts.bulk.vendor')}
              hint={t('adminProducts.bulk.vendorHint')}
              value={vendorId}
              onChange={(id) => setChosen(id)}
              options={vendors.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
              placeholder={t('adminProducts.bulk.vendorInFile')}
            />
          ),
          below: (
            <PasteField
              label={t('adminProducts.bulk.paste')}
              hint={t('adminProducts.bulk.pasteHint')}
              submit={t('adminProducts.bulk.check')}
              dir="ltr"
              nameOf={(text) => (/^\s*[[{]/.test(text) ? 'pasted.json' : 'pasted.csv')}
              onText={(file) => void bulk.check(file)}
            />
          ),
        }}
        words={{
          writing: t('adminProducts.bulk.writing'),
          write: t(updated > 0 ? 'adminProducts.bulk.save' : 'adminProducts.bulk.go', { count: good }),
          done:
            updated > 0
              ? t('adminProducts.bulk.saved', { count: created + updated })
              : t('adminProducts.bulk.done', { count: created }),
          doneAll: t('adminProducts.bulk.doneAll'),
        }}
        counts={
          <>
            <ImportCount isGood={good > updated}>{t('adminProducts.bulk.good', { count: good - updated })}</ImportCount>
            {updated > 0 && <ImportCount isGood>{t('adminProducts.bulk.changes', { count: updated })}</ImportCount>}
          </>
        }
        changes={good}
        bad={bad}
        link={
          <Link to="/admin/products" search={{ sort: '-updatedAt' }} className={buttonClass('aqua')}>
            {t('adminProducts.bulk.show')}
          </Link>
        }
        fields={bulkColumns}
        required={['name', 'price', 'size']}
        without={{ imageUrl: t('adminProducts.bulk.drawn') }}
        show={(field, value) => (field === 'price' && typeof value === 'number' ? formatAmount(fromBhd(value)) : null)}
        nameOf={nameOf}
      />
      {(bulk.step === 'choose' || bulk.step === 'done') && <PastProductImports nameOf={nameOf} />}
    </div>
  )
}
