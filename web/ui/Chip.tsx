import { type ButtonHTMLAttributes, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { classes } from './class-names.ts'

/** Chip classes for links: `<Link className={chipClass(isChosen)}>`. 40 px high, touch target 44 px. */
export const chipClass = (chosen: boolean) =>
  classes(
    'relative inline-flex h-10 min-w-tap shrink-0 items-center justify-center gap-1.5 rounded-full px-3.5 text-[0.9375rem] whitespace-nowrap after:absolute after:-inset-y-0.5 after:inset-x-0',
    chosen ? 'bg-gulf font-strong text-on-gulf' : 'bg-well hover:bg-well-2',
  )

interface ChipProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  chosen: boolean
}

export function Chip({ chosen, ...button }: ChipProps) {
  return <button type="button" {...button} aria-pressed={chosen} className={chipClass(chosen)} />
}

interface ChipRowProps {
  label: string
  className?: string
  children: ReactNode
}

const chosenInside = '[aria-pressed="true"], [aria-current]:not([aria-current="false"])'

/** A row of choices that scrolls sideways. Arrow keys move the focus in their visual direction, in both languages. */
export function ChipRow({ label, className, children }: ChipRowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>(chosenInside)
    if (row.current && chosen) reveal(row.current, chosen)
  }, [])
  const walk = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const all = [...(row.current?.querySelectorAll<HTMLElement>('a, button') ?? [])]
    const at = all.findIndex((item) => item === document.activeElement)
    const isForward = (event.key === 'ArrowRight') === (getComputedStyle(event.currentTarget).direction === 'ltr')
    const next = all[at + (isForward ? 1 : -1)]
    if (at < 0 || !next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <nav aria-label={label} className="min-w-0">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys work in addition to Tab. */}
      <div ref={row} onKeyDown={walk} className={classes('rail py-1', className)}>
        {children}
      </div>
    </nav>
  )
}

/** Scrolls only the row, not the page. */
function reveal(row: HTMLElement, item: HTMLElement) {
  const [outer, inner] = [row.getBoundingClientRect(), item.getBoundingClientRect()]
  if (inner.left < outer.left || inner.right > outer.right) {
    row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2
  }
}
