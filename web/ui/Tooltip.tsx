import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

const openDelay = 700
/** Within this time after another one closed, the next opens at once. */
const skipDelay = 300
let lastClosed = Number.NEGATIVE_INFINITY

interface TooltipProps {
  text: ReactNode
  /** Gets `aria-describedby` for the control inside. */
  children(described: { 'aria-describedby': string | undefined }): ReactNode
}

/** Short description of a control. It must not contain anything essential, because touch devices cannot hover. */
export function Tooltip({ text, children }: TooltipProps) {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  useEffect(() => () => clearTimeout(timer.current), [])

  const openSoon = () => {
    clearTimeout(timer.current)
    const delay = performance.now() - lastClosed < skipDelay ? 0 : openDelay
    timer.current = setTimeout(() => setOpen(true), delay)
  }
  const close = () => {
    clearTimeout(timer.current)
    if (open) lastClosed = performance.now()
    setOpen(false)
  }
  const onPointerEnter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') openSoon()
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the control inside.
    <span
      className="relative inline-flex"
      onPointerEnter={onPointerEnter}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={({ target }) => target.matches(':focus-visible') && openSoon()}
      onBlur={close}
      onKeyDown={onKeyDown}
    >
      {children({ 'aria-describedby': open ? id : undefined })}
      {open && (
        <span
          id={id}
          role="tooltip"
          className="deep appear absolute start-1/2 bottom-full z-40 mb-1.5 w-max max-w-60 -translate-x-1/2 rounded-s px-2.5 py-1 text-label shadow-float rtl:translate-x-1/2"
        >
          {text}
        </span>
      )}
    </span>
  )
}
