import { type BulkFailure, bulkColumns } from '@qatra/contract/products-bulk'
import { useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { Tool } from '../../ui/admin/Tool.tsx'
import { Button } from '../../ui/Button.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { failedCsv } from './failed-rows.ts'

const AT_ONCE = 100
const known: ReadonlySet<string> = new Set(bulkColumns)

/** Problems by row and column in steps of AT_ONCE, with a download of the failed rows. */
export function BulkProblems({ file, failed }: { file: File | null; failed: readonly BulkFailure[] }) {
  const t = useT()
  const [shown, setShown] = useState(AT_ONCE)
  const rest = failed.length - shown

  async function download() {
    if (!file) return
    const csv = await failedCsv(file, failed, t('adminProducts.bulk.reason'))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
    link.download = `${file.name.replace(/\.\w+$/, '')}-problems.csv`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  }

  return (
    <section aria-labelledby="bulk-problems" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="bulk-problems" className="text-heading">
          {t('adminProducts.bulk.problems')}
        </h2>
        <Tool icon={DownloadIcon} onClick={() => void download()}>
          {t('adminProducts.bulk.download')}
        </Tool>
      </div>
      <table className="w-full table-fixed border-collapse text-start">
        <thead>
          <tr className="border-b border-line text-caption text-ink-2">
            <th scope="col" className="h-9 w-18 text-start">
              {t('adminProducts.bulk.row')}
            </th>
            <th scope="col" className="w-42 text-start max-md:w-28">
              {t('adminProducts.bulk.field')}
            </th>
            <th scope="col" className="text-start">
              {t('adminProducts.bulk.reason')}
            </th>
          </tr>
        </thead>
        <tbody>
          {failed.slice(0, shown).map(({ row, field, reason }, i) => (
            <tr key={`${row}.${field}.${i}`} className="border-b border-line align-top">
              <td className="py-2.5 font-strong">{row === 0 ? '–' : row}</td>
              <td className="py-2.5 wrap-anywhere text-ink-2">
                <bdi dir="ltr" className="whitespace-normal">
                  {known.has(field) ? field : t('adminProducts.bulk.wholeFile')}
                </bdi>
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
          {t('adminProducts.bulk.more', { count: rest })}
        </Button>
      )}
    </section>
  )
}
