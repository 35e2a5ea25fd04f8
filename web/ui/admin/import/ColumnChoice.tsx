import { fit } from '@qatra/contract/lib/fit'
import type { FileReading, ImportMapping } from '@qatra/contract/lib/upload'
import { useId } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { DownIcon, EndIcon } from '../../icons.tsx'
import { mappingOf } from './use-file-import.ts'

const MOST_LETTERS = 40

/** The direction of its first letter: a box cuts a text at the end of its own line. */
const directionOf = (text: string) => (/^[^\p{L}]*\p{Script=Arabic}/u.test(text) ? 'rtl' : 'ltr')

interface ColumnChoiceProps {
  reading: FileReading
  /** Our fields, in order. */
  fields: readonly string[]
  required: readonly string[]
  nameOf(field: string): string | null
  /** What is done where no column fills a field. */
  without?: Readonly<Record<string, string>>
  onChange(mapping: ImportMapping): void
}

/** One of our fields beside each column of the file that fills it. */
export function ColumnChoice({ reading, fields, required, nameOf, without, onChange }: ColumnChoiceProps) {
  const t = useT()
  const id = useId()
  const { columns, isRemembered } = reading
  const found = columns.filter(({ field }) => field !== null).length
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="flex flex-wrap items-baseline gap-x-2 text-heading">
        {t('import.columns')}
        <span className="text-label font-normal text-ink-3">
          {isRemembered ? t('import.columns.remembered') : t('import.columns.found', { found, all: columns.length })}
        </span>
      </h2>
      <ul className="grid gap-x-7 @2xl:grid-cols-2">
        {fields.map((field) => {
          const column = columns.find((each) => each.field === field)
          const name = nameOf(field) ?? field
          const isNeeded = required.includes(field)
          return (
            <li key={field} className="flex min-h-12 items-center gap-2 border-b border-line py-1">
              <span className="w-2/5 min-w-0 text-label font-strong">
                {name}
                {isNeeded && <span className="text-clay"> *</span>}
              </span>
              <EndIcon size={16} aria-hidden="true" className="flex-none text-ink-3" />
              <ColumnSelect
                label={name}
                isGuessed={column?.isGuessed ?? false}
                value={column?.at ?? null}
                options={columns.map(({ at, heading, sample }) => ({
                  value: at,
                  dir: directionOf(/\p{L}/u.test(sample) ? sample : heading),
                  label: sample === '' ? heading : `\u2068${heading}\u2069 · \u2068${fit(sample, MOST_LETTERS)}\u2069`,
                }))}
                placeholder={without?.[field] ?? t('import.columns.none')}
                onChange={(at) => onChange(withColumn(columns, field, at))}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The mapping in which the field has this column alone. */
function withColumn(columns: FileReading['columns'], field: string, at: number | null): ImportMapping {
  return mappingOf(
    columns.map((column) => ({
      ...column,
      field: column.at === at ? field : column.field === field ? null : column.field,
    })),
  )
}

interface ColumnSelectProps<T extends string | number> {
  label: string
  value: T | null
  options: readonly { value: T; label: string; dir?: 'rtl' | 'ltr' }[]
  placeholder: string
  isGuessed?: boolean
  onChange(value: T | null): void
}

function ColumnSelect<T extends string | number>(props: ColumnSelectProps<T>) {
  const { label, value, options, placeholder, isGuessed = false, onChange } = props
  const { t, lang } = useLanguage()
  const page = lang === 'ar' ? 'rtl' : 'ltr'
  const { dir = page } = options.find((option) => option.value === value) ?? {}
  return (
    <span className="relative min-w-0 flex-1">
      <select
        dir={dir}
        aria-label={isGuessed ? `${label} · ${t('import.columns.guessed')}` : label}
        className={classes(
          'h-9.5 w-full min-w-0 appearance-none truncate rounded-[10px] text-as-page text-label outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-focus max-md:h-tap',
          dir === page ? 'ps-3 pe-8' : 'ps-8 pe-3',
          isGuessed ? 'bg-gulf-soft' : value === null ? 'bg-transparent text-ink-3' : 'bg-well',
        )}
        value={value === null ? '' : String(value)}
        onChange={({ target }) => onChange(options.find((each) => String(each.value) === target.value)?.value ?? null)}
      >
        <option value="">{placeholder}</option>
        {options.map((option) => (
          <option key={option.value} value={String(option.value)}>
            {option.label}
          </option>
        ))}
      </select>
      <DownIcon
        size={16}
        aria-hidden="true"
        className="pointer-events-none absolute end-2.5 top-1/2 -translate-y-1/2 text-ink-3"
      />
      {isGuessed && <span className="block text-caption text-gulf">{t('import.columns.guessed')}</span>}
    </span>
  )
}

/** Names the columns whose values are not taken, so that nothing is left out in silence. */
export function UnusedColumns({
  reading: { columns },
  fields,
  note,
  nameOf,
  onChange,
}: Omit<ColumnChoiceProps, 'required'> & { note?: string | undefined }) {
  const t = useT()
  const id = useId()
  const unused = columns.filter(({ field }) => field === null)
  if (unused.length === 0) return null
  const free = fields.filter((field) => !columns.some((column) => column.field === field))
  const withNote = (at: number): ImportMapping =>
    mappingOf(columns.map((column) => (note && column.at === at ? { ...column, field: note } : column)))
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-heading">
        {t('import.unusedTitle')}
      </h2>
      <p className="text-label text-ink-3">{t('import.unusedHint')}</p>
      <ul>
        {unused.map(({ at, heading, sample }) => (
          <li key={at} className="flex min-h-11 items-center gap-2 border-b border-line py-1">
            <span className="w-2/5 min-w-0 text-label wrap-anywhere">
              <bdi className="font-strong whitespace-normal">{heading}</bdi>{' '}
              <bdi className="text-ink-3 whitespace-normal">{sample}</bdi>
            </span>
            <ColumnSelect
              label={t('import.unused.field', { heading })}
              value={null}
              options={free.map((field) => ({ value: field, label: nameOf(field) ?? field }))}
              placeholder={t('import.unused.choose')}
              onChange={(field) => field && onChange(withColumn(columns, field, at))}
            />
            {note && (
              <button
                type="button"
                aria-label={t('import.unused.noteOf', { heading })}
                className="min-h-6 flex-none text-label text-aqua-ink hover:underline max-md:min-h-tap"
                onClick={() => onChange(withNote(at))}
              >
                {t('import.unused.note')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
