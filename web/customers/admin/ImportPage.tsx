import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { langs } from '@qatra/contract/lib/lang'
import { CUSTOMER_FILE_BYTES, customerTemplate } from '@qatra/contract/users/customers-import'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Page, PageRequest } from '../../app/page.ts'
import { addressOf, read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { FileDrop } from '../../ui/admin/form/FileDrop.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { ImportCount, ImportSteps } from '../../ui/admin/import/ImportSteps.tsx'
import { ToolbarLink, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { DownloadIcon, StartIcon, WarningIcon } from '../../ui/icons.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { type CustomerImporting, importsQuery, useColumnName, useCustomerImport } from './import-api.ts'
import { PastImports } from './PastImports.tsx'

function ImportPage() {
  const { t, lang } = useLanguage()
  const [vendorId, setVendorId] = useState<number | null>(null)
  const importing = useCustomerImport(vendorId)
  const { created, updated, unchanged, kept, keptRows, failedRows, earlier } = importing.found
  return (
    <AdminPageLayout
      narrow
      title={t('customerImport.title')}
      actions={
        <>
          {langs.map((lang) => (
            <ToolbarLink
              key={lang}
              icon={DownloadIcon}
              download
              href={addressOf(customerTemplate.path, { query: { lang } })}
            >
              {t(`customerImport.template.${lang}`)}
            </ToolbarLink>
          ))}
          <Link to="/admin/customers" className={toolbarButtonClass()}>
            <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
            {t('customerImport.back')}
          </Link>
        </>
      }
    >
      <div className="grid gap-6 pt-2">
        <ImportSteps
          importing={importing}
          choose={<Choose importing={importing} vendorId={vendorId} onVendor={setVendorId} />}
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
          nameOf={useColumnName()}
          kept={{ title: t('customerImport.kept'), failed: kept }}
        />
        {(importing.step === 'choose' || importing.step === 'done') && <PastImports />}
      </div>
    </AdminPageLayout>
  )
}

interface ChooseProps {
  importing: CustomerImporting
  vendorId: number | null
  onVendor(id: number | null): void
}

function Choose({ importing: { file, check }, vendorId, onVendor }: ChooseProps) {
  const t = useT()
  const { options } = useVendorNames()
  return (
    <>
      <SelectField
        label={t('customerImport.vendor')}
        hint={t('customerImport.vendor.hint')}
        value={vendorId}
        onChange={onVendor}
        options={options}
        placeholder={t('customerImport.vendor.none')}
      />
      <FileDrop
        label={t('customerImport.file')}
        hint={t('customerImport.fileHint')}
        accept=".xlsx,.csv"
        megabytes={CUSTOMER_FILE_BYTES / 1_000_000}
        value={file}
        onChange={(chosen) => chosen && void check(chosen)}
      />
    </>
  )
}

async function load({ queries }: PageRequest) {
  await Promise.all([queries.ensureQueryData(read(listVendors)), queries.ensureQueryData(importsQuery)])
}

export const page: Page = {
  Component: ImportPage,
  load,
  head: ({ t }) => ({ title: t('customerImport.title'), hidden: true }),
}
