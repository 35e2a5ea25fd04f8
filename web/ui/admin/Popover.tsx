import { Popover as Base } from '@base-ui/react/popover'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { classes } from '../class-names.ts'

interface PopoverProps {
  /** Name of the panel for a screen reader. */
  label: string
  /** The button that opens it. */
  trigger: ReactElement
  /** The panel's content; `close` gives the focus back to the button. */
  children(close: () => void): ReactNode
  className?: string
}

/** A panel that hangs on its button: Escape, a press elsewhere and leaving it by keyboard close it. */
export function Popover({ label, trigger, children, className }: PopoverProps) {
  const [open, setOpen] = useState(false)
  // Rendered beside the button, because a modal dialog makes everything outside of it inert.
  const box = useRef<HTMLDivElement>(null)
  return (
    <div ref={box} className="relative">
      <Base.Root open={open} onOpenChange={setOpen}>
        <Base.Trigger render={trigger} />
        <Base.Portal container={box}>
          <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-30">
            <Base.Popup
              aria-label={label}
              className={classes(
                'appear max-w-[calc(100vw-16px)] min-w-56 rounded-m bg-surface p-1.5 text-ink shadow-float outline-none',
                className,
              )}
            >
              {children(() => setOpen(false))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </div>
  )
}
