import type { BulkFailure } from '@qatra/contract/lib/upload'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { Button } from '../../Button.tsx'
import { CheckIcon, WarningIcon } from '../../icons.tsx'
import { Progress } from '../../Progress.tsx'
import { Segmented } from '../Segmented.tsx'
import { FailedRows } from './FailedRows.tsx'
import type { FileImport, Found } from './use-file-import.ts'

interface ImportStepsProps {
  importing: FileImport<Found>
  /** Where the file is chosen. */
  choose: ReactNode
  words: {
    writing: string
    /** Of the button. */
    write: string
    done: string
    /** If no row was left out. */
    doneAll: string
  }
  /** Above the counts. */
  notice?: ReactNode
  /** `ImportCount`s of what would be written. */
  counts: ReactNode
  /** Rows that would be written. */
  changes: number
  /** Rows with an error. */
  bad: number
  /** Leads to the written rows. */
  link: ReactNode
  /** Name of a column; null for the whole file. */
  nameOf(field: string): string | null
  /** Values that are not taken, of rows that do not fail. */
  kept?: { title: string; failed: readonly BulkFailure[] }
}

/** Choose a file, see what it will do, confirm, see what it did. */
export function ImportSteps(props: ImportStepsProps) {
  const { importing, choose, words, nameOf, kept } = props
  const { step, file, found, failure } = importing
  const t = useT()
  const isShown = step === 'checked' || step === 'done'
  const ofFile = { file, columns: found.columns, nameOf }
  return (
    <>
      <div role="alert" className={failure ? 'flex gap-2 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay' : 'hidden'}>
        {failure && <WarningIcon size={18} aria-hidden="true" className="mt-0.5" />}
        {failure}
      </div>
      {step === 'choose' && choose}
      <ImportProgress importing={importing} writing={words.writing} />
      {step === 'checked' && <Checked {...props} />}
      {step === 'done' && <Done {...props} />}
      {isShown && found.failed.length > 0 && (
        <FailedRows title={t('import.problems')} {...ofFile} failed={found.failed} />
      )}
      {isShown && kept && kept.failed.length > 0 && <FailedRows {...kept} {...ofFile} />}
    </>
  )
}

/** Uploaded bytes, then the step of the server. */
function ImportProgress({
  importing: { step, sent, file },
  writing,
}: {
  importing: FileImport<Found>
  writing: string
}) {
  const t = useT()
  const words: Partial<Record<typeof step, string>> = {
    sending: t('import.sending', { percent: Math.round(sent * 100) }),
    checking: t('import.checking'),
    writing,
  }
  const text = words[step]
  return (
    <div role="status" className={text ? 'grid gap-2 py-8' : 'sr-only'}>
      {text && (
        <>
          <p className="font-strong">{text}</p>
          <Progress value={step === 'sending' ? sent * 0.6 : step === 'checking' ? 0.8 : 0.9} label={text} />
          {file && <bdi className="wrap-anywhere whitespace-normal text-ink-2">{file.name}</bdi>}
        </>
      )}
    </div>
  )
}

/** What the import will do, before it is confirmed. */
function Checked({ importing: { file, found, write, reset }, words, notice, counts, bad, ...rest }: ImportStepsProps) {
  const t = useT()
  const [isPartial, setPartial] = useState(false)
  const heading = useFocusedHeading()
  const isFileWrong = found.rows === 0
  const changes = isFileWrong ? 0 : rest.changes
  const reason = changes === 0 ? t('import.noGood') : bad > 0 && !isPartial ? t('import.blocked') : null
  return (
    <section aria-labelledby="import-summary" className="grid gap-4 rounded-l bg-well p-5">
      <div>
        <h2 id="import-summary" ref={heading} tabIndex={-1} className="text-heading">
          {t(isFileWrong ? 'import.fileRefused' : 'import.summary')}
        </h2>
        {file && <bdi className="wrap-anywhere whitespace-normal text-ink-2">{file.name}</bdi>}
      </div>
      {notice}
      {!isFileWrong && (
        <ul className="grid gap-1.5">
          {counts}
          <ImportCount isBad={bad > 0}>{t('import.bad', { count: bad })}</ImportCount>
        </ul>
      )}
      <UnusedColumns columns={found.columns} />
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
        {!isFileWrong && (
          <div>
            <Button tone="aqua" reason={reason} onClick={() => void write(isPartial)}>
              {words.write}
            </Button>
          </div>
        )}
        <Button tone="outline" onClick={reset}>
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
function UnusedColumns({ columns }: Pick<Found, 'columns'>) {
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

/** What the import did. */
function Done({ importing: { found, reset }, words, bad, link }: ImportStepsProps) {
  const t = useT()
  const heading = useFocusedHeading()
  return (
    <section className="grid gap-4 rounded-l bg-gulf-soft p-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-heading">
          <CheckIcon size={22} aria-hidden="true" className="text-aqua-ink" />
          {words.done}
        </h2>
        <p className="text-ink-2">{bad > 0 ? t('import.doneSome', { count: bad }) : words.doneAll}</p>
      </div>
      <UnusedColumns columns={found.columns} />
      <div className="flex flex-wrap gap-3">
        {link}
        <Button tone="outline" onClick={reset}>
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
