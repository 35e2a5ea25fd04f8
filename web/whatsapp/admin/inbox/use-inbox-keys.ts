import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { createEvent } from '../../../lib/event.ts'
import { inboxPlace } from '../../../ui/admin/chat-return.tsx'
import type { Work } from '../chat/use-work.ts'
import { detailQuery } from './inbox-cache.ts'
import type { Inbox } from './use-inbox.ts'

/** The keys, in the order of the list that `?` shows. */
export const inboxKeys = [
  [['j', 'k'], 'move'],
  [['a'], 'assign'],
  [['Shift', 'A'], 'assignOther'],
  [['t'], 'takeOver'],
  [['r'], 'reply'],
  [['/', 'c'], 'canned'],
  [['n'], 'note'],
  [['o'], 'order'],
  [['p'], 'newOrder'],
  [['q'], 'search'],
  [['f'], 'find'],
  [['m'], 'mute'],
  [['s'], 'snooze'],
  [['e'], 'resolve'],
  [['z'], 'undo'],
  [['Esc'], 'close'],
  [['?'], 'show'],
] as const satisfies readonly (readonly [readonly string[], string])[]

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], dialog, [role="menu"]') !== null

function press(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector)
  found?.click()
  return found !== null
}
const pressLabelled = (label: string) => press(`button[aria-label="${CSS.escape(label)}"]`)

/** The assignment's dialog of the open conversation. */
export const assignRequested = createEvent()

/** The search in the open conversation. */
export const findRequested = createEvent()

/** Without it the focus would be lost with what disappears. The thread scrolls by keyboard and takes single keys. */
export const focusThread = () => document.querySelector<HTMLElement>('[role="log"]')?.focus({ preventScroll: true })

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
  const { open } = state
  const goBegunAt = useRef(Number.NEGATIVE_INFINITY)
  const { isSuccess: isLoaded } = useQuery({ ...detailQuery(open ?? 0), enabled: open !== undefined })
  /** What was pressed before the card with its links had loaded. */
  const awaited = useRef<string | null>(null)
  useEffect(() => {
    if (isLoaded && awaited.current) press(awaited.current)
    awaited.current = null
  }, [open, isLoaded])
  function pressOnCard(selector: string): boolean {
    if (press(selector)) return true
    if (open === undefined || isLoaded) return false
    awaited.current = selector
    return true
  }
  function walk(direction: 'after' | 'before') {
    const [next] = neighbours(direction)
    if (!next) return false
    setState({ open: next.contactId, card: false }, { replace: state.open !== undefined })
    document.querySelector(`[data-contact="${next.contactId}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  function focusSearch() {
    const search = document.querySelector<HTMLElement>('[data-search]')
    search?.focus()
    return search !== null
  }
  function focusComposer() {
    const composer = document.querySelector<HTMLElement>('[data-composer]')
    composer?.focus()
    return composer !== null
  }
  function act(code: string, isShifted: boolean): boolean {
    awaited.current = null
    if (code === 'KeyJ') return walk('after')
    if (code === 'KeyK') return walk('before')
    if (code === 'KeyO') return pressOnCard('[data-open-order]')
    if (code === 'KeyQ') return focusSearch()
    if (code === 'KeyF' && open !== undefined) {
      findRequested.emit()
      return true
    }
    if (!work) return false
    if (code === 'KeyP') return pressOnCard('[data-new-order]')
    if (code === 'KeyR') return focusComposer()
    if (code === 'KeyA' && isShifted) assignRequested.emit()
    else if (code === 'KeyA') void work.assignToMe()
    else if (code === 'KeyM') void work.switchMute()
    else if (code === 'KeyT') void work.switchBot()
    else if (code === 'KeyE') void work.resolve()
    else if (code === 'KeyS') press('button:has(> [data-snooze])')
    else if (code === 'KeyC' || code === 'Slash') pressLabelled(t('inbox.canned.insert'))
    else if (code === 'KeyN') pressLabelled(t('inbox.note.write'))
    else return false
    return true
  }
  // Not when the page is loaded, but when one comes back to it.
  const isWatched = useRef(inboxPlace().search.open !== undefined)
  useEffect(() => {
    if (isWatched.current && document.activeElement === document.body) focusThread()
    isWatched.current = true
  }, [open])
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
    if (event.timeStamp - goBegunAt.current < FOLLOWS_MS) return
    if (event.code === 'KeyG') goBegunAt.current = event.timeStamp
    else if (event.key === '?' || event.key === '؟') {
      event.preventDefault()
      onHelp()
    } else if (event.key === 'Escape' && state.open !== undefined) {
      // It closes what is open above the conversation first.
      if (document.querySelector('dialog[open], [role="menu"], [role="dialog"]')) return
      setState(state.card ? { card: false } : { open: undefined })
      if (!state.card)
        requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-contact="${open}"]`)?.focus())
    } else if (act(event.code, event.shiftKey)) event.preventDefault()
  })
  useEffect(() => {
    // Before the keys of the whole admin area, which ignore prevented ones.
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])
}
