import { useEffect } from 'react'

/** What opens over or beside the page, and gives the focus back when it is gone. */
const layers = 'dialog, [role="dialog"], [role="menu"], aside, [data-layer]'
/** Where the focus may rest when the control that had it is gone. */
const places = '[data-place], [data-row], li, section, form, fieldset, dialog, [role="dialog"], aside, main'
const rows = '[data-row], li'

const rowsIn = (parent: Element) => [...parent.children].filter((one) => one.matches(rows))

interface Kept {
  element: HTMLElement
  layer: Element
  /** The element and what it stood in, inside out; of a row also its position among the rows. */
  path: readonly { node: Element; parent: Element | null; at: number }[]
  /** Where the surrounding part of the page says the focus goes after it: a selector. */
  after: string | null
}

function keep(element: HTMLElement): Kept {
  const path: Kept['path'][number][] = []
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

/** False where the element cannot take the focus: it is hidden, inert or disabled. */
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

/** The control itself; else the row that took its row's place; else the nearest part of the page it stood in. */
function restore({ element, path, after }: Kept): boolean {
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
 * The focus never falls to the page's body: where the control that had it goes away (its act is done, its row is deleted,
 * its dialog is closed), the focus goes to what opened it or to the nearest part of the page that is still there.
 */
export function keepFocus(): () => void {
  let trail: readonly Kept[] = []

  function recover() {
    if (!isLost() || trail.length === 0) return
    for (const kept of [...trail].reverse()) {
      if (kept.layer.isConnected && restore(kept)) return
    }
    focus(document.getElementById('main'))
  }
  function onFocus({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || target === document.body) return
    const kept = keep(target)
    trail = [
      ...trail.filter(
        ({ layer }) =>
          layer.isConnected && layer !== kept.layer && (kept.layer === document.body || !kept.layer.contains(layer)),
      ),
      kept,
    ]
  }
  function onBlur({ target, relatedTarget }: FocusEvent) {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return
    setTimeout(() => {
      if (!isLost()) return
      // A press on nothing: the person took the focus away.
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
