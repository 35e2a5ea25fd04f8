import {
  BULK_BYTES,
  type BulkColumn,
  type BulkResult,
  bulkColumns,
  bulkProducts,
  bulkTemplate,
} from '@qatra/contract/products/bulk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { sendFile } from '../../lib/send-file.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { FileDrop } from '../../ui/admin/form/FileDrop.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { reasonsByRow } from '../../ui/admin/import/failed-rows.ts'
import { ImportCount, ImportSteps } from '../../ui/admin/import/ImportSteps.tsx'
import { type FileImport, useFileImport } from '../../ui/admin/import/use-file-import.ts'
import { ToolbarLink } from '../../ui/admin/ToolbarButton.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { renewProducts, useAdminVendors } from './api.ts'
import { BackLink } from './BackLink.tsx'

const nothing: BulkResult = { rows: 0, created: 0, failed: [], columns: [] }

/** The steps of an upload; rows that name no vendor are of this one. */
function useBulk(vendorId: number | null) {
  const t = useT()
  const queries = useQueryClient()
  return useFileImport({
    send: (sending) => sendFile(bulkProducts, sending),
    vendorId,
    bytes: BULK_BYTES,
    nothing,
    problemOf: (error) => refusalText(t, error, 'adminProducts.bulk', 'import'),
    onWritten: () => renewProducts(queries),
  })
}

type Bulk = FileImport<BulkResult>
const isColumn = (field: string): field is BulkColumn => bulkColumns.some((column) => column === field)

function BulkPage() {
  const t = useT()
  const [chosen, setChosen] = useState<number | null>(null)
  const isSuper = useUser()?.role === 'super_admin'
  const vendors = useAdminVendors()
  const only = vendors.length === 1 ? (vendors[0]?.id ?? null) : null
  // The server knows the vendor of its own people.
  const vendorId = isSuper ? (chosen ?? only) : null
  const bulk = useBulk(vendorId)
  const { rows, failed, created, updated = 0 } = bulk.found
  const bad = reasonsByRow(failed).size
  const good = Math.max(rows - bad, 0)
  return (
    <AdminPageLayout
      narrow
      title={t('adminProducts.bulk.title')}
      actions={
        <>
          <ToolbarLink icon={DownloadIcon} href={bulkTemplate.path} download="products.csv">
            {t('adminProducts.bulk.template')}
          </ToolbarLink>
          <BackLink />
        </>
      }
    >
      <div className="grid gap-6 pt-2">
        <ImportSteps
          importing={bulk}
          choose={<Choose bulk={bulk} vendorId={vendorId} onVendor={setChosen} />}
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
              <ImportCount isGood={good > updated}>
                {t('adminProducts.bulk.good', { count: good - updated })}
              </ImportCount>
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
          nameOf={(field) => (isColumn(field) ? t(`adminProducts.column.${field}`) : null)}
        />
      </div>
    </AdminPageLayout>
  )
}

interface ChooseProps {
  bulk: Bulk
  vendorId: number | null
  onVendor(id: number | null): void
}

function Choose({ bulk: { file, check }, vendorId, onVendor }: ChooseProps) {
  const t = useT()
  const nameIn = useNameIn()
  const vendors = useAdminVendors()
  const isSuper = useUser()?.role === 'super_admin'
  const [text, setText] = useState('')
  const pasted = () => new File([text], /^\s*[[{]/.test(text) ? 'pasted.json' : 'pasted.csv')
  return (
    <>
      {isSuper && (
        <SelectField
          label={t('adminProducts.bulk.vendor')}
          hint={t('adminProducts.bulk.vendorHint')}
          value={vendorId}
          onChange={onVendor}
          options={vendors.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
          placeholder={t('adminProducts.bulk.vendorInFile')}
        />
      )}
      <FileDrop
        label={t('adminProducts.bulk.file')}
        hint={t('adminProducts.bulk.fileHint')}
        accept=".xlsx,.csv,.json"
        megabytes={BULK_BYTES / 1_000_000}
        value={file}
        onChange={(chosen) => chosen && void check(chosen)}
      />
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') void check(pasted())
        }}
      >
        <TextArea
          label={t('adminProducts.bulk.paste')}
          hint={t('adminProducts.bulk.pasteHint')}
          dir="ltr"
          rows={5}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" tone="aqua" className="justify-self-start">
          {t('adminProducts.bulk.check')}
        </Button>
      </form>
    </>
  )
}

export const page: Page = {
  Component: BulkPage,
  head: ({ t }) => ({ title: t('adminProducts.bulk.title'), hidden: true }),
}
