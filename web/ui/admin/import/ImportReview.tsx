import type { FoundColumn } from '@qatra/contract/lib/upload'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { Button } from '../../Button.tsx'
import { CheckIcon, WarningIcon } from '../../icons.tsx'
import { Segmented } from '../Segmented.tsx'

interface CheckedImportProps {
  file: File | null
  /** Above the counts. */
  notice?: ReactNode
  /** Columns of the file. */
  columns: readonly FoundColumn[]
  /** `ImportCount`s of what would be written; null if no row could be read. */
  counts: ReactNode
  /** Rows that would be written. */
  changes: number
  /** Rows with an error. */
  bad: number
  /** Of the button. */
  write: string
  onWrite(isPartial: boolean): void
  onReset(): void
}

/** What an import will do, before it is confirmed. */
export function CheckedImport(props: CheckedImportProps) {
  const { file, notice, columns, counts, changes, bad, write, onWrite, onReset } = props
  const t = useT()
  const [isPartial, setPartial] = useState(false)
  const heading = useFocusedHeading()
  const reason = changes === 0 ? t('import.noGood') : bad > 0 && !isPartial ? t('import.blocked') : null
  return (
    <section aria-labelledby="import-summary" className="grid gap-4 rounded-l bg-well p-5">
      <div>
        <h2 id="import-summary" ref={heading} tabIndex={-1} className="text-heading">
          {t(counts ? 'import.summary' : 'import.fileRefused')}
        </h2>
        {file && <bdi className="wrap-anywhere whitespace-normal text-ink-2">{file.name}</bdi>}
      </div>
      {notice}
      {counts && (
        <ul className="grid gap-1.5">
          {counts}
          <ImportCount isBad={bad > 0}>{t('import.bad', { count: bad })}</ImportCount>
        </ul>
      )}
      <UnusedColumns columns={columns} />
      {bad > 0 && changes > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <span>{t('import.mode')}</span>
          <Segmented
            label={t('import.mode')}
            value={isPartial ? 'partial' : 'all'}
            options={[
              { value: 'all', label: t('import.all') },
              { value: 'partial', label: t('import.partial') },
            ]}
            onChange={(mode) => setPartial(mode === 'partial')}
          />
        </div>
      )}
      <div className="flex flex-wrap items-start gap-3">
        {counts && (
          <div>
            <Button tone="aqua" reason={reason} onClick={() => onWrite(isPartial)}>
              {write}
            </Button>
          </div>
        )}
        <Button tone="outline" onClick={onReset}>
          {t('import.other')}
        </Button>
      </div>
    </section>
  )
}

interface ImportCountProps {
  isGood?: boolean
  isBad?: boolean
  children: ReactNode
}

export function ImportCount({ isGood, isBad, children }: ImportCountProps) {
  const Sign = isGood ? CheckIcon : WarningIcon
  const colour = isGood ? 'text-aqua-ink' : isBad ? 'text-clay' : 'text-ink-3'
  return (
    <li className="flex items-center gap-2">
      <Sign size={18} aria-hidden="true" className={colour} />
      {children}
    </li>
  )
}

/** Names the columns whose values are not taken, so that nothing is left out in silence. */
function UnusedColumns({ columns }: { columns: readonly FoundColumn[] }) {
  const t = useT()
  const unused = columns.flatMap(({ heading, field }) => (field === null ? [heading] : []))
  if (unused.length === 0) return null
  return (
    <div className="flex gap-2">
      <WarningIcon size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-clay" />
      <div className="min-w-0">
        <p>{t('import.unused', { count: unused.length })}</p>
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {unused.map((heading, i) => (
            <li key={`${i}.${heading}`} className="font-strong wrap-anywhere">
              <bdi className="whitespace-normal">{heading}</bdi>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

interface DoneImportProps {
  title: string
  /** If no row was left out. */
  text: string
  /** Rows with an error. */
  bad: number
  /** Columns of the file. */
  columns: readonly FoundColumn[]
  /** Leads to the written rows. */
  link: ReactNode
  onReset(): void
}

/** What an import did. */
export function DoneImport({ title, text, bad, columns, link, onReset }: DoneImportProps) {
  const t = useT()
  const heading = useFocusedHeading()
  return (
    <section className="grid gap-4 rounded-l bg-gulf-soft p-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-heading">
          <CheckIcon size={22} aria-hidden="true" className="text-aqua-ink" />
          {title}
        </h2>
        <p className="text-ink-2">{bad > 0 ? t('import.doneSome', { count: bad }) : text}</p>
      </div>
      <UnusedColumns columns={columns} />
      <div className="flex flex-wrap gap-3">
        {link}
        <Button tone="outline" onClick={onReset}>
          {t('import.other')}
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
