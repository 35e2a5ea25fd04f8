import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { Link } from '@tanstack/react-router'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { CheckedImport, DoneImport, ImportCount } from '../../ui/admin/import/ImportReview.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import type { CustomerImporting } from './import-api.ts'

/** What an import will do before it is confirmed, and what it did. */
export function ImportReview({ importing }: { importing: CustomerImporting }) {
  return importing.step === 'done' ? <Done importing={importing} /> : <Checked importing={importing} />
}

function Checked({ importing: { file, found, write, reset } }: { importing: CustomerImporting }) {
  const { t, lang } = useLanguage()
  const { rows, created, updated, unchanged, keptRows, failedRows: bad, earlier, columns } = found
  const isFileWrong = rows === 0
  return (
    <CheckedImport
      file={file}
      notice={
        earlier && (
          <p className="flex gap-2">
            <WarningIcon size={18} aria-hidden="true" className="mt-0.5 text-clay" />
            {t('customerImport.earlier', { time: formatDateTime(new Date(earlier.createdAt), lang) })}
          </p>
        )
      }
      counts={
        isFileWrong ? null : (
          <>
            <ImportCount isGood={created > 0}>{t('customerImport.created', { count: created })}</ImportCount>
            {updated > 0 && <ImportCount isGood>{t('customerImport.updated', { count: updated })}</ImportCount>}
            {unchanged > 0 && <ImportCount isGood>{t('customerImport.unchanged', { count: unchanged })}</ImportCount>}
            {keptRows > 0 && <ImportCount>{t('customerImport.keptRows', { count: keptRows })}</ImportCount>}
          </>
        )
      }
      columns={columns}
      changes={created + updated}
      bad={bad}
      write={t('customerImport.go', { count: created + updated })}
      onWrite={(isPartial) => void write(isPartial)}
      onReset={reset}
    />
  )
}

function Done({ importing: { found, reset } }: { importing: CustomerImporting }) {
  const t = useT()
  const { created, updated, failedRows, columns } = found
  return (
    <DoneImport
      title={t('customerImport.done', { count: created + updated })}
      text={t('customerImport.doneAll')}
      bad={failedRows}
      columns={columns}
      link={
        <Link to="/admin/customers" search={{ sort: '-createdAt' }} className={buttonClass('aqua')}>
          {t('customerImport.show')}
        </Link>
      }
      onReset={reset}
    />
  )
}
