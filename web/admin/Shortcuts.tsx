import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { KeysDialog } from '../ui/admin/KeysDialog.tsx'
import { pathOf, useNavigation } from './nav.ts'
import { shortcutsRequested } from './shortcut-events.ts'

/** Time limit for the key after `g`. */
const FOLLOWS_MS = 1500

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog') !== null

/**
 * `g` and a letter open a page, `/` focuses the search, `z` runs the undo of a toast, `?` lists all. Keys are matched
 * by position (`code`).
 */
export function Shortcuts() {
  const t = useT()
  const router = useRouter()
  const entries = useNavigation()
  const [open, setOpen] = useState(false)
  const begun = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => shortcutsRequested.on(() => setOpen(true)), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      // On an Arabic keyboard the key of `g` writes ل.
      const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
      const entry = entries.find(({ nav }) => nav?.key === letter)
      if (event.timeStamp - begun.current < FOLLOWS_MS && entry) {
        begun.current = Number.NEGATIVE_INFINITY
        event.preventDefault()
        void router.navigate({ to: pathOf(entry) })
      } else if (letter === 'g') begun.current = event.timeStamp
      else if (letter === 'z') document.querySelector<HTMLElement>('#toasts button')?.click()
      else if (event.key === '?' || event.key === '؟') setOpen(true)
      else if (event.key === '/' || (event.code === 'Slash' && !event.shiftKey)) {
        const search = document.querySelector<HTMLElement>('[data-search]')
        if (!search) return
        event.preventDefault()
        search.focus()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [entries, router])

  const rows: [string[], string][] = [
    [['Ctrl', 'K'], t('admin.shortcuts.find')],
    [['/'], t('admin.shortcuts.search')],
    [['?'], t('admin.shortcuts.show')],
    [['j', 'k'], t('admin.shortcuts.move')],
    [['x'], t('admin.shortcuts.select')],
    [['b'], t('admin.shortcuts.bulk')],
    [['z'], t('admin.shortcuts.undo')],
    [['Enter'], t('admin.shortcuts.open')],
    [['Esc'], t('admin.shortcuts.close')],
    ...entries.flatMap(({ nav, label }): [string[], string][] => (nav ? [[['g', nav.key], t(label)]] : [])),
  ]
  return <KeysDialog open={open} title={t('admin.shortcuts')} rows={rows} onClose={() => setOpen(false)} />
}
