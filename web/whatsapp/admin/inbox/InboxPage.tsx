import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { readSearch } from '../../../lib/search-state.ts'
import { keepInboxPlace } from '../../../ui/admin/chat-return.tsx'
import { KeysDialog } from '../../../ui/admin/KeysDialog.tsx'
import { classes } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Chat } from '../chat/Chat.tsx'
import { useWork } from '../chat/use-work.ts'
import { ContactCard } from '../contact-panel/ContactCard.tsx'
import { ConversationList } from './ConversationList.tsx'
import { conversationsQuery, detailQuery, messagesQuery } from './inbox-cache.ts'
import { inboxShape } from './inbox-search.ts'
import { useInbox, usePolling } from './use-inbox.ts'
import { inboxKeys, useInboxKeys } from './use-inbox-keys.ts'

/**
 * List, conversation and contact card: side by side on a wide screen; on a phone each has its own entry in the history.
 */
function InboxPage() {
  const t = useT()
  const inbox = useInbox()
  const { open, card } = inbox.state
  const [isHelping, setHelping] = useState(false)
  const mayReply = useUser()?.permissions.includes('whatsapp.reply') ?? false
  const work = useWork(open ?? 0, inbox)
  usePolling(open)
  useInboxKeys({
    inbox,
    work: open !== undefined && mayReply ? work : null,
    onHelp: () => setHelping(true),
  })
  const search = useSearch({ strict: false })
  useEffect(() => keepInboxPlace({ search }), [search])
  return (
    <main
      id="main"
      className="chat-columns relative grid h-[calc(100dvh-60px-var(--top-bar,0px)-var(--offline,0px))] min-h-0 grid-cols-[minmax(0,1fr)] md:h-[calc(100dvh-var(--top-bar,0px)-var(--offline,0px))] md:grid-cols-[300px_minmax(0,1fr)] xl:grid-cols-[328px_minmax(0,1fr)_320px]"
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
          <Chat
            key={open}
            contactId={open}
            inbox={inbox}
            work={mayReply ? work : null}
            className={card ? 'hidden md:flex' : 'flex'}
          />
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
      <KeysDialog
        open={isHelping}
        title={t('inbox.keys')}
        rows={inboxKeys.map(([keys, name]) => [keys, t(`inbox.keys.${name}`)])}
        onClose={() => setHelping(false)}
      />
    </main>
  )
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
