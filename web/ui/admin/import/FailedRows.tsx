import type { BulkFailure, FoundColumn } from '@qatra/contract/lib/upload'
import { useId, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../Button.tsx'
import { DownloadIcon } from '../../icons.tsx'
import { ToolbarButton } from '../ToolbarButton.tsx'
import { failedCsv } from './failed-rows.ts'

const AT_ONCE = 100

interface FailedRowsProps {
  title: string
  failed: readonly BulkFailure[]
  /** Name of a column; null for the whole file. */
  nameOf(field: string): string | null
  /** The file as sent, for a download of the failed rows. */
  file?: File | null
  /** Columns of the file. */
  columns?: readonly FoundColumn[]
}

const noColumns: readonly FoundColumn[] = []

/** Problems by row and column in steps of AT_ONCE, with a download of the failed rows. */
export function FailedRows({ title, failed, nameOf, file, columns = noColumns }: FailedRowsProps) {
  const t = useT()
  const id = useId()
  const [shown, setShown] = useState(AT_ONCE)
  const rest = failed.length - shown

  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-heading">
          {title}
        </h2>
        {file && <DownloadFailed file={file} failed={failed} columns={columns} nameOf={nameOf} />}
      </div>
      <table className="w-full table-fixed border-collapse text-start">
        <thead>
          <tr className="border-b border-line text-caption text-ink-2">
            <th scope="col" className="h-9 w-18 text-start">
              {t('admin.rows.row')}
            </th>
            <th scope="col" className="w-42 text-start max-md:w-28">
              {t('admin.rows.field')}
            </th>
            <th scope="col" className="text-start">
              {t('admin.rows.reason')}
            </th>
          </tr>
        </thead>
        <tbody>
          {failed.slice(0, shown).map(({ row, field, value, reason }, i) => (
            <tr key={`${row}.${field}.${i}`} className="border-b border-line align-top">
              <td className="py-2.5 font-strong">{row === 0 ? '–' : row}</td>
              <td className="py-2.5 wrap-anywhere text-ink-2">
                <bdi className="whitespace-normal">{nameOf(field) ?? t('admin.rows.wholeFile')}</bdi>
                {value && <bdi className="block whitespace-normal text-ink">{value}</bdi>}
              </td>
              <td className="py-2.5 wrap-anywhere">
                <bdi className="whitespace-normal">{reason}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && (
        <Button className="justify-self-center" onClick={() => setShown(shown + AT_ONCE * 5)}>
          {t('admin.rows.more', { count: rest })}
        </Button>
      )}
    </section>
  )
}

/** A file of the failed rows with their reasons. */
export function DownloadFailed({
  file,
  failed,
  columns = noColumns,
  nameOf,
}: Omit<FailedRowsProps, 'title' | 'file'> & { file: File }) {
  const t = useT()
  async function download() {
    const csv = await failedCsv(file, { failed, columns, reason: t('admin.rows.reason'), nameOf })
    const name = `${file.name.replace(/\.\w+$/, '')}-problems.csv`
    saveFile(name, new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <div>
      <ToolbarButton icon={DownloadIcon} onClick={() => void download()}>
        {t('admin.rows.download')}
      </ToolbarButton>
    </div>
  )
}
