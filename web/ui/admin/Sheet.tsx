import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { openLayer } from '../back-closes.ts'
import { CloseIcon } from '../icons.tsx'

interface SheetProps {
  /** Accessible name. */
  label: string
  title: ReactNode
  onClose(): void
  children: ReactNode
}

/** Modal sheet from the bottom of a phone's screen; Escape, the close button and a click outside close it. */
export function Sheet({ label, title, onClose, children }: SheetProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const closeByBack = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const closed = openLayer(() => closeByBack())
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-first] :is(input, textarea, button)')?.focus()
    return () => {
      closed()
      element?.close()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog handles Escape itself.
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      className="admin rise mx-0 mt-auto mb-0 max-h-[85dvh] w-full max-w-none overflow-y-auto rounded-t-l bg-surface p-0 text-ink shadow-float backdrop:bg-scrim"
    >
      <div className="sticky top-0 flex items-center justify-between gap-3 border-b border-line bg-surface ps-5 pe-3 py-2.5">
        <h2 className="min-w-0 text-heading">{title}</h2>
        <button
          type="button"
          aria-label={t('admin.close')}
          className="grid size-tap place-items-center rounded-m hover:bg-well"
          onClick={onClose}
        >
          <CloseIcon size={20} aria-hidden="true" />
        </button>
      </div>
      {children}
    </dialog>
  )
}
