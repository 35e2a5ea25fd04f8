import type { ReactNode } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { CloseIcon } from '../icons.tsx'
import { useModal } from '../use-modal.ts'

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
  const modal = useModal(onClose, { focused: ['[data-first] :is(input, textarea, button)'] })
  return (
    <dialog
      {...modal}
      aria-label={label}
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
