import type { Output } from '@qatra/contract/endpoint'
import type { ConversationDetail, listMessages } from '@qatra/contract/whatsapp/inbox/inbox'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { DownIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { usePending } from '../composer/outbox.ts'
import { renewDetail, renewList } from '../inbox/inbox-cache.ts'
import { reportRead } from '../inbox/use-inbox.ts'
import { ThreadEntry } from './ThreadEntry.tsx'
import { type ThreadItem, threadOf } from './thread.ts'

interface ThreadProps {
  contactId: number
  detail: ConversationDetail | undefined
  query: UseInfiniteQueryResult<InfiniteData<Output<typeof listMessages>>>
  /** The message that a search has found. */
  hit: number | null
  now: Date
}

/** Distance in px from the end within which the thread counts as scrolled to the end. */
const AT_END = 80
const NEAR_BEGINNING = 300

export function Thread({ contactId, detail, query, hit, now }: ThreadProps) {
  const t = useT()
  const pending = usePending(contactId)
  const pages = query.data?.pages
  const messages = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  const isLoaded = pages !== undefined
  // Keep the unread mark of the first load while the conversation is read.
  const [firstUnread, setFirstUnread] = useState<number | null | undefined>(undefined)
  if (firstUnread === undefined && isLoaded) {
    setFirstUnread(messages.filter(({ direction, isRead }) => direction === 'incoming' && !isRead).at(-1)?.id ?? null)
  }
  const hasOlder = query.hasNextPage
  const items = useMemo(
    () => threadOf({ messages, detail, pending, hasOlder, firstUnread: firstUnread ?? null }),
    [messages, detail, pending, hasOlder, firstUnread],
  )
  const scroll = useScroll(items, query)
  useJump(
    scroll.box,
    hit,
    messages.some(({ id }) => id === hit),
    query,
  )
  // A late message stands at its own time, above newer ones, but is the last that was stored.
  const unread = messages.filter(({ direction, isRead }) => direction === 'incoming' && !isRead).map(({ id }) => id)
  useReading(contactId, unread.length > 0 ? Math.max(...unread) : null, scroll.isAtEnd)
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroll.box}
        role="log"
        aria-label={t('inbox.messages')}
        // Focusable, so that long conversations scroll by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={scroll.onScroll}
        className="relative flex h-full flex-col overflow-y-auto overscroll-contain px-4 py-4.5 [overflow-anchor:none] focus-visible:-outline-offset-2 lg:px-7"
      >
        <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-2">
          {query.isFetchingNextPage && <Skeleton className="mx-auto h-5 w-28" />}
          {query.error && (
            <p role="status" className="justify-self-center rounded-full bg-surface px-3 py-1 text-caption text-ink-2">
              {t('inbox.offline')}
            </p>
          )}
          {isLoaded || query.error ? (
            <ol className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {items.map((item) => (
                <ThreadEntry
                  key={item.key}
                  item={item}
                  contactId={contactId}
                  isHit={item.kind === 'message' && item.message.id === hit}
                  now={now}
                />
              ))}
            </ol>
          ) : (
            <ThreadSkeleton />
          )}
          {isLoaded && items.length === 0 && (
            <p className="justify-self-center py-6 text-ink-2">{t('inbox.nothingSaid')}</p>
          )}
        </div>
      </div>
      {!scroll.isAtEnd && (
        <button
          type="button"
          className="rise absolute end-5 bottom-4 flex h-10 items-center gap-2 rounded-full bg-surface px-3.5 shadow-float hover:bg-well max-md:h-tap"
          onClick={scroll.toEnd}
        >
          {scroll.below > 0 && <b className="font-strong">{t('inbox.below', { count: scroll.below })}</b>}
          <span className={scroll.below > 0 ? 'sr-only' : ''}>{t('inbox.toNewest')}</span>
          <DownIcon size={18} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

/** Keeps the end in view if the user is there, and the visible messages in place while older ones load above. */
function useScroll(items: readonly ThreadItem[], query: ThreadProps['query']) {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [below, setBelow] = useState(0)
  const before = useRef({ height: 0, first: '', last: '', count: 0 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const [first = '', last = ''] = [items.find(({ kind }) => kind !== 'day')?.key, items.at(-1)?.key]
    const was = before.current
    const isOlderAbove = was.first !== '' && first !== was.first && last === was.last
    if (isOlderAbove) element.scrollTop += element.scrollHeight - was.height
    else if (isAtEnd) {
      const divider = was.count === 0 ? element.querySelector<HTMLElement>('[data-unread]') : null
      if (divider) element.scrollTop = Math.min(divider.offsetTop - 60, element.scrollHeight)
      else element.scrollTop = element.scrollHeight
    } else if (last !== was.last) setBelow((count) => count + Math.max(1, items.length - was.count))
    before.current = { height: element.scrollHeight, first, last, count: items.length }
  }, [items, isAtEnd])
  // Heights change later, when the keyboard opens or a picture loads.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (isAtEnd) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [isAtEnd])
  const onScroll = () => {
    const element = box.current
    if (!element) return
    const isNow = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END
    setAtEnd(isNow)
    if (isNow) setBelow(0)
    if (element.scrollTop < NEAR_BEGINNING && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
  }
  const toEnd = () => {
    const element = box.current
    if (element) element.scrollTop = element.scrollHeight
  }
  return { box, isAtEnd, below, onScroll, toEnd }
}

/** Brings a message into view, after the older ones up to it are loaded. */
function useJump(
  box: RefObject<HTMLDivElement | null>,
  id: number | null,
  isLoaded: boolean,
  { hasNextPage, isFetchingNextPage, fetchNextPage }: ThreadProps['query'],
) {
  useEffect(() => {
    if (id === null) return
    if (isLoaded) box.current?.querySelector(`[data-message="${id}"]`)?.scrollIntoView({ block: 'center' })
    else if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [box, id, isLoaded, hasNextPage, isFetchingNextPage, fetchNextPage])
}

/** Marks messages as read once the end is in view on a visible page. */
function useReading(contactId: number, upTo: number | null, isAtEnd: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (upTo === null || !isAtEnd) return
    const read = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', read)
      void reportRead(contactId, upTo).then(() => Promise.all([renewList(queries), renewDetail(queries, contactId)]))
    }
    document.addEventListener('visibilitychange', read)
    read()
    return () => document.removeEventListener('visibilitychange', read)
  }, [queries, contactId, upTo, isAtEnd])
}

function ThreadSkeleton() {
  return (
    <div aria-hidden="true" className="grid gap-2">
      <Skeleton className="h-14 w-56 rounded-l" />
      <Skeleton className="h-20 w-72 justify-self-end rounded-l" />
      <Skeleton className="h-14 w-40 rounded-l" />
    </div>
  )
}
