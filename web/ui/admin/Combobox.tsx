import { fold } from '@qatra/contract/text'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { useDebounce } from '../../lib/debounce.ts'
import { classes } from '../class-names.ts'
import { Field } from '../Field.tsx'
import { CloseIcon } from '../icons.tsx'
import { PickIcon } from './icons.ts'

export interface ComboboxOption<T> {
  value: T
  label: string
  /** Below the label in the list: a phone, a block. */
  hint?: string
  /** Searched as well: the name in the other language. */
  also?: string
  /** Before the label in the list. */
  picture?: ReactNode
}

interface ComboboxProps<T> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  name?: string
  value: T | null
  onChange(value: NoInfer<T> | null): void
  /** All of them, searched here; or, with `onSearch`, what the server found. Undefined while they are on their way. */
  options: readonly ComboboxOption<T>[] | undefined
  /** Called with the typed text, debounced. */
  onSearch?(text: string): void
  /** Label of the selected option, if it may not be among the options. */
  chosenLabel?: string
  placeholder?: string
  /** Required: no clear button. */
  required?: boolean
  className?: string
}

const TYPING_MS = 250
const SHOWN = 50

/** Searchable select: matches regardless of alef, hamza and digit forms; arrow keys move, Enter selects. */
export function Combobox<T extends string | number>(props: ComboboxProps<T>) {
  const { label, hint, error, name, value, onChange, options, onSearch, chosenLabel, placeholder, required } = props
  const t = useT()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const searchLater = useDebounce((typed: string) => onSearch?.(typed), TYPING_MS)
  /** Typed text; null shows the selected option's label. */
  const [text, setText] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(0)

  const wanted = fold(text ?? '')
  const matches = ({ label: words, also = '', hint: below = '' }: ComboboxOption<T>) =>
    fold(`${words} ${also} ${below}`).includes(wanted)
  const found = onSearch || wanted === '' ? options : options?.filter(matches)
  const shown = (found ?? []).slice(0, SHOWN)
  const chosen = options?.find((option) => option.value === value)
  const chosenName = value === null ? '' : (chosen?.label ?? chosenLabel ?? '')

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' })
  }, [active])

  const close = () => {
    setOpen(false)
    setText(null)
    setActive(0)
  }
  const choose = (option: ComboboxOption<T> | undefined) => {
    if (!option) return
    onChange(option.value)
    close()
  }
  const type = (typed: string) => {
    setText(typed)
    setOpen(true)
    setActive(0)
    searchLater(typed.trim())
  }
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      if (!open) return setOpen(true)
      setActive((to + shown.length) % Math.max(1, shown.length))
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      choose(shown[active])
    } else if (event.key === 'Escape' && (open || text !== null)) {
      event.preventDefault()
      close()
    }
  }

  return (
    <Field label={label} hint={hint} error={error} className={props.className}>
      {(described) => (
        <div
          className="relative"
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) close()
          }}
        >
          <span
            className={classes(
              'flex min-h-12 items-center gap-1 rounded-m bg-surface ps-3.5 pe-1.5 has-focus-visible:inset-ring-2 has-focus-visible:inset-ring-focus',
              error ? 'inset-ring-2 inset-ring-clay' : 'inset-ring inset-ring-line-strong',
            )}
          >
            <input
              {...described}
              ref={input}
              role="combobox"
              name={name}
              dir="auto"
              autoComplete="off"
              aria-autocomplete="list"
              aria-expanded={open}
              aria-controls={`${id}-list`}
              aria-activedescendant={open && shown.length > 0 ? `${id}-${active}` : undefined}
              placeholder={placeholder}
              value={text ?? chosenName}
              className="h-12 w-full min-w-0 flex-1 bg-transparent text-as-page outline-none placeholder:text-ink-3"
              onChange={(event) => type(event.target.value)}
              onClick={() => setOpen(true)}
              onFocus={(event) => event.target.select()}
              onKeyDown={onKey}
            />
            {value !== null && !required && (
              <button
                type="button"
                aria-label={t('admin.clear')}
                className="grid size-9 place-items-center rounded-s text-ink-2 hover:bg-well max-md:size-tap"
                onClick={() => {
                  onChange(null)
                  close()
                  input.current?.focus()
                }}
              >
                <CloseIcon size={16} aria-hidden="true" />
              </button>
            )}
            <button
              type="button"
              tabIndex={-1}
              aria-label={t('admin.combobox.open')}
              className="grid size-9 place-items-center rounded-s text-ink-3 hover:bg-well max-md:size-tap"
              onClick={() => {
                setOpen(!open)
                input.current?.focus()
              }}
            >
              <PickIcon size={16} aria-hidden="true" />
            </button>
          </span>
          <ul
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={typeof label === 'string' ? label : undefined}
            className={
              open
                ? 'appear absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-m bg-surface p-1.5 shadow-float'
                : 'hidden'
            }
          >
            {open &&
              shown.map((option, at) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys.
                <li
                  key={option.value}
                  id={`${id}-${at}`}
                  role="option"
                  aria-selected={option.value === value}
                  tabIndex={-1}
                  className={classes(
                    'flex cursor-pointer items-center gap-2.5 rounded-s px-2.5 py-1.5 hover:bg-well',
                    at === active && 'bg-well',
                    option.value === value && 'font-strong',
                  )}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(option)}
                >
                  {option.picture}
                  <span className="min-w-0 flex-1">
                    <bdi className="block truncate leading-relaxed">{option.label}</bdi>
                    {option.hint && (
                      <bdi className="block truncate text-caption font-regular text-ink-3">{option.hint}</bdi>
                    )}
                  </span>
                </li>
              ))}
            {open && found?.length === 0 && (
              <li role="presentation" className="px-2.5 py-1.5 text-ink-2">
                {t('admin.nothingFound')}
              </li>
            )}
          </ul>
          <span role="status" className="sr-only">
            {open && found ? t('admin.combobox.results', { count: found.length }) : ''}
          </span>
        </div>
      )}
    </Field>
  )
}
