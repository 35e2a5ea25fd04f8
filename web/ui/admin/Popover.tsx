import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { classes } from '../class-names.ts'

interface ButtonProps {
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick(): void
}

interface PopoverProps {
  /** Name of the panel for a screen reader. */
  label: string
  button(props: ButtonProps): ReactNode
  /** The panel's content; `close` gives the focus back to the button. */
  children(close: () => void): ReactNode
  className?: string
  place?: 'below' | 'above'
}

/** Space kept to the edges of the screen. */
const EDGE = 8

/** A panel that hangs on its button: Escape, a press elsewhere and leaving it by keyboard close it. */
export function Popover({ label, button, children, className, place = 'below' }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpen(false)
    box.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus({ preventScroll: true })
  }

  useLayoutEffect(() => {
    const element = panel.current
    if (!open || !element) return
    // Keep the popover inside the window.
    const { left, right } = element.getBoundingClientRect()
    const shift = left < EDGE ? EDGE - left : Math.min(0, window.innerWidth - EDGE - right)
    if (shift !== 0) element.style.translate = `${shift}px`
    const first = element.querySelector<HTMLElement>('[data-first], input, button, a')
    first?.focus({ preventScroll: true })
  }, [open])
  useEffect(() => {
    if (!open) return
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape belongs to whatever has the focus inside.
    <div
      ref={box}
      className="relative"
      onKeyDown={(event) => {
        if (!open || event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      {button({
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => setOpen(!open),
      })}
      {open && (
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label={label}
          className={classes(
            'appear absolute start-0 z-30 max-w-[calc(100vw-16px)] min-w-56 rounded-m bg-surface p-1.5 text-ink shadow-float',
            place === 'above' ? 'bottom-full mb-1' : 'top-full mt-1',
            className,
          )}
        >
          {children(close)}
        </div>
      )}
    </div>
  )
}

/** The arrow keys walk through what can be reached inside. */
export function walkByArrows(event: { key: string; currentTarget: HTMLElement; preventDefault(): void }) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input, a')]
  const at = all.indexOf(document.activeElement as HTMLElement) // anything else gives -1
  event.preventDefault()
  all[(at + step + all.length) % all.length]?.focus()
}
