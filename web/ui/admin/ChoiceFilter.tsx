import { fold } from '@qatra/contract/text'
import { type ReactNode, useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { classes } from '../class-names.ts'
import { CheckIcon, type Icon } from '../icons.tsx'
import { FilterChip } from './FilterChip.tsx'
import { walkByArrows } from './Popover.tsx'

export interface FilterOption<T> {
  value: T
  label: string
  /** Shown before the label: the dot of a badge, an emblem. */
  sign?: ReactNode
  count?: number
}

interface ChoiceFilterProps<T> {
  label: string
  values: readonly T[]
  options: readonly FilterOption<T>[]
  onChange(values: readonly T[]): void
  /** More than one at a time; they stay open to be chosen from. */
  multiple?: boolean
  /** A line to search the choices by; on by itself from ten choices on. */
  searchable?: boolean
  icon?: Icon
}

const MANY = 10

/** One or several of a list of choices. */
export function ChoiceFilter<T extends string | number>(props: ChoiceFilterProps<T>) {
  const { label, values, options, onChange, icon } = props
  const t = useT()
  const named = options.filter(({ value }) => values.includes(value))
  const [only] = named
  const chosen =
    values.length === 0
      ? null
      : named.length === 1 && only
        ? only.label
        : t('admin.chosen', { name: label, count: values.length })
  return (
    <FilterChip label={label} chosen={chosen} onClear={() => onChange([])} {...(icon ? { icon } : {})}>
      {(close) => <Choices {...props} close={close} />}
    </FilterChip>
  )
}

type ChoicesProps<T> = ChoiceFilterProps<T> & { close(): void }

function Choices<T extends string | number>({ label, options, close, ...rest }: ChoicesProps<T>) {
  const { values, onChange, multiple = false, searchable = options.length >= MANY } = rest
  const t = useT()
  const [text, setText] = useState('')
  const wanted = fold(text)
  const shown = wanted ? options.filter((option) => fold(option.label).includes(wanted)) : options
  const toggle = (value: T) => {
    const isOn = values.includes(value)
    if (multiple) return onChange(isOn ? values.filter((one) => one !== value) : [...values, value])
    onChange(isOn ? [] : [value])
    close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are an addition to Tab.
    <div onKeyDown={walkByArrows}>
      {searchable && (
        <input
          type="text"
          dir="auto"
          aria-label={t('admin.searchIn', { name: label })}
          placeholder={t('admin.searchIn', { name: label })}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mb-1.5 h-9 w-full rounded-s bg-well px-3 text-as-page outline-none placeholder:text-ink-3 focus-visible:outline-2 focus-visible:outline-focus max-md:h-tap"
        />
      )}
      <ul className="grid max-h-72 content-start overflow-y-auto">
        {shown.map(({ value, label: words, sign, count }) => {
          const isOn = values.includes(value)
          return (
            <li key={value}>
              <button
                type="button"
                role={multiple ? 'checkbox' : 'radio'}
                aria-checked={isOn}
                className={classes(
                  'flex min-h-9 w-full items-center gap-2.5 rounded-s px-2.5 text-start hover:bg-well focus-visible:bg-well max-md:min-h-tap',
                  isOn && 'font-strong',
                )}
                onClick={() => toggle(value)}
              >
                <span className="w-4 text-aqua-ink">{isOn && <CheckIcon size={16} aria-hidden="true" />}</span>
                {sign}
                <span className="min-w-0 flex-1 truncate leading-relaxed">{words}</span>
                {count !== undefined && <span className="text-caption font-regular text-ink-3">{count}</span>}
              </button>
            </li>
          )
        })}
      </ul>
      {shown.length === 0 && <p className="px-2.5 py-2 text-ink-2">{t('admin.nothingFound')}</p>}
    </div>
  )
}
