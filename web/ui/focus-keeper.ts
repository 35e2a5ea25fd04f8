import { useEffect } from 'react'

/** Layers over or beside the page; the focus returns to their opener when they close. */
const layers = 'dialog, [role="dialog"], [role="menu"], aside, [data-layer]'
/** Elements that may take the focus after a control disappeared. */
const places = '[data-place], [data-row], li, section, form, fieldset, dialog, [role="dialog"], aside, main'
const rows = '[data-row], li'

const rowsIn = (parent: Element) => [...parent.children].filter((one) => one.matches(rows))

interface FocusRecord {
  element: HTMLElement
  layer: Element
  /** The element and its ancestors, innermost first; for a row also its position among the rows. */
  path: readonly { node: Element; parent: Element | null; at: number }[]
  /** Selector of the nearest `data-focus-after`. */
  after: string | null
}

function keep(element: HTMLElement): FocusRecord {
  const path: FocusRecord['path'][number][] = []
  for (let node: Element | null = element; node && node !== document.body; node = node.parentElement) {
    const parent: Element | null = node.parentElement
    path.push({ node, parent, at: parent && node.matches(rows) ? rowsIn(parent).indexOf(node) : 0 })
  }
  return {
    element,
    layer: element.closest(layers) ?? document.body,
    path,
    after: element.closest<HTMLElement>('[data-focus-after]')?.dataset['focusAfter'] ?? null,
  }
}

const isThere = (element: Element) =>
  element.isConnected && !element.matches(':disabled') && !element.closest('[inert], [hidden]')
const isLost = () => document.activeElement === null || document.activeElement === document.body

/** False if the element cannot take the focus: it is hidden, inert or disabled. */
function focus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement) || !element.isConnected) return false
  const isPlain = element.tabIndex < 0 && !element.hasAttribute('tabindex')
  if (isPlain) element.tabIndex = -1
  element.focus({ preventScroll: true })
  const isFocused = document.activeElement === element
  if (isPlain) {
    if (isFocused) element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
    else element.removeAttribute('tabindex')
  }
  return isFocused
}

/** Focuses the control; else the row now at its row's position; else the nearest remaining ancestor. */
function restore({ element, path, after }: FocusRecord): boolean {
  if (focus(element)) return true
  if (after !== null && focus(document.querySelector(after))) return true
  return path.some(({ node, parent, at }) => {
    if (node.isConnected)
      return node.matches(places) && focus(node.tagName === 'ASIDE' ? (node.querySelector('h2') ?? node) : node)
    if (!node.matches(rows) || !parent?.isConnected) return false
    const left = rowsIn(parent)
    return focus(left[Math.min(at, left.length - 1)])
  })
}

/**
 * Keeps the focus off the body: when the focused control disappears (action done, row deleted, dialog closed), focuses
 * its opener or the nearest remaining place.
 */
export function keepFocus(): () => void {
  let trail: readonly FocusRecord[] = []

  function recover() {
    if (!isLost() || trail.length === 0) return
    for (const record of [...trail].reverse()) {
      if (record.layer.isConnected && restore(record)) return
    }
    focus(document.getElementById('main'))
  }
  function onFocus({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || target === document.body) return
    const record = keep(target)
    trail = [
      ...trail.filter(
        ({ layer }) =>
          layer.isConnected &&
          layer !== record.layer &&
          (record.layer === document.body || !record.layer.contains(layer)),
      ),
      record,
    ]
  }
  function onBlur({ target, relatedTarget }: FocusEvent) {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return
    setTimeout(() => {
      if (!isLost()) return
      // A click on empty space removed the focus on purpose.
      if (isThere(target)) trail = []
      else recover()
    })
  }
  const observer = new MutationObserver(() => {
    const last = trail.at(-1)
    if (last && !isThere(last.element)) recover()
  })
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open'],
  })
  if (!isLost() && document.activeElement instanceof HTMLElement) trail = [keep(document.activeElement)]
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  return () => {
    trail = []
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
  }
}

export const useKeptFocus = () => useEffect(keepFocus, [])
