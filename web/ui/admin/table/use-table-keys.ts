import { type RefObject, useEffect, useRef } from 'react'

interface TableKeys {
  box: RefObject<HTMLElement | null>
  keys: readonly string[]
  openKey: string | undefined
  open(key: string): void
  toggle(key: string): void
}

const isElsewhere = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('textarea, select, [contenteditable], dialog, [role="dialog"], [role="menu"], input:not(.tick)') !==
    null

/**
 * Keyboard control of a table, unless a field is focused: ↓ and j move to the next row, ↑ and k to the previous one,
 * x selects, b focuses the bulk actions, Enter opens. An open panel follows the focused row.
 */
export function useTableKeys(given: TableKeys) {
  const latest = useRef(given)
  useEffect(() => {
    latest.current = given
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { box, keys, openKey, open, toggle } = latest.current
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isElsewhere(event.target)) return
      const focused = document.activeElement?.closest<HTMLElement>('[data-row]')
      const isInside = Boolean(focused && box.current?.contains(focused))
      const here = isInside ? focused?.dataset['row'] : openKey
      const isFree = isInside || document.activeElement === document.body || document.activeElement?.id === 'main'
      // Letters are matched by position (`code`), in any layout; arrows scroll if there is no row.
      const step = { KeyJ: 1, KeyK: -1, ArrowDown: isFree ? 1 : 0, ArrowUp: isFree ? -1 : 0 }[event.code] ?? 0
      if (step !== 0) {
        const at = here === undefined ? -1 : keys.indexOf(here)
        const next = keys[at < 0 ? 0 : Math.min(keys.length - 1, Math.max(0, at + step))]
        if (next === undefined) return
        event.preventDefault()
        const row = [...(box.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].find(
          (element) => element.dataset['row'] === next,
        )
        row?.focus()
        if (openKey !== undefined && next !== openKey) open(next)
      } else if (event.code === 'KeyB') {
        box.current?.querySelector<HTMLElement>('[data-bulk] button')?.focus()
      } else if (here !== undefined && event.code === 'KeyX') {
        event.preventDefault()
        toggle(here)
      } else if (isInside && event.key === 'Enter' && document.activeElement === focused && focused?.tagName === 'TR') {
        event.preventDefault()
        if (here !== undefined) open(here)
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
