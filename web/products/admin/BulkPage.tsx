import { BULK_BYTES, bulkColumns, bulkTemplate } from '@qatra/contract/products-bulk'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import type { Page } from '../../app/page.ts'
import { Desk } from '../../ui/admin/Desk.tsx'
import { FailedRows } from '../../ui/admin/FailedRows.tsx'
import { FileDrop } from '../../ui/admin/FileDrop.tsx'
import { reasonsByRow } from '../../ui/admin/failed-rows.ts'
import { ImportProgress } from '../../ui/admin/ImportProgress.tsx'
import { Segmented } from '../../ui/admin/Segmented.tsx'
import { ToolLink } from '../../ui/admin/Tool.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { CheckIcon, DownloadIcon, WarningIcon } from '../../ui/icons.tsx'
import { BackLink } from './BackLink.tsx'
import { useBulk } from './use-bulk.ts'

type Bulk = ReturnType<typeof useBulk>
const columns: ReadonlySet<string> = new Set(bulkColumns)

function BulkPage() {
  const t = useT()
  const bulk = useBulk()
  const { step, file, found, failure } = bulk
  return (
    <Desk
      narrow
      title={t('adminProducts.bulk.title')}
      actions={
        <>
          <ToolLink icon={DownloadIcon} href={bulkTemplate.path} download="products.csv">
            {t('adminProducts.bulk.template')}
          </ToolLink>
          <BackLink />
        </>
      }
    >
      <div className="grid gap-6 pt-2">
        <div role="alert" className={failure ? 'flex gap-2 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay' : 'hidden'}>
          {failure && <WarningIcon size={18} aria-hidden="true" className="mt-0.5" />}
          {failure}
        </div>
        {step === 'choose' && <Choose bulk={bulk} />}
        <ImportProgress
          {...bulk}
          words={{
            sending: (percent) => t('adminProducts.bulk.sending', { percent }),
            checking: t('adminProducts.bulk.checking'),
            writing: t('adminProducts.bulk.writing'),
          }}
        />
        {step === 'checked' && <Checked bulk={bulk} />}
        {step === 'done' && <Done bulk={bulk} />}
        {(step === 'checked' || step === 'done') && found.failed.length > 0 && (
          <FailedRows
            title={t('adminProducts.bulk.problems')}
            file={file}
            failed={found.failed}
            nameOf={(field) => (columns.has(field) ? field : null)}
          />
        )}
      </div>
    </Desk>
  )
}

function Choose({ bulk: { file, check } }: { bulk: Bulk }) {
  const t = useT()
  const [text, setText] = useState('')
  const pasted = () => new File([text], /^\s*[[{]/.test(text) ? 'pasted.json' : 'pasted.csv')
  return (
    <>
      <FileDrop
        label={t('adminProducts.bulk.file')}
        hint={t('adminProducts.bulk.fileHint')}
        accept=".csv,.json"
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

function Checked({ bulk: { file, found, write, reset } }: { bulk: Bulk }) {
  const t = useT()
  const [isPartial, setPartial] = useState(false)
  const bad = reasonsByRow(found.failed).size
  const isFileWrong = found.rows === 0
  const good = isFileWrong ? 0 : found.rows - bad
  const { updated = 0 } = found
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const reason =
    good === 0 ? t('adminProducts.bulk.noGood') : bad > 0 && !isPartial ? t('adminProducts.bulk.blocked') : null
  return (
    <section aria-labelledby="bulk-summary" className="grid gap-4 rounded-l bg-well p-5">
      <div>
        <h2 id="bulk-summary" ref={heading} tabIndex={-1} className="text-heading">
          {t(isFileWrong ? 'adminProducts.bulk.fileRefused' : 'adminProducts.bulk.summary')}
        </h2>
        {file && <bdi className="wrap-anywhere whitespace-normal text-ink-2">{file.name}</bdi>}
      </div>
      {!isFileWrong && (
        <ul className="grid gap-1.5">
          <li className="flex items-center gap-2">
            <CheckIcon size={18} aria-hidden="true" className="text-aqua-ink" />
            {t('adminProducts.bulk.good', { count: good - updated })}
          </li>
          {updated > 0 && (
            <li className="flex items-center gap-2">
              <CheckIcon size={18} aria-hidden="true" className="text-aqua-ink" />
              {t('adminProducts.bulk.changes', { count: updated })}
            </li>
          )}
          <li className="flex items-center gap-2">
            <WarningIcon size={18} aria-hidden="true" className={bad > 0 ? 'text-clay' : 'text-ink-3'} />
            {t('adminProducts.bulk.bad', { count: bad })}
          </li>
        </ul>
      )}
      {bad > 0 && good > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <span>{t('adminProducts.bulk.mode')}</span>
          <Segmented
            label={t('adminProducts.bulk.mode')}
            value={isPartial ? 'partial' : 'all'}
            options={[
              { value: 'all', label: t('adminProducts.bulk.all') },
              { value: 'partial', label: t('adminProducts.bulk.partial') },
            ]}
            onChange={(mode) => setPartial(mode === 'partial')}
          />
        </div>
      )}
      <div className="flex flex-wrap items-start gap-3">
        {!isFileWrong && (
          <div>
            <Button tone="aqua" reason={reason} onClick={() => void write(isPartial)}>
              {t(updated > 0 ? 'adminProducts.bulk.save' : 'adminProducts.bulk.go', { count: good })}
            </Button>
          </div>
        )}
        <Button tone="outline" onClick={reset}>
          {t('adminProducts.bulk.other')}
        </Button>
      </div>
    </section>
  )
}

function Done({ bulk: { found, reset } }: { bulk: Bulk }) {
  const t = useT()
  const heading = useRef<HTMLHeadingElement>(null)
  const bad = reasonsByRow(found.failed).size
  const { updated = 0 } = found
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="grid gap-4 rounded-l bg-gulf-soft p-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-heading">
          <CheckIcon size={22} aria-hidden="true" className="text-aqua-ink" />
          {updated > 0
            ? t('adminProducts.bulk.saved', { count: found.created + updated })
            : t('adminProducts.bulk.done', { count: found.created })}
        </h2>
        <p className="text-ink-2">
          {bad > 0 ? t('adminProducts.bulk.doneSome', { count: bad }) : t('adminProducts.bulk.doneAll')}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Link to="/admin/products" search={{ sort: '-updatedAt' }} className={buttonClass('aqua')}>
          {t('adminProducts.bulk.show')}
        </Link>
        <Button tone="outline" onClick={reset}>
          {t('adminProducts.bulk.other')}
        </Button>
      </div>
    </section>
  )
}

export const page: Page = {
  Component: BulkPage,
  head: ({ t }) => ({ title: t('adminProducts.bulk.title'), hidden: true }),
}
