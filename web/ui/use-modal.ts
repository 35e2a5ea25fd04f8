import { type MouseEvent, type SyntheticEvent, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { openLayer } from './back-closes.ts'

interface Modal {
  /** Selectors of what gets the focus, the preferred one first. */
  focused: readonly string[]
  closesByBack?: boolean
}

/** Properties of a `<dialog>` that is open while it is shown. Escape, Back and a click outside close it. */
export function useModal(onClose: () => void, { focused, closesByBack = true }: Modal) {
  const ref = useRef<HTMLDialogElement>(null)
  const closeByBack = useEffectEvent(onClose)
  const open = useEffectEvent(() => {
    const closed = closesByBack ? openLayer(() => closeByBack()) : null
    const element = ref.current
    element?.showModal()
    const first = focused.map((selector) => element?.querySelector<HTMLElement>(selector)).find(Boolean)
    first?.focus()
    // A dialog that is only removed does not restore the focus.
    return () => {
      closed?.()
      element?.close()
    }
  })
  useLayoutEffect(() => open(), [])
  return {
    ref,
    onCancel(event: SyntheticEvent) {
      event.preventDefault()
      onClose()
    },
    onClick(event: MouseEvent) {
      if (event.target === ref.current) onClose()
    },
  }
}
