import { searchMessages } from '@qatra/contract/whatsapp/inbox/transcript'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { read } from '../../../lib/api-client.ts'
import { useDebouncedValue } from '../../../lib/debounce.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { CloseIcon, DownIcon, SearchIcon } from '../../../ui/icons.tsx'
import { focusThread } from '../inbox/use-inbox-keys.ts'
import { dayAndClock } from './chat-time.ts'

const TYPING_MS = 250

interface SearchProps {
  contactId: number
  /** The message to show; null for none. */
  onHit(id: number | null): void
  onClose(): void
}

/** Finds messages of the open conversation and walks through them, the newest first. */
export function MessageSearch({ contactId, onHit, onClose }: SearchProps) {
  const { t, lang } = useLanguage()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const [sought, setSought] = useDebouncedValue(text.trim(), TYPING_MS)
  const { data, isError } = useQuery({
    ...read(searchMessages, { params: { contact: String(contactId) }, query: { search: sought } }),
    enabled: sought !== '',
    placeholderData: keepPreviousData,
  })
  const hits = sought === '' ? [] : (data ?? [])
  const hit = hits[Math.min(at, hits.length - 1)]
  useEffect(() => onHit(hit?.id ?? null), [hit?.id]) // oxlint-disable-line react/exhaustive-deps -- of the hit alone
  const step = (by: 1 | -1) => hits.length > 0 && setAt((at + by + hits.length) % hits.length)
  function close() {
    onHit(null)
    onClose()
    focusThread()
  }
  return (
    <search className="flex min-h-11 flex-none items-center gap-2 border-b border-line bg-page px-4 md:px-6">
      <SearchIcon size={16} aria-hidden="true" className="flex-none text-ink-3" />
      <input
        ref={field}
        type="text"
        dir="auto"
        enterKeyHint="search"
        aria-label={t('inbox.find')}
        placeholder={t('inbox.find')}
        maxLength={100}
        value={text}
        className="h-9 min-w-0 flex-1 bg-transparent text-as-page outline-none placeholder:text-ink-3 max-md:h-tap"
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') return close()
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (sought === text.trim()) step(event.shiftKey ? -1 : 1)
          else setSought(text.trim())
        }}
      />
      <p role="status" className="flex-none text-caption text-ink-2">
        {isError && t('admin.failed')}
        {!isError && sought !== '' && data && hits.length === 0 && t('inbox.find.none')}
        {hit && (
          <>
            <bdi dir="ltr">
              {Math.min(at, hits.length - 1) + 1} / {hits.length}
            </bdi>
            <bdi className="ms-2 max-md:sr-only">{dayAndClock(new Date(hit.at), lang)}</bdi>
          </>
        )}
      </p>
      <Step label={t('inbox.find.older')} onClick={() => step(1)}>
        <DownIcon size={18} aria-hidden="true" className="rotate-180" />
      </Step>
      <Step label={t('inbox.find.newer')} onClick={() => step(-1)}>
        <DownIcon size={18} aria-hidden="true" />
      </Step>
      <Step label={t('inbox.find.close')} onClick={close}>
        <CloseIcon size={18} aria-hidden="true" />
      </Step>
    </search>
  )
}

const Step = ({ label, onClick, children }: { label: string; onClick(): void; children: ReactNode }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className="grid size-8 flex-none place-items-center rounded-s text-ink-2 hover:bg-well max-md:size-tap"
    onClick={onClick}
  >
    {children}
  </button>
)
