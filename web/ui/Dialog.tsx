import { type ReactNode, useId } from 'react'
import { Button, type ButtonTone } from './Button.tsx'
import { classes } from './class-names.ts'
import { useModal } from './use-modal.ts'

interface Choice {
  label: ReactNode
  onChoose(): void
  tone?: ButtonTone
  busy?: boolean
  reason?: string | null
}

interface DialogProps {
  open: boolean
  title: ReactNode
  /** Picture above the title, such as the two vendors of a switch. */
  picture?: ReactNode
  children?: ReactNode
  /**
   * The choice that changes nothing. It is focused, unless an element inside `data-first` is to be filled in or chosen;
   * Escape and a click outside choose it too.
   */
  safe: Choice
  action?: Choice
  className?: string
  /** False for a question about a navigation, during which the history must not change. */
  closesByBack?: boolean
}

/** Native modal dialog: the page behind is inert, and closing it restores the focus. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null
}

function OpenDialog({ title, picture, children, safe, action, className, closesByBack = true }: DialogProps) {
  const id = useId()
  const modal = useModal(() => safe.onChoose(), {
    focused: ['[data-first] :is(input, select, textarea, button)', '[data-safe]'],
    closesByBack,
  })
  return (
    <dialog
      {...modal}
      aria-labelledby={`${id}-title`}
      aria-describedby={children ? `${id}-text` : undefined}
      className={classes(
        'rise m-auto w-[calc(100%-32px)] max-w-100 rounded-l bg-surface p-0 text-ink shadow-float backdrop:bg-scrim',
        className,
      )}
    >
      <div className="p-5.5">
        {picture && <div className="mb-3.5 flex items-center gap-3 text-ink-3">{picture}</div>}
        <h2 id={`${id}-title`} className="text-heading">
          {title}
        </h2>
        {children && (
          <div id={`${id}-text`} className="mt-1 text-ink-2">
            {children}
          </div>
        )}
        {/* Side by side where both labels fit a line. */}
        <div className="mt-4.5 flex flex-wrap gap-x-2.5 gap-y-2 [&>button]:grow [&>span]:basis-full">
          <Button data-safe className="px-2" onClick={safe.onChoose} tone={safe.tone ?? 'quiet'}>
            {safe.label}
          </Button>
          {action && (
            <Button
              className="px-2"
              tone={action.tone ?? 'aqua'}
              busy={action.busy ?? false}
              reason={action.reason}
              onClick={action.onChoose}
            >
              {action.label}
            </Button>
          )}
        </div>
      </div>
    </dialog>
  )
}
