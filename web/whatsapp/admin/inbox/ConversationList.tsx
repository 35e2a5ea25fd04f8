import { type Conversation, type ConversationView, conversationViews } from '@qatra/contract/whatsapp/inbox/inbox'
import { type UIEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { inboxPlace, keepInboxPlace } from '../../../ui/admin/chat-return.tsx'
import { SearchFilter } from '../../../ui/admin/list/FilterBar.tsx'
import { Menu } from '../../../ui/admin/Menu.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { DownIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { draftOf } from '../composer/drafts.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { listQueryOf, viewOf } from './inbox-search.ts'
import { ListHead } from './ListHead.tsx'
import type { Inbox } from './use-inbox.ts'

/** Views shown as tabs; the others are in a menu. */
const near: readonly ConversationView[] = ['waiting', 'mine', 'all', 'done']
const NEARLY_AT_END = 400

export function ConversationList({ inbox, className }: { inbox: Inbox; className: string }) {
  const { t } = useLanguage()
  const { state, setState, list, conversations } = inbox
  const box = useRef<HTMLDivElement>(null)
  const key = JSON.stringify(listQueryOf(state))
  useLayoutEffect(() => {
    const { list: before, top } = inboxPlace()
    // Whoever comes back from an order finds the same place.
    if (box.current && before === key) box.current.scrollTop = top
  }, []) // oxlint-disable-line react/exhaustive-deps -- when the page opens
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLElement>) => {
    keepInboxPlace({ list: key, top: box.scrollTop })
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEARLY_AT_END
    if (isNear && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }
  return (
    <section
      aria-label={t('inbox.list')}
      className={classes('min-h-0 flex-col border-line bg-page md:border-e', className)}
    >
      <ListHead onStarted={(started) => setState({ open: started, card: false })} />
      <div className="grid gap-2.5 px-4 pb-2.5">
        <SearchFilter
          label={t('inbox.search')}
          value={state.q}
          onChange={(q) => setState({ q }, { replace: true })}
          className="md:w-full"
        />
        <Views inbox={inbox} />
      </div>
      <div
        className="relative min-h-0 flex-1 overflow-y-auto border-t border-line"
        ref={box}
        onScroll={onScroll}
        data-list
      >
        {list.error && (
          <p role="status" className="flex flex-wrap items-center gap-x-3 bg-well px-4 py-2.5 text-ink-2">
            {t(list.data ? 'inbox.offline' : 'admin.failed')}
            <button
              type="button"
              className="min-h-6 text-aqua-ink hover:underline max-md:min-h-tap"
              onClick={() => void list.refetch()}
            >
              {t('admin.retry')}
            </button>
          </p>
        )}
        {!list.data && !list.error && <RowSkeletons />}
        {conversations.length > 0 && <Rows inbox={inbox} />}
        {list.data && conversations.length === 0 && <NothingHere inbox={inbox} />}
        {list.isFetchingNextPage && <RowSkeletons count={2} />}
      </div>
    </section>
  )
}

function Rows({ inbox: { conversations, state, now, counts, waitMinutes } }: { inbox: Inbox }) {
  const { t } = useLanguage()
  const user = useUser()
  const isWaiting = viewOf(state) === 'waiting'
  const rowsOf = (some: readonly Conversation[]) =>
    some.map((conversation) => (
      <li key={conversation.contactId}>
        <ConversationRow
          conversation={conversation}
          isOpen={conversation.contactId === state.open}
          hasDraft={conversation.contactId !== state.open && draftOf(conversation.contactId) !== ''}
          isWaiting={isWaiting}
          waitMinutes={waitMinutes}
          now={now}
        />
      </li>
    ))
  if (!isWaiting) return <ul aria-label={t('inbox.list')}>{rowsOf(conversations)}</ul>
  // As the server sorts them.
  const isOthers = ({ assignedTo }: Conversation) => assignedTo !== null && assignedTo.id !== user?.id
  const own = conversations.filter((one) => !isOthers(one))
  const others = conversations.filter(isOthers)
  return (
    <>
      {own.length > 0 && (
        <>
          <p className={classes(groupTitle, 'flex flex-wrap justify-between gap-x-3')}>
            {t('inbox.waiting.order')}
            {counts !== undefined && counts.late > 0 && (
              <b className="font-strong text-clay">
                {t('inbox.waiting.late', { count: counts.late, minutes: waitMinutes })}
              </b>
            )}
          </p>
          <ul aria-label={t('inbox.list')}>{rowsOf(own)}</ul>
        </>
      )}
      {others.length > 0 && (
        <>
          <p className={groupTitle}>{t('inbox.waiting.others')}</p>
          <ul aria-label={t('inbox.waiting.others')}>{rowsOf(others)}</ul>
        </>
      )}
    </>
  )
}
const groupTitle = 'border-b border-line px-4 py-2 text-caption text-ink-3'

function Views({ inbox: { state, setState, counts } }: { inbox: Inbox }) {
  const { t } = useLanguage()
  const view = viewOf(state)
  const count = (one: ConversationView) =>
    one === 'unread' ? counts?.unread : one === 'waiting' ? counts?.waiting : one === 'mine' ? counts?.mine : undefined
  const isLateIn = (one: ConversationView) => one === 'waiting' && (counts?.late ?? 0) > 0
  const choose = (next: ConversationView) => setState({ view: next })
  const others = conversationViews.filter((one) => !near.includes(one))
  const isOther = others.includes(view)
  const shape =
    'flex h-7 items-center gap-1 rounded-s px-2 whitespace-nowrap max-md:h-tap max-md:min-w-tap max-md:justify-center'
  const tabClass = (chosen: boolean) => (chosen ? 'bg-surface font-strong text-ink' : 'text-ink-2 hover:text-ink')
  return (
    <div className="flex items-center gap-1">
      <fieldset aria-label={t('inbox.views')} className="flex min-w-0 rounded-[10px] bg-well p-0.75">
        {near.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            className={classes(shape, tabClass(one === view))}
            onClick={() => choose(one)}
          >
            {t(`inbox.view.${one}`)}
            {(count(one) ?? 0) > 0 && <span className={isLateIn(one) ? 'text-clay' : ''}>{count(one)}</span>}
          </button>
        ))}
        <Menu
          label={t('inbox.views')}
          className={classes(shape, tabClass(isOther))}
          buttonLabel={isOther ? t(`inbox.view.${view}`) : t('inbox.views.more')}
          button={
            <>
              {isOther && <span className="max-w-24 truncate">{t(`inbox.view.${view}`)}</span>}
              <DownIcon size={16} aria-hidden="true" />
            </>
          }
          choices={[
            ...others.map((one) => ({
              key: one,
              label: t(`inbox.view.${one}`),
              chosen: one === view,
              onChoose: () => choose(one),
            })),
            {
              key: 'sort',
              label: t('inbox.unreadFirst'),
              chosen: state.unread,
              onChoose: () => setState({ unread: !state.unread }),
            },
          ]}
        />
      </fieldset>
    </div>
  )
}

const lines = ['w-28', 'w-36', 'w-24', 'w-32', 'w-28', 'w-40', 'w-24', 'w-32']

function RowSkeletons({ count = lines.length }: { count?: number }) {
  const shown = useMemo(() => lines.slice(0, count), [count])
  return (
    <div aria-hidden="true">
      {shown.map((width, at) => (
        // Placeholder rows have no identity but their index.
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <div key={at} className="flex items-center gap-3 border-b border-line px-4 py-2.75">
          <Skeleton className="size-10 rounded-full" />
          <span className="grid gap-2">
            <Skeleton className={classes('h-4', width)} />
            <Skeleton className="h-3.5 w-44" />
          </span>
        </div>
      ))}
    </div>
  )
}

function NothingHere({ inbox: { state, setState } }: { inbox: Inbox }) {
  const { t } = useLanguage()
  const view = viewOf(state)
  if (view === 'waiting' && state.q === '')
    return (
      <div className="px-4 py-8">
        <EmptyState title={t('inbox.waiting.empty')} text={t('inbox.waiting.empty.hint')}>
          <Button size="small" onClick={() => setState({ view: 'all' })}>
            {t('inbox.showAll')}
          </Button>
        </EmptyState>
      </div>
    )
  const isNarrowed = state.q !== '' || view !== 'all'
  return (
    <div className="px-4 py-8">
      <EmptyState
        title={t(isNarrowed ? 'inbox.emptyFiltered' : 'inbox.empty')}
        text={t(isNarrowed ? 'inbox.emptyFiltered.hint' : 'inbox.empty.hint')}
      >
        {isNarrowed && (
          <Button size="small" onClick={() => setState({ q: '', view: 'all' })}>
            {t('inbox.showAll')}
          </Button>
        )}
      </EmptyState>
    </div>
  )
}
