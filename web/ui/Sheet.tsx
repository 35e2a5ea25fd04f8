import { type ReactNode, useEffect, useId } from 'react'
import { classes } from './class-names.ts'
import { CloseIcon } from './icons.tsx'
import { toastsIn } from './Toast.tsx'
import { useModal } from './use-modal.ts'

interface SheetProps {
  title: ReactNode
  /** Accessible name, if it is not the title. */
  label?: string
  hint?: ReactNode
  closeLabel: string
  onClose(): void
  /** These stay in place while the content scrolls. A sheet with a foot is as high as its content, and shows toasts. */
  head?: ReactNode
  foot?: ReactNode
  /** What gets the focus: the first field, or the first button, which closes it. */
  focused?: 'input' | 'button'
  children: ReactNode
}

/** Modal sheet from the lower edge of a phone, a dialog in the middle of a wide screen. */
export function Sheet({
  title,
  label,
  hint,
  closeLabel,
  onClose,
  head,
  foot,
  focused = 'input',
  children,
}: SheetProps) {
  const id = useId()
  const modal = useModal(onClose, { focused: [focused] })
  const hasToasts = foot !== undefined
  useEffect(() => {
    if (!hasToasts) return
    toastsIn(modal.ref.current)
    return () => toastsIn(null)
  }, [hasToasts, modal.ref])
  return (
    <dialog
      {...modal}
      aria-label={label}
      aria-labelledby={label ? undefined : `${id}-title`}
      className={classes(
        'sheet m-0 mt-auto max-h-[calc(100dvh-104px)] w-full max-w-none overflow-hidden rounded-t-[20px] bg-surface p-0 text-ink shadow-float backdrop:bg-scrim md:m-auto md:max-h-[min(760px,calc(100dvh-64px))] md:max-w-130 md:rounded-l',
        !foot && 'h-dvh',
      )}
    >
      <div className={classes('flex flex-col', foot ? 'max-h-[inherit]' : 'h-full')}>
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
        {foot && (
          <div className="border-t border-line px-4 pt-3 pb-[calc(12px+env(safe-area-inset-bottom))]">{foot}</div>
        )}
      </div>
    </dialog>
  )
}
