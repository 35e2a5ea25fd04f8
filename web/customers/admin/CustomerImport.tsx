import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { customerColumns, undoCustomerImport } from '@qatra/contract/users/customers-import'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { ImportCount, ImportSteps } from '../../ui/admin/import/ImportSteps.tsx'
import { PastImports } from '../../ui/admin/import/PastImports.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { forgetCustomers, importsQuery, useColumnName, useCustomerImport } from './import-api.ts'

/** Past imports of customers, with their undo. */
export function PastCustomerImports() {
  const t = useT()
  const queries = useQueryClient()
  return (
    <PastImports
      list={useQuery(importsQuery)}
      undo={(id) => call(undoCustomerImport, { params: { importId: String(id) } })}
      forget={() => void forgetCustomers(queries)}
      nameOf={useColumnName()}
      words={{
        counts: ({ created, updated }) => t('customerImport.past.counts', { created, updated }),
        explained: t('customerImport.undoText'),
        removed: (count) => t('customerImport.undone.removed', { count }),
        restored: (count) => t('customerImport.undone.restored', { count }),
      }}
    />
  )
}

/** The steps of an import of customers. */
export function CustomerImport({ onWritten, children }: { onWritten?: () => Promise<unknown>; children?: ReactNode }) {
  const { t, lang } = useLanguage()
  const [vendorId, setVendorId] = useState<number | null>(null)
  const { options: vendors } = useVendorNames()
  const importing = useCustomerImport(vendorId, onWritten)
  const { created, updated, unchanged, kept, keptRows, failedRows, earlier } = importing.found
  return (
    <>
      <ImportSteps
        importing={importing}
        choose={{
          label: t('customerImport.file'),
          hint: t('customerImport.fileHint'),
          accept: '.xlsx,.csv,.tsv,.txt',
          above: (
            <SelectField
              label={t('customerImport.vendor')}
              hint={t('customerImport.vendor.hint')}
              value={vendorId}
              onChange={(id) => setVendorId(id)}
              options={vendors}
              placeholder={t('customerImport.vendor.none')}
            />
          ),
        }}
        words={{
          writing: t('customerImport.writing'),
          write: t('customerImport.go', { count: created + updated }),
          done: t('customerImport.done', { count: created + updated }),
          doneAll: t('customerImport.doneAll'),
        }}
        notice={
          earlier && (
            <p className="flex gap-2">
              <WarningIcon size={18} aria-hidden="true" className="mt-0.5 text-clay" />
              {t('customerImport.earlier', { time: formatDateTime(new Date(earlier.createdAt), lang) })}
            </p>
          )
        }
        counts={
          <>
            <ImportCount isGood={created > 0}>{t('customerImport.created', { count: created })}</ImportCount>
            {updated > 0 && <ImportCount isGood>{t('customerImport.updated', { count: updated })}</ImportCount>}
            {unchanged > 0 && <ImportCount isGood>{t('customerImport.unchanged', { count: unchanged })}</ImportCount>}
            {keptRows > 0 && <ImportCount>{t('customerImport.keptRows', { count: keptRows })}</ImportCount>}
          </>
        }
        changes={created + updated}
        bad={failedRows}
        link={
          <Link to="/admin/customers" search={{ sort: '-createdAt' }} className={buttonClass('aqua')}>
            {t('customerImport.show')}
          </Link>
        }
        fields={customerColumns}
        required={['phone']}
        note="notes"
        nameOf={useColumnName()}
        kept={{ title: t('customerImport.kept'), failed: kept }}
      />
      {(importing.step === 'choose' || importing.step === 'done') && children}
    </>
  )
}
