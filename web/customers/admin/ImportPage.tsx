import { langs } from '@qatra/contract/lib/lang'
import { CUSTOMER_FILE_BYTES, customerTemplate } from '@qatra/contract/users/customers-import'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Page, PageRequest } from '../../app/page.ts'
import { addressOf, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { FileDrop } from '../../ui/admin/form/FileDrop.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { FailedRows } from '../../ui/admin/import/FailedRows.tsx'
import { ImportProgress } from '../../ui/admin/import/ImportProgress.tsx'
import { ToolbarLink, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { DownloadIcon, StartIcon, WarningIcon } from '../../ui/icons.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { ImportReview } from './ImportReview.tsx'
import { type CustomerImporting, importsQuery, useColumnName, useCustomerImport } from './import-api.ts'
import { PastImports } from './PastImports.tsx'

function ImportPage() {
  const t = useT()
  const [vendorId, setVendorId] = useState<number | null>(null)
  const importing = useCustomerImport(vendorId)
  const { step, file, found, failure } = importing
  const ofFile = { file, columns: found.columns, nameOf: useColumnName() }
  const isShown = step === 'checked' || step === 'done'
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
        <div role="alert" className={failure ? 'flex gap-2 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay' : 'hidden'}>
          {failure && <WarningIcon size={18} aria-hidden="true" className="mt-0.5" />}
          {failure}
        </div>
        {step === 'choose' && <Choose importing={importing} vendorId={vendorId} onVendor={setVendorId} />}
        <ImportProgress {...importing} writing={t('customerImport.writing')} />
        {isShown && <ImportReview importing={importing} />}
        {isShown && found.failed.length > 0 && (
          <FailedRows title={t('import.problems')} {...ofFile} failed={found.failed} />
        )}
        {isShown && found.kept.length > 0 && (
          <FailedRows title={t('customerImport.kept')} {...ofFile} failed={found.kept} />
        )}
        {(step === 'choose' || step === 'done') && <PastImports />}
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
