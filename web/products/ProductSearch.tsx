import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { HomeSearch } from '../app/routes/search.ts'
import { useDebounce } from '../lib/debounce.ts'
import { useT } from '../lib/language/i18n.tsx'
import { CloseIcon, SearchIcon } from '../ui/icons.tsx'

const DELAY_MS = 200
const LONGEST = 100

/** Search field; what is typed goes into the address, and a search has no other filters. Empty, it stays until it is closed. */
export function ProductSearch({ typed }: { typed: string }) {
  const t = useT()
  const navigate = useNavigate()
  const [text, setText] = useState(typed)
  const sent = useRef(typed)
  const field = useRef<HTMLInputElement>(null)
  // The address changed otherwise: Back, or a link.
  useEffect(() => {
    if (typed === sent.current) return
    sent.current = typed
    setText(typed)
  }, [typed])
  const send = useDebounce((next: string) => {
    const q = next.trim()
    if (q === sent.current) return
    const replace = sent.current !== ''
    sent.current = q
    const search = (old: HomeSearch): HomeSearch =>
      q ? { ...old, q, vendor: undefined, size: undefined } : { ...old, q }
    void navigate({ to: '/', search, replace, resetScroll: false })
  }, DELAY_MS)
  const close = () => {
    const search = (old: HomeSearch): HomeSearch => ({ ...old, q: undefined })
    void navigate({ to: '/', search, replace: true, resetScroll: false })
  }
  const change = (next: string) => {
    setText(next)
    send(next)
  }
  const takeOver = useEffectEvent(() => {
    const typedBefore = field.current?.value ?? ''
    if (typedBefore === text) return
    change(typedBefore)
  })
  useEffect(() => {
    if (field.current?.value === '') field.current.focus()
  }, [])
  // Hydration keeps what was typed before it in the field, without an event.
  useEffect(() => takeOver(), [])
  return (
    <form
      role="search"
      onSubmit={(event) => event.preventDefault()}
      className="mt-2.5 flex h-11 items-center gap-2.5 rounded-m bg-well ps-3.5 has-focus-visible:inset-ring-2 has-focus-visible:inset-ring-focus md:mt-0"
    >
      <SearchIcon size={20} aria-hidden="true" className="text-ink-2" />
      <input
        ref={field}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={LONGEST}
        dir="auto"
        aria-label={t('shell.search')}
        placeholder={t('search.hint')}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        className="h-full min-w-0 flex-1 bg-transparent text-start outline-none"
      />
      <button
        type="button"
        aria-label={t('search.clear')}
        onClick={() => {
          if (text === '') return close()
          change('')
          field.current?.focus()
        }}
        className="grid size-tap shrink-0 place-items-center rounded-m text-ink-2"
      >
        <CloseIcon size={18} aria-hidden="true" />
      </button>
    </form>
  )
}
