import type { Conversation } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useUser } from '../../../lib/current-user.ts'
import { readSearch } from '../../../lib/search-state.ts'
import { detailQuery, messagesQuery } from '../inbox/inbox-cache.ts'
import { inboxShape, viewOf } from '../inbox/inbox-search.ts'
import type { Inbox } from '../inbox/use-inbox.ts'
import { useConversationActions } from './use-conversation-actions.ts'

const isToDo = ({ doneAt, snoozedUntil }: Conversation) => doneAt === null && snoozedUntil === null

/** Actions that finish with a conversation open the next one of the list; in the other views it stays open. */
export function useWork(contactId: number, { state, setState, list, conversations, neighbours }: Inbox) {
  const queries = useQueryClient()
  const router = useRouter()
  const user = useUser()
  const actions = useConversationActions(contactId)
  /** As the list has it, while the details are loading. */
  const known = (): Conversation | undefined =>
    queries.getQueryData(detailQuery(contactId).queryKey) ?? conversations.find((one) => one.contactId === contactId)

  /** The list still has conversations that were finished since it was read. */
  const firstOf = (some: readonly Conversation[]) => some.find((one) => one.contactId !== contactId && isToDo(one))
  async function finish(act: () => Promise<boolean>) {
    const isList = viewOf(state) === 'waiting' || viewOf(state) === 'mine'
    // Read before the action removes the conversation from the list.
    let next = firstOf([...neighbours('after'), ...neighbours('before')])
    const { pathname } = router.latestLocation
    if (!(await act()) || !isList) return
    if (!next && list.hasNextPage)
      next = firstOf((await list.refetch()).data?.pages.flatMap(({ items }) => items) ?? [])
    // Whoever has opened something else meanwhile stays there.
    const now = router.latestLocation
    if (now.pathname !== pathname || readSearch(inboxShape, now.search).open !== contactId) return
    setState({ open: next?.contactId, card: false }, { replace: true })
  }
  /** The customer's newest message on screen: an own reply may be newer than one that is not loaded yet. */
  function lastSeen(): number | null {
    const loaded = queries.getQueryData(messagesQuery(contactId).queryKey)?.pages.flatMap(({ items }) => items) ?? []
    return loaded.find(({ direction }) => direction === 'incoming')?.id ?? loaded[0]?.id ?? null
  }
  return {
    resolve: () => finish(() => actions.resolve(lastSeen())),
    snooze: (until: Date) => finish(() => actions.snooze(until)),
    endSnooze: actions.endSnooze,
    reopen: actions.reopen,
    switchMute: () => actions.mute(known()?.isMuted !== true),
    switchBot: () => (known()?.pausedUntil ? actions.handBack() : actions.takeOver()),
    async assignToMe() {
      const current = known()
      if (user && current && current.assignedTo?.id !== user.id)
        await actions.assign(user.id, current.assignedTo?.id ?? null)
    },
  }
}
export type Work = ReturnType<typeof useWork>
