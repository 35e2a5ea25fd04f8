import { type ReactNode, useId } from 'react'
import { CloseIcon } from './icons.tsx'
import { useModal } from './use-modal.ts'

interface SheetProps {
  title: ReactNode
  hint?: ReactNode
  closeLabel: string
  onClose(): void
  /** Stays in place while the content scrolls. */
  head: ReactNode
  children: ReactNode
}

/** Modal sheet from the lower edge of a phone, a dialog in the middle of a wide screen. Focuses its first input. */
export function Sheet({ title, hint, closeLabel, onClose, head, children }: SheetProps) {
  const id = useId()
  const modal = useModal(onClose, { focused: ['input'] })
  return (
    <dialog
      {...modal}
      aria-labelledby={`${id}-title`}
      className="sheet m-0 mt-auto h-[calc(100dvh-104px)] max-h-none w-full max-w-none overflow-hidden rounded-t-[20px] bg-surface p-0 text-ink shadow-float backdrop:bg-scrim md:m-auto md:h-[min(760px,calc(100dvh-64px))] md:max-w-130 md:rounded-l"
    >
      <div className="flex h-full flex-col">
        <div className="border-b border-line px-4 pb-3">
          <span aria-hidden="true" className="mx-auto mt-2 mb-1.5 block h-1 w-9 rounded-full bg-well-2 md:invisible" />
          <div className="flex items-start justify-between gap-3">
            <div>
              <h2 id={`${id}-title`} className="text-heading">
                {title}
              </h2>
              {hint && <p className="text-label text-ink-3">{hint}</p>}
            </div>
            <button
              type="button"
              aria-label={closeLabel}
              onClick={onClose}
              className="-me-2.5 grid size-tap shrink-0 place-items-center rounded-m hover:bg-well"
            >
              <CloseIcon size={22} aria-hidden="true" />
            </button>
          </div>
          {head}
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-6">{children}</div>
      </div>
    </dialog>
  )
}
