import { conversationViews } from '@qatra/contract/whatsapp/inbox/inbox'
import { flagIn, idIn, oneOf, type StateOf, textIn } from '../../../lib/search-state.ts'

export const inboxShape = {
  view: oneOf(conversationViews),
  q: textIn(100),
  /** Unread conversations first. */
  unread: flagIn,
  /** The contact whose conversation is open. */
  open: idIn,
  /** Shows the contact card on screens where it is not beside the conversation. */
  card: flagIn,
}
export type InboxState = StateOf<typeof inboxShape>

export const LIST_SIZE = 30
export const PAGE_OF_MESSAGES = 40

/** A search without a chosen view looks through all. */
export const viewOf = ({ view, q }: Pick<InboxState, 'view' | 'q'>) => view ?? (q ? 'all' : 'waiting')

export const listQueryOf = ({ view, q, unread }: InboxState) => ({
  view: viewOf({ view, q }),
  ...(q ? { search: q } : {}),
  ...(unread ? { sort: 'unread' as const } : {}),
  limit: LIST_SIZE,
})
