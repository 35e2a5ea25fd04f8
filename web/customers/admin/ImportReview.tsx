import { formatDateTime } from '@qatra/contract/calendar'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage, useT } from '../../app/i18n.tsx'
import { Segmented } from '../../ui/admin/Segmented.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx'
import type { CustomerImporting } from './import-api.ts'

/** What an import will do before it is confirmed, and what it did. */
export function ImportReview({ importing }: { importing: CustomerImporting }) {
  return importing.step === 'done' ? <Done importing={importing} /> : <Checked importing={importing} />
}

function Checked({ importing: { file, found, write, reset } }: { importing: CustomerImporting }) {
  const { t, lang } = useLanguage()
  const [isPartial, setPartial] = useState(false)
  const heading = useFocusedHeading()
  const { created, updated, unchanged, keptRows, failedRows: bad, earlier } = found
  const isFileWrong = found.rows === 0
  const changes = created + updated
  const reason = changes === 0 ? t('customerImport.noGood') : bad > 0 && !isPartial ? t('customerImport.blocked') : null
  return (
    <section aria-labelledby="import-summary" className="grid gap-4 rounded-l bg-well p-5">
      <div>
        <h2 id="import-summary" ref={heading} tabIndex={-1} className="text-heading">
          {t(isFileWrong ? 'customerImport.fileRefused' : 'customerImport.summary')}
        </h2>
        {file && <bdi className="wrap-anywhere whitespace-normal text-ink-2">{file.name}</bdi>}
      </div>
      {earlier && (
        <p className="flex gap-2">
          <WarningIcon size={18} aria-hidden="true" className="mt-0.5 text-clay" />
          {t('customerImport.earlier', { time: formatDateTime(new Date(earlier.createdAt), lang) })}
        </p>
      )}
      {!isFileWrong && (
        <ul className="grid gap-1.5">
          <Count isGood>{t('customerImport.created', { count: created })}</Count>
          {updated > 0 && <Count isGood>{t('customerImport.updated', { count: updated })}</Count>}
          {unchanged > 0 && <Count isGood>{t('customerImport.unchanged', { count: unchanged })}</Count>}
          {keptRows > 0 && <Count>{t('customerImport.keptRows', { count: keptRows })}</Count>}
          <Count isBad={bad > 0}>{t('customerImport.bad', { count: bad })}</Count>
        </ul>
      )}
      {bad > 0 && changes > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <span>{t('customerImport.mode')}</span>
          <Segmented
            label={t('customerImport.mode')}
            value={isPartial ? 'partial' : 'all'}
            options={[
              { value: 'all', label: t('customerImport.all') },
              { value: 'partial', label: t('customerImport.partial') },
            ]}
            onChange={(mode) => setPartial(mode === 'partial')}
          />
        </div>
      )}
      <div className="flex flex-wrap items-start gap-3">
        {!isFileWrong && (
          <div>
            <Button tone="aqua" reason={reason} onClick={() => void write(isPartial)}>
              {t('customerImport.go', { count: changes })}
            </Button>
          </div>
        )}
        <Button tone="outline" onClick={reset}>
          {t('customerImport.other')}
        </Button>
      </div>
    </section>
  )
}

function Done({ importing: { found, reset } }: { importing: CustomerImporting }) {
  const t = useT()
  const heading = useFocusedHeading()
  const { created, updated, failedRows } = found
  return (
    <section className="grid gap-4 rounded-l bg-gulf-soft p-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-heading">
          <CheckIcon size={22} aria-hidden="true" className="text-aqua-ink" />
          {t('customerImport.done', { count: created + updated })}
        </h2>
        <p className="text-ink-2">
          {failedRows > 0 ? t('customerImport.doneSome', { count: failedRows }) : t('customerImport.doneAll')}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Link to="/admin/customers" search={{ sort: '-createdAt' }} className={buttonClass('aqua')}>
          {t('customerImport.show')}
        </Link>
        <Button tone="outline" onClick={reset}>
          {t('customerImport.other')}
        </Button>
      </div>
    </section>
  )
}

function useFocusedHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}

function Count({ isGood, isBad, children }: { isGood?: boolean; isBad?: boolean; children: ReactNode }) {
  const Sign = isGood ? CheckIcon : WarningIcon
  const colour = isGood ? 'text-aqua-ink' : isBad ? 'text-clay' : 'text-ink-3'
  return (
    <li className="flex items-center gap-2">
      <Sign size={18} aria-hidden="true" className={colour} />
      {children}
    </li>
  )
}
