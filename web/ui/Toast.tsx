import { createAtom, useSelector } from '@tanstack/react-store'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { classes } from './class-names.ts'
import { CheckIcon, WarningIcon } from './icons.tsx'

export interface ToastMessage {
  title: string
  text?: string
  /** `error` is announced at once. A toast is never the only place of an error. */
  tone?: 'done' | 'error'
  action?: { label: string; onClick(): void }
  /** Milliseconds, by default 4000. Paused while hovered or focused. */
  duration?: number
}

interface Shown extends ToastMessage {
  id: number
}

const shown = createAtom<Shown | null>(null)
const host = createAtom<HTMLElement | null>(null)
let count = 0

/** One toast at a time; a new one replaces the previous one. */
export function toast(message: ToastMessage) {
  count += 1
  shown.set({ ...message, id: count })
}

export const dismissToast = () => shown.set(null)

/** Shows toasts in this modal dialog, at the top of the screen, since the page beneath is inert; null for the page again. */
export const toastsIn = (dialog: HTMLElement | null) => host.set(dialog)

interface ToastsProps {
  /** Places toasts at the start edge of wide screens, since a cart or summary is at the end edge. */
  aside?: boolean
}

/** Container of the toasts, once in a page. Its two live regions exist before their content. */
export function Toasts({ aside = false }: ToastsProps) {
  const current = useSelector(shown)
  const dialog = useSelector(host)
  const isError = current?.tone === 'error'
  const place = classes('grid justify-items-center', aside && 'lg:wrap lg:justify-items-start')
  const box = (
    <div
      id={boxId}
      data-top={dialog ? '' : undefined}
      className="no-print pointer-events-none fixed inset-x-3 bottom-[calc(max(var(--toast-rise,0px),var(--toast-floor,0px),env(safe-area-inset-bottom))+12px)] z-50 data-top:top-[calc(12px+env(safe-area-inset-top))] data-top:bottom-auto"
    >
      <div role="status" className={place}>
        {current && !isError && <Toast key={current.id} message={current} />}
      </div>
      <div role="alert" className={place}>
        {current && isError && <Toast key={current.id} message={current} />}
      </div>
    </div>
  )
  return dialog ? createPortal(box, dialog) : box
}

const boxId = 'toasts'

/**
 * Distance of toasts from the bottom, safe area included. Set on the toast list: on the root it would restyle the page.
 */
export function raiseToasts(height: string) {
  document.getElementById(boxId)?.style.setProperty('--toast-rise', height)
}

function Toast({ message: { title, text, tone, action, duration = 4000 } }: { message: Shown }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wait = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(dismissToast, duration)
  }
  const rest = () => clearTimeout(timer.current)
  // Each message is its own element (by key), so the timer starts once.
  useEffect(() => {
    timer.current = setTimeout(dismissToast, duration)
    return () => clearTimeout(timer.current)
  }, [duration])
  const Sign = tone === 'error' ? WarningIcon : CheckIcon

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer.
    <div
      data-layer=""
      onPointerEnter={rest}
      onPointerLeave={wait}
      onFocus={rest}
      onBlur={wait}
      className="deep rise pointer-events-auto flex w-full max-w-110 items-center gap-2.5 rounded-l ps-4 pe-2 shadow-float sm:min-w-85"
    >
      <Sign size={20} aria-hidden="true" className="text-on-deep-aqua" />
      <div className="min-w-0 flex-1 py-3.5">
        <p>{title}</p>
        {text && <p className="text-label text-on-gulf-2">{text}</p>}
      </div>
      {action && (
        <button
          type="button"
          className="h-tap rounded-m px-3 font-strong text-on-deep-aqua focus-visible:outline-on-deep-aqua"
          onClick={() => {
            dismissToast()
            action.onClick()
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  )
}
