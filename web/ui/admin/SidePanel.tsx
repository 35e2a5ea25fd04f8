import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { classes } from '../class-names.ts'
import { CloseIcon } from '../icons.tsx'
import { useScreen } from './media.ts'

interface SidePanelProps {
  /** Accessible name. */
  label: string
  title: ReactNode
  onClose(): void
  /** Below the title: badges and the main action. */
  head?: ReactNode
  children: ReactNode
}

/**
 * 384 px (360 px on screens below 1400) beside the list; on narrower screens it covers the page. Escape closes it and
 * returns the focus.
 */
export function SidePanel({ label, title, onClose, head, children }: SidePanelProps) {
  const t = useT()
  const isDocked = useScreen('desk')
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusHere(heading)
  useInertPage(!isDocked)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  }, [onClose])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return
      event.preventDefault()
      close.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <aside
      aria-label={label}
      className={classes(
        'panel-in overflow-y-auto overscroll-contain bg-page',
        isDocked
          ? 'sticky top-0 h-[calc(100dvh-var(--top-bar,0px))] min-w-0'
          : 'fixed inset-0 top-(--top-bar,0px) z-30 ms-auto w-full max-w-120 shadow-float',
      )}
    >
      <div className="border-b border-line px-5 pt-4.5 pb-3.5">
        <div className="flex items-center justify-between gap-3">
          <h2 ref={heading} tabIndex={-1} className="min-w-0 text-heading wrap-anywhere">
            {title}
          </h2>
          <button
            type="button"
            aria-label={t('admin.close')}
            className="-me-2 grid size-8 flex-none place-items-center rounded-s hover:bg-well max-md:size-tap"
            onClick={onClose}
          >
            <CloseIcon size={18} aria-hidden="true" />
          </button>
        </div>
        {head}
      </div>
      {children}
    </aside>
  )
}

interface PanelPartProps {
  title?: ReactNode
  /** Heading level; `h2` on a page without a panel title above. */
  heading?: 'h2' | 'h3'
  children: ReactNode
}

/** A section of a panel, separated from the next by a line. */
export function PanelPart({ title, heading: Heading = 'h3', children }: PanelPartProps) {
  return (
    <section className="border-b border-line px-5 py-3.5 last:border-b-0">
      {title && <Heading className="mb-2 text-caption text-ink-3">{title}</Heading>}
      {children}
    </section>
  )
}

/** Takes the focus; `keepFocus` returns it when the panel closes. */
function useFocusHere(target: { current: HTMLElement | null }) {
  useEffect(() => target.current?.focus({ preventScroll: true }), [target])
}

/** Makes the page inert while the panel covers it. */
function useInertPage(isCovered: boolean) {
  useEffect(() => {
    const main = document.getElementById('main')
    if (!main || !isCovered) return
    main.inert = true
    return () => {
      main.inert = false
    }
  }, [isCovered])
}
