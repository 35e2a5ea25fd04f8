import type { KeyboardEvent } from 'react'

/** Id of a field's control, from its path in the API. */
export const fieldId = (field: string) => `sale-${field.replaceAll('.', '-')}`

/** Focuses an element after the next render. */
export function focusSoon(id: string) {
  requestAnimationFrame(() => {
    const found = document.getElementById(id)
    const control = found?.matches('input,textarea,button,a') ? found : found?.querySelector('input')
    if (!(control instanceof HTMLElement)) return
    control.focus()
    if (control instanceof HTMLInputElement) control.select()
    control.scrollIntoView?.({ block: 'nearest' })
  })
}

/**
 * Enter moves the focus to the next empty field; filled ones are skipped. The last field, which adds
 * a product, is always empty. Ctrl + Enter submits and is handled elsewhere.
 */
export function focusNext(event: KeyboardEvent<HTMLElement>) {
  const { target, currentTarget } = event
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.defaultPrevented) return
  if (event.nativeEvent.isComposing || !(target instanceof HTMLInputElement) || target.type === 'checkbox') return
  event.preventDefault()
  nextStop(currentTarget, target)?.focus()
}

export function nextStop(within: HTMLElement, from: Element): HTMLElement | undefined {
  const stops = [...within.querySelectorAll<HTMLInputElement>('input[data-stop], [data-stop] input')]
  return stops.find(
    (stop) => stop.value === '' && (from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
}
