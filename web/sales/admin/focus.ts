import type { KeyboardEvent } from 'react'

/** The id of a field's control, by the name the interface gives the field. */
export const fieldId = (field: string) => `sale-${field.replaceAll('.', '-')}`

/** After React has rendered it. */
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
 * Enter goes on to the next stop that is still empty: what is known already is passed over, and the last stop, which adds
 * a product, is always empty. Ctrl + Enter is not for here.
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
