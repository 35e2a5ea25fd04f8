import type { BulkFailure, FileReading } from '@qatra/contract/lib/upload'
import { useId, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import type { PlanChoice } from './use-file-import.ts'

/** Rows that a person may ask for. */
const MOST_SHOWN = 200

type ReadValue = FileReading['preview'][number]['cells'][string]['read']

/** The pressed cell becomes the field. */
function focus(input: HTMLInputElement | null): void {
  input?.focus()
}

interface RowPreviewProps {
  reading: FileReading
  rows: number
  failed: readonly BulkFailure[]
  cells: PlanChoice['cells']
  fields: readonly string[]
  nameOf(field: string): string | null
  /** How a value is written, where not as it is. */
  show?: ((field: string, value: Exclude<ReadValue, null>) => string | null) | undefined
  onEdit(cells: PlanChoice['cells']): void
  onMore(shown: number): void
}

/** The first rows as they would be stored; each cell can be corrected in place. */
export function RowPreview(props: RowPreviewProps) {
  const { reading, rows, failed, cells, fields, nameOf, show, onEdit, onMore } = props
  const t = useT()
  const id = useId()
  const [edited, setEdited] = useState<string | null>(null)
  const { preview } = reading
  const shownFields = fields.filter((field) => preview.some((row) => field in row.cells))
  const textOf = (field: string, value: ReadValue) => {
    if (value === null) return null
    const own = show?.(field, value)
    if (own) return own
    return typeof value === 'boolean' ? t(value ? 'import.yes' : 'import.no') : String(value)
  }
  const wrong = new Map(failed.map((each) => [`${each.row} ${each.field}`, each.reason]))
  function save(row: number, field: string, value: string, before: string) {
    setEdited(null)
    if (value.trim() === before) return
    onEdit([...cells.filter((each) => each.row !== row || each.field !== field), { row, field, value }])
  }
  if (preview.length === 0) return null
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="flex flex-wrap items-baseline gap-x-2 text-heading">
        {t('import.preview', { count: preview.length })}
        <span className="text-label font-normal text-ink-3">{t('import.preview.hint')}</span>
      </h2>
      <div className="overflow-x-auto">
        <table className="w-full border-collapse text-start text-label">
          <thead>
            <tr className="border-b border-line text-caption text-ink-2">
              <th scope="col" className="h-9 pe-3 text-start">
                {t('admin.rows.row')}
              </th>
              {shownFields.map((field) => (
                <th key={field} scope="col" className="pe-3 text-start whitespace-nowrap">
                  {nameOf(field) ?? field}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.map(({ row, cells: read }) => (
              <tr key={row} className="border-b border-line">
                <td className="pe-3 text-ink-3">{row}</td>
                {shownFields.map((field) => {
                  const key = `${row} ${field}`
                  const cell = read[field]
                  const written = cell?.written ?? ''
                  const text = textOf(field, cell?.read ?? null)
                  const label = t('import.preview.editOf', { field: nameOf(field) ?? field, row })
                  return (
                    <td key={field} className="h-11 pe-3">
                      {edited === key ? (
                        <input
                          ref={focus}
                          aria-label={label}
                          dir="auto"
                          defaultValue={written}
                          className="h-9 w-full min-w-24 rounded-s bg-surface px-2 inset-ring-2 inset-ring-focus outline-none"
                          onBlur={({ target }) => save(row, field, target.value, written)}
                          onKeyDown={(event) => {
                            if (event.key === 'Enter') save(row, field, event.currentTarget.value, written)
                            if (event.key === 'Escape') setEdited(null)
                          }}
                        />
                      ) : (
                        <button
                          type="button"
                          className={classes(
                            'relative min-h-8 w-full min-w-8 rounded-s px-1 text-start hover:bg-well max-md:min-h-tap max-md:min-w-11',
                            wrong.has(key) && 'text-clay inset-ring-2 inset-ring-clay',
                          )}
                          onClick={() => setEdited(key)}
                        >
                          <span className="sr-only">
                            {[label, wrong.get(key), ''].filter((part) => part !== undefined).join(': ')}
                          </span>
                          {wrong.has(key) ? (
                            <bdi>{written || t('import.preview.missing')}</bdi>
                          ) : (
                            <>
                              {text !== null && text !== written && written !== '' && (
                                <s className="me-1.5 text-ink-3">
                                  <bdi className="whitespace-normal">{written}</bdi>
                                </s>
                              )}
                              <bdi
                                className={classes(
                                  'whitespace-normal',
                                  text !== null && text !== written && 'font-strong',
                                )}
                              >
                                {text ?? written}
                              </bdi>
                            </>
                          )}
                        </button>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2 flex flex-wrap items-center justify-between gap-2 text-label text-ink-3">
        {rows > preview.length && preview.length < MOST_SHOWN && (
          <button
            type="button"
            className="min-h-6 text-aqua-ink hover:underline max-md:min-h-tap"
            onClick={() => onMore(preview.length === 5 ? 50 : MOST_SHOWN)}
          >
            {t('import.preview.more')}
          </button>
        )}
        <span>{t('import.preview.edit')}</span>
      </p>
    </section>
  )
}
