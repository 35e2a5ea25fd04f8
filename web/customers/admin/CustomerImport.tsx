import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { BottleType } from '@qatra/contract/products/bottle-types'
import { type CustomerImportResult, customerTemplate, undoCustomerImport } from '@qatra/contract/users/customers-import'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { addressOf, call } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { ImportCount, ImportSteps } from '../../ui/admin/import/ImportSteps.tsx'
import { PastImports } from '../../ui/admin/import/PastImports.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import {
  fieldsWith,
  forgetCustomers,
  importsQuery,
  useColumnName,
  useCustomerImport,
  useOpeningTypes,
} from './import-api.ts'

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
  const { created, updated, unchanged, kept, keptRows, failedRows, earlier, bottles, reading } = importing.found
  const types = useOpeningTypes(vendorId)
  const nameIn = useNameIn()
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
          below: types[0] && (
            <p className="text-label text-ink-2">
              {t('customerImport.bottles.hint', { type: nameIn(types[0]) })}{' '}
              <a
                download
                className="text-aqua-ink hover:underline"
                href={addressOf(customerTemplate.path, { query: { lang, vendorId: String(vendorId) } })}
              >
                {t('customerImport.bottles.template')}
              </a>
            </p>
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
            {bottles.map((opened) => (
              <OpenedBottles key={opened.typeId} opened={opened} type={types.find(({ id }) => id === opened.typeId)} />
            ))}
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
        fields={fieldsWith(types, reading?.columns ?? [])}
        required={['phone']}
        note="notes"
        nameOf={useColumnName(types)}
        kept={{ title: t('customerImport.kept'), failed: kept }}
      />
      {(importing.step === 'choose' || importing.step === 'done') && children}
    </>
  )
}

interface OpenedBottlesProps {
  opened: CustomerImportResult['bottles'][number]
  type: BottleType | undefined
}

/** The opening balance of a type, and what it says about deposits. */
function OpenedBottles({ opened: { count, customers, deposit }, type }: OpenedBottlesProps) {
  const t = useT()
  const nameIn = useNameIn()
  return (
    <ImportCount isGood>
      <span>
        {t('customerImport.bottles', { type: type ? nameIn(type) : '', count, customers })}
        <span className="block text-ink-3">
          {deposit > 0 ? (
            <>
              {t('customerImport.depositHeld')} <Money bhd={deposit} />
            </>
          ) : (
            t('customerImport.depositNone')
          )}
        </span>
      </span>
    </ImportCount>
  )
}
