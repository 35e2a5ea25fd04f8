import { useEffect, useState } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { useChunk } from '../lib/use-chunk.ts'
import { classes } from '../ui/class-names.ts'
import { SearchIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { paletteRequested } from './palette-events.ts'

const loadPalette = () => import('./Palette.tsx').then((module) => module.Palette)

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** In a text field of Apple's systems Ctrl+K deletes to the end of the line. Editors and open dialogs keep the keys. */
function keepsKey({ target, ctrlKey }: KeyboardEvent) {
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[contenteditable]') !== null) return true
  return ctrlKey && isApple() && target.closest('input, textarea') !== null
}

/** Opens the search of the whole admin area by Ctrl+K, ⌘K or its buttons. */
export function PaletteOpener() {
  const t = useT()
  const [open, setOpen] = useState(false)
  const Palette = useChunk(loadPalette, {
    need: open,
    onError() {
      setOpen(false)
      toast({ title: t('admin.failed'), tone: 'error' })
    },
  })
  useEffect(() => paletteRequested.on(() => setOpen(true)), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // On an Arabic keyboard the key of `k` writes ن.
      if (event.code !== 'KeyK' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return
      if (event.defaultPrevented || keepsKey(event)) return
      // The browser's own Ctrl+K leaves the page.
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return open && Palette ? <Palette onClose={() => setOpen(false)} /> : null
}

/** The button in the rail. */
export function PaletteButton() {
  const t = useT()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title={t('admin.find.open')}
      className={classes(
        'flex h-9.5 w-full items-center gap-2.5 rounded-[10px] bg-surface px-2.5 text-start text-ink-3',
        'inset-ring inset-ring-line hover:bg-well-2 rail-icons:justify-center',
      )}
      onClick={() => paletteRequested.emit()}
    >
      <SearchIcon size={18} aria-hidden="true" className="flex-none" />
      <span className="truncate leading-relaxed rail-icons:sr-only">{t('admin.find')}</span>
      <kbd aria-hidden="true" dir="ltr" className="ms-auto font-sans text-caption rail-icons:hidden">
        {isApple() ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}
