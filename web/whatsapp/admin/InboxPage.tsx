import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useT } from '../../app/i18n.tsx'
import type { Page } from '../../app/page.ts'
import { readSearch } from '../../app/search-state.ts'
import { classes } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Chat } from './Chat.tsx'
import { ContactCard } from './ContactCard.tsx'
import { ConversationList } from './ConversationList.tsx'
import { conversationsQuery, detailQuery, messagesQuery } from './inbox-cache.ts'
import { inboxShape } from './inbox-search.ts'
import { type Inbox, useInbox, usePolling } from './use-inbox.ts'

/**
 * List, conversation and contact card: side by side on a wide screen; on a phone each has its own entry in the history.
 */
function InboxPage() {
  const t = useT()
  const inbox = useInbox()
  const { open, card } = inbox.state
  usePolling(open)
  useKeys(inbox)
  return (
    <main
      id="main"
      className="relative grid h-[calc(100dvh-60px)] min-h-0 grid-cols-[minmax(0,1fr)] md:h-dvh md:grid-cols-[300px_minmax(0,1fr)] xl:grid-cols-[328px_minmax(0,1fr)_320px]"
    >
      <h1 className="sr-only">{t('inbox.title')}</h1>
      <ConversationList inbox={inbox} className={open === undefined ? 'flex' : 'hidden md:flex'} />
      {open === undefined ? (
        <div className="hidden place-items-center bg-well px-6 md:grid xl:col-span-2">
          {/* If there are no conversations, the list says so. */}
          {inbox.conversations.length > 0 && <EmptyState title={t('inbox.choose')} text={t('inbox.choose.hint')} />}
        </div>
      ) : (
        <>
          <Chat key={open} contactId={open} inbox={inbox} className={card ? 'hidden md:flex' : 'flex'} />
          <ContactCard
            key={`card-${open}`}
            contactId={open}
            now={inbox.now}
            onClose={() => inbox.setState({ card: false })}
            className={classes(
              card
                ? 'flex md:max-xl:fixed md:max-xl:inset-y-0 md:max-xl:end-0 md:max-xl:z-30 md:max-xl:w-96 md:max-xl:shadow-float'
                : 'hidden xl:flex',
            )}
          />
        </>
      )}
    </main>
  )
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], dialog, [role="menu"]') !== null

/**
 * Keys: j and k move through the conversations, r replies, Escape closes. Matched by `event.code`, so they work in any
 * layout.
 */
function useKeys({ conversations, state, setState }: Inbox) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      const step = { KeyJ: 1, KeyK: -1 }[event.code]
      if (step !== undefined) {
        const at = conversations.findIndex(({ contactId }) => contactId === state.open)
        const next = conversations[at === -1 ? 0 : at + step]
        if (!next) return
        event.preventDefault()
        setState({ open: next.contactId, card: false }, { replace: state.open !== undefined })
        document.querySelector(`[data-contact="${next.contactId}"]`)?.scrollIntoView({ block: 'nearest' })
      } else if (event.code === 'KeyR') {
        const composer = document.querySelector<HTMLElement>('[data-composer]')
        if (!composer) return
        event.preventDefault()
        composer.focus()
      } else if (event.key === 'Escape' && state.open !== undefined) {
        if (document.querySelector('dialog[open]')) return
        setState(state.card ? { card: false } : { open: undefined })
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [conversations, state.open, state.card, setState])
}

export const page: Page = {
  Component: function WhatsAppInbox() {
    const queries = useQueryClient()
    // Show the cached list at once and refetch it.
    useEffect(() => {
      void queries.invalidateQueries({ queryKey: conversationsQuery(readSearch(inboxShape, {})).queryKey.slice(0, 2) })
    }, [queries])
    return <InboxPage />
  },
  showsWaiting: true,
  load({ queries, search }) {
    const state = readSearch(inboxShape, search)
    const { open } = state
    return Promise.all([
      queries.prefetchInfiniteQuery(conversationsQuery(state)),
      ...(open === undefined
        ? []
        : [queries.prefetchInfiniteQuery(messagesQuery(open)), queries.prefetchQuery(detailQuery(open))]),
    ])
  },
  head: ({ t }) => ({ title: t('inbox.title'), hidden: true }),
}
