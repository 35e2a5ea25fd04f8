import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useDebounce } from '../../../lib/debounce.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { CloseIcon, SearchIcon } from '../../icons.tsx'
import { ControlIcon } from '../icons.ts'
import { ToolbarButton } from '../ToolbarButton.tsx'

interface FilterBarProps {
  children?: ReactNode
  end?: ReactNode
  /** How many filters are on: a phone then has one button for all of them. */
  active?: number
}

/** Filters of a list, and its tools at the end. */
export function FilterBar({ children, end, active }: FilterBarProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="no-print flex flex-wrap items-center gap-2 px-4 py-3 md:px-6">
      {active !== undefined && (
        <ToolbarButton
          icon={ControlIcon}
          className="md:hidden"
          chosen={active > 0}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {active > 0 ? t('admin.chosen', { name: t('admin.filters'), count: active }) : t('admin.filters')}
        </ToolbarButton>
      )}
      <search
        aria-label={t('admin.filters')}
        className={classes('contents', active !== undefined && !isOpen && 'max-md:hidden')}
      >
        {children}
      </search>
      {end && <div className="ms-auto flex flex-wrap items-center gap-2">{end}</div>}
    </div>
  )
}

/** Debounce of the search. */
const TYPING_MS = 250

interface SearchFilterProps {
  label: string
  value: string
  /** Debounced; called at once on Enter and on clear. */
  onChange(text: string): void
  /** Called on Enter with the complete text. */
  onEnter?(text: string): void
  className?: string
}

/** Search field. The key `/` focuses it. */
export function SearchFilter({ label, value, onChange, onEnter, className }: SearchFilterProps) {
  const t = useT()
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  // Follows the address, for example after going back, unless the change came from typing.
  useEffect(() => {
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  const send = (text: string) => {
    sendLater.cancel()
    sent.current = text.trim()
    if (text.trim() !== value) onChange(text.trim())
  }
  const sendLater = useDebounce(send, TYPING_MS)
  return (
    <div
      className={classes(
        'flex h-9 min-w-0 items-center gap-2 rounded-[10px] bg-well ps-3 pe-1 has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:h-tap max-md:w-full md:w-62',
        className,
      )}
    >
      <SearchIcon size={16} aria-hidden="true" className="text-ink-3" />
      <input
        data-search
        type="text"
        dir="auto"
        enterKeyHint="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={typed}
        maxLength={100}
        className="h-full w-full min-w-0 flex-1 bg-transparent text-as-page outline-none placeholder:text-ink-3"
        onChange={(event) => {
          setTyped(event.target.value)
          sendLater(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            send(typed)
            if (typed.trim() !== '') onEnter?.(typed.trim())
          }
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (typed === '') return document.getElementById('main')?.focus({ preventScroll: true })
          setTyped('')
          send('')
        }}
      />
      {typed !== '' && (
        <button
          type="button"
          aria-label={t('admin.clear')}
          className="grid size-7 flex-none place-items-center rounded-s text-ink-2 hover:bg-well-2 max-md:size-tap"
          onClick={() => {
            setTyped('')
            send('')
          }}
        >
          <CloseIcon size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
