import type { ConversationDetail } from '@qatra/contract/whatsapp-inbox'
import { useQueryClient } from '@tanstack/react-query'
import { useUser } from '../../app/session.ts'
import { detailQuery, messagesQuery } from './inbox-cache.ts'
import { viewOf } from './inbox-search.ts'
import { useConversationActions } from './use-conversation-actions.ts'
import type { Inbox } from './use-inbox.ts'

/** Actions that finish with a conversation open the next one of the list; in the other views it stays open. */
export function useWork(contactId: number, { state, setState, conversations }: Inbox) {
  const queries = useQueryClient()
  const user = useUser()
  const actions = useConversationActions(contactId)
  const detail = (): ConversationDetail | undefined => queries.getQueryData(detailQuery(contactId).queryKey)

  /** Read before the action removes the conversation from the list. */
  function nextOf(): number | undefined {
    const at = conversations.findIndex((one) => one.contactId === contactId)
    return (conversations[at + 1] ?? conversations[at - 1])?.contactId
  }
  async function finish(act: () => Promise<boolean>) {
    const isList = viewOf(state) === 'waiting' || viewOf(state) === 'mine'
    const next = nextOf()
    if ((await act()) && isList) setState({ open: next, card: false }, { replace: true })
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
    async assignToMe() {
      const current = detail()
      if (user && current && current.assignedTo?.id !== user.id)
        await actions.assign(user.id, current.assignedTo?.id ?? null)
    },
  }
}
export type Work = ReturnType<typeof useWork>
