import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classes } from './class-names.ts'
import { CheckIcon, type Icon } from './icons.tsx'

interface Choice {
  key: string
  label: ReactNode
  /** Language of the label where it is not the page's. */
  lang?: string
  icon?: Icon
  /** One of several values: the chosen one has a tick. */
  chosen?: boolean
  onChoose(): void
}

export interface MenuProps {
  /** Name of the list for a screen reader. */
  label: string
  /** Content of the button; `buttonLabel` names one that shows an icon alone. */
  button: ReactNode
  buttonLabel?: string
  className?: string
  choices: Choice[]
}

/** A button that opens a short list: arrows, Home and End move, Escape closes and gives the focus back. */
export function Menu({ label, button, buttonLabel, className, choices }: MenuProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const firstFocus = useRef<'chosen' | 'last'>('chosen')

  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
  const close = () => {
    setOpen(false)
    trigger.current?.focus({ preventScroll: true })
  }

  useEffect(() => {
    if (!open) return
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
    const chosen = all.find((item) => item.getAttribute('aria-checked') === 'true') ?? all[0]
    const focused = firstFocus.current === 'last' ? all.at(-1) : chosen
    focused?.focus()
    const leave = (event: PointerEvent) => {
      const target = event.target
      if (target instanceof Node && !list.current?.contains(target) && !trigger.current?.contains(target))
        setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [open])

  const openAt = (where: 'chosen' | 'last') => {
    firstFocus.current = where
    setOpen(true)
  }
  const onTriggerKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    openAt(event.key === 'ArrowUp' ? 'last' : 'chosen')
  }
  const onListKey = (event: KeyboardEvent) => {
    const all = items()
    const at = all.findIndex((item) => item === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      all[to % all.length]?.focus()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      close()
    } else if (event.key === 'Tab') setOpen(false)
  }

  return (
    <div className="relative">
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={buttonLabel}
        onClick={() => (open ? close() : openAt('chosen'))}
        onKeyDown={onTriggerKey}
      >
        {button}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onListKey}
          className="appear absolute end-0 top-full z-30 mt-1 w-50 rounded-m bg-surface p-1.5 shadow-float"
        >
          {choices.map((choice) => (
            <MenuItem key={choice.key} choice={choice} close={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function MenuItem({ choice: { label, lang, icon: Icon, chosen, onChoose }, close }: { choice: Choice; close(): void }) {
  return (
    <button
      type="button"
      role={chosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={chosen}
      tabIndex={-1}
      lang={lang}
      className={classes(
        'flex h-tap w-full items-center gap-2.5 rounded-s px-3 text-start text-ink hover:bg-well',
        chosen && 'bg-well font-strong',
      )}
      onClick={() => {
        close()
        onChoose()
      }}
    >
      {chosen !== undefined && (
        <span className="w-5 text-aqua-ink">{chosen && <CheckIcon size={18} aria-hidden="true" />}</span>
      )}
      {Icon && <Icon size={20} className="text-ink-2" aria-hidden="true" />}
      {label}
    </button>
  )
}
