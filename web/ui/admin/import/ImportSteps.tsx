import type { BulkFailure, ImportMapping, ImportReport } from '@qatra/contract/lib/upload'
import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { Button } from '../../Button.tsx'
import { classes } from '../../class-names.ts'
import { CheckIcon, WarningIcon } from '../../icons.tsx'
import { Progress } from '../../Progress.tsx'
import { FileDrop } from '../form/FileDrop.tsx'
import { ShareBar } from '../ShareBar.tsx'
import { ColumnChoice, UnusedColumns } from './ColumnChoice.tsx'
import { DownloadFailed, FailedRows } from './FailedRows.tsx'
import { Repairs } from './Repairs.tsx'
import { RowPreview } from './RowPreview.tsx'
import type { FileImport } from './use-file-import.ts'

interface ImportStepsProps {
  importing: FileImport<ImportReport>
  /** Of the field for the file, and what is above and below it. */
  choose: { label: string; hint: string; accept: string; above?: ReactNode; below?: ReactNode }
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
  /** Our fields, in order, and those without which nothing is read. */
  fields: readonly string[]
  required: readonly string[]
  /** What is done where no column fills a field. */
  without?: Readonly<Record<string, string>>
  /** The field that keeps columns that have no other. */
  note?: string
  /** Name of a column; null for the whole file. */
  nameOf(field: string): string | null
  /** How a value is written in the preview, where not as it is. */
  show?: Parameters<typeof RowPreview>[0]['show']
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
    <div className={classes('@container grid gap-6', step !== 'checked' && 'max-w-180')}>
      <div role="alert" className={failure ? 'flex gap-2 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay' : 'hidden'}>
        {failure && <WarningIcon size={18} aria-hidden="true" className="mt-0.5" />}
        {failure}
      </div>
      {step === 'choose' && (
        <>
          {choose.above}
          <FileDrop
            label={choose.label}
            hint={choose.hint}
            accept={choose.accept}
            megabytes={importing.bytes / 1_000_000}
            value={file}
            onChange={(chosen) => chosen && void importing.check(chosen)}
          />
          {choose.below}
        </>
      )}
      <ImportProgress importing={importing} writing={words.writing} />
      {step === 'checked' && (found.reading ? <Review {...props} /> : <Checked {...props} />)}
      {step === 'done' && <Done {...props} />}
      {isShown && found.failed.length > 0 && !(found.reading && step !== 'done') && (
        <FailedRows title={t('import.problems')} {...ofFile} failed={found.failed} />
      )}
      {isShown && kept && kept.failed.length > 0 && <FailedRows {...kept} {...ofFile} />}
    </div>
  )
}

/** Uploaded bytes; while the server works, whose rows nobody counts meanwhile, a bar without a figure. */
function ImportProgress({ importing, writing }: { importing: FileImport<ImportReport>; writing: string }) {
  const { step, sent, file } = importing
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
          {sent < 1 ? (
            <Progress value={sent} label={text} />
          ) : (
            <ShareBar label={text} parts={[{ share: 0.4, fill: 'working fill-aqua' }]} className="h-2" />
          )}
          {file && <bdi className="wrap-anywhere whitespace-normal text-ink-2">{file.name}</bdi>}
        </>
      )}
    </div>
  )
}

/** The columns, the first rows and the problems of a table, each to be corrected before anything is stored. */
function Review(props: ImportStepsProps) {
  const t = useT()
  const heading = useFocusedHeading()
  const { importing, words, notice, counts, changes, bad, fields, required, note, nameOf, show } = props
  const { file, found, plan, agreed, agree, isRevising, revise, write, reset } = importing
  const { reading, rows, failed } = found
  if (!reading) return null
  const isFileWrong = rows === 0
  const asked = reading.changed.find(({ field }) => !agreed.includes(field))
  const waits = asked ? t('import.changed.first', { field: nameOf(asked.field) ?? asked.field }) : null
  const ofColumns = { reading, fields, nameOf, onChange: (mapping: ImportMapping) => void revise({ mapping }) }
  const read = [
    isFileWrong ? null : t('import.read', { count: rows }),
    reading.heading > 0 ? t('import.headingRow', { row: reading.heading }) : t('import.headingNone'),
    reading.above === '' ? null : t('import.above', { text: `\u2068${reading.above}\u2069` }),
  ]
  return (
    <div aria-busy={isRevising} className="grid items-start gap-6 @4xl:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid min-w-0 gap-6">
        <div className="flex flex-wrap items-center gap-3 rounded-m bg-well px-4 py-2.5">
          <div className="min-w-0 flex-1">
            <h2 ref={heading} tabIndex={-1} className="sr-only">
              {t(isFileWrong ? 'import.fileRefused' : 'import.summary')}
            </h2>
            {file && (
              <span className="me-2 font-strong wrap-anywhere">
                <bdi className="whitespace-normal">{file.name}</bdi>
              </span>
            )}
            <span className="text-label text-ink-2">{read.filter(Boolean).join(' · ')}</span>
          </div>
          <Button size="small" tone="outline" className="bg-surface" onClick={reset}>
            {t('import.other')}
          </Button>
        </div>
        {isFileWrong && (
          <div role="alert" className="grid gap-2 rounded-m bg-clay-soft px-4 py-3 text-clay">
            {failed.map(({ field, reason }) => (
              <p key={field}>
                {nameOf(field) && <b className="font-strong">{nameOf(field)}: </b>}
                {reason}
              </p>
            ))}
            <Button size="small" className="justify-self-start" busy={isRevising} onClick={() => void revise({})}>
              {t('import.columns.try')}
            </Button>
          </div>
        )}
        <ColumnChoice {...ofColumns} required={required} without={props.without} />
        <RowPreview
          reading={reading}
          rows={rows}
          failed={failed}
          cells={plan.cells}
          fields={fields}
          nameOf={nameOf}
          show={show}
          onEdit={(cells) => void revise({ cells })}
          onMore={(shown) => void revise({ shown })}
        />
      </div>
      <aside className="grid min-w-0 gap-6 @4xl:sticky @4xl:top-4 @4xl:border-s @4xl:border-line @4xl:ps-5">
        {!isFileWrong && (
          <Repairs
            reading={reading}
            rows={rows}
            bad={bad}
            plan={plan}
            agreed={agreed}
            agree={agree}
            nameOf={nameOf}
            revise={revise}
          />
        )}
        <UnusedColumns {...ofColumns} note={note} />
        {!isFileWrong && (
          <div className="grid gap-2 border-t border-line pt-3">
            {notice}
            <ul className="grid gap-1.5 text-label">{counts}</ul>
            <Button
              tone="aqua"
              size="big"
              busy={isRevising}
              reason={changes === 0 ? t('import.noGood') : waits}
              reasonShown
              onClick={() => void write(bad > 0)}
            >
              {words.write}
            </Button>
            <p className="text-label text-ink-3">{t('import.rest', { count: bad })}</p>
            {bad > 0 && file && <DownloadFailed file={file} failed={failed} columns={found.columns} nameOf={nameOf} />}
          </div>
        )}
      </aside>
    </div>
  )
}

/** What the import of a list without columns will do, before it is confirmed. */
function Checked({ importing: { file, found, write, reset }, words, notice, counts, bad, ...rest }: ImportStepsProps) {
  const t = useT()
  const heading = useFocusedHeading()
  const isFileWrong = found.rows === 0
  const changes = isFileWrong ? 0 : rest.changes
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
      <div className="flex flex-wrap items-start gap-3">
        {!isFileWrong && (
          <div>
            <Button tone="aqua" reason={changes === 0 ? t('import.noGood') : null} onClick={() => void write(bad > 0)}>
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

/** What the import did. */
function Done({ importing: { reset }, words, bad, link }: ImportStepsProps) {
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
