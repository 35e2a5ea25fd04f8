import { useEffect, useEffectEvent, useRef } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import type { Work } from '../chat/use-work.ts'
import type { Inbox } from './use-inbox.ts'

/** The keys, in the order of the list that `?` shows. */
export const inboxKeys = [
  [['j', 'k'], 'move'],
  [['a'], 'assign'],
  [['r'], 'reply'],
  [['c'], 'canned'],
  [['n'], 'note'],
  [['s'], 'snooze'],
  [['e'], 'resolve'],
  [['z'], 'undo'],
  [['Esc'], 'close'],
  [['?'], 'show'],
] as const satisfies readonly (readonly [readonly string[], string])[]

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], dialog, [role="menu"]') !== null

const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()
const pressLabelled = (label: string) => press(`button[aria-label="${CSS.escape(label)}"]`)

/** `g` and a letter open a page of the admin area. */
const FOLLOWS_MS = 1_500

interface Parts {
  inbox: Inbox
  /** Null without a conversation or without the permission to answer. */
  work: Work | null
  onHelp(): void
}

/** Keys are matched by `event.code`, so they work in any layout. `z` is the undo of the admin area. */
export function useInboxKeys({ inbox: { neighbours, state, setState }, work, onHelp }: Parts) {
  const t = useT()
  const goBegunAt = useRef(Number.NEGATIVE_INFINITY)
  function walk(direction: 'after' | 'before') {
    const [next] = neighbours(direction)
    if (!next) return false
    setState({ open: next.contactId, card: false }, { replace: state.open !== undefined })
    document.querySelector(`[data-contact="${next.contactId}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  function focusComposer() {
    const composer = document.querySelector<HTMLElement>('[data-composer]')
    composer?.focus()
    return composer !== null
  }
  function act(code: string): boolean {
    if (code === 'KeyJ') return walk('after')
    if (code === 'KeyK') return walk('before')
    if (!work) return false
    if (code === 'KeyR') return focusComposer()
    if (code === 'KeyA') void work.assignToMe()
    else if (code === 'KeyE') void work.resolve()
    else if (code === 'KeyS') press('button:has(> [data-snooze])')
    else if (code === 'KeyC') pressLabelled(t('inbox.canned.insert'))
    else if (code === 'KeyN') pressLabelled(t('inbox.note.write'))
    else return false
    return true
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
    if (event.timeStamp - goBegunAt.current < FOLLOWS_MS) return
    if (event.code === 'KeyG') goBegunAt.current = event.timeStamp
    else if (event.key === '?' || event.key === '؟') {
      event.preventDefault()
      onHelp()
    } else if (event.key === 'Escape' && state.open !== undefined) {
      if (document.querySelector('dialog[open]')) return
      setState(state.card ? { card: false } : { open: undefined })
    } else if (act(event.code)) event.preventDefault()
  })
  useEffect(() => {
    // Before the keys of the whole admin area, which ignore prevented ones.
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])
}
