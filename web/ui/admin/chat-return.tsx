import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { StartIcon } from '../icons.tsx'
import { toolbarButtonClass } from './ToolbarButton.tsx'

/** The inbox as it was left: its address, and how far which list was scrolled. */
let place: { search: { open?: unknown }; list: string; top: number } = { search: {}, list: '', top: 0 }
export const inboxPlace = () => place
export const keepInboxPlace = (change: Partial<typeof place>) => {
  place = { ...place, ...change }
}

/** The conversation from which this page was opened (`?chat=`). */
export function useChat(): number | null {
  const { chat } = useSearch({ strict: false }) as { chat?: unknown } // the address may contain any text
  const id = Number(chat ?? 0)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

const isInField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null

/** Leads back to the conversation from which the page was opened, as does Escape outside of fields. */
export function ChatReturn({ className = toolbarButtonClass() }: { className?: string }) {
  const t = useT()
  const navigate = useNavigate()
  const chat = useChat()
  const search = { ...place.search, open: chat, card: undefined }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || chat === null) return
    if (document.querySelector('dialog[open], [role="menu"]')) return
    if (isInField(event.target)) document.getElementById('main')?.focus({ preventScroll: true })
    else void navigate({ to: '/admin/whatsapp', search, replace: true })
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  if (chat === null) return null
  return (
    <Link to="/admin/whatsapp" search={search} replace aria-keyshortcuts="Escape" className={className}>
      <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
      {t('admin.toChat')}
    </Link>
  )
}
