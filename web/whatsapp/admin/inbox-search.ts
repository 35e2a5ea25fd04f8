import { conversationViews } from '@qatra/contract/whatsapp-inbox'
import { flagIn, idIn, oneOf, type StateOf, textIn } from '../../app/search-state.ts'

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

export const listQueryOf = ({ view, q, unread }: InboxState) => ({
  ...(view && view !== 'all' ? { view } : {}),
  ...(q ? { search: q } : {}),
  ...(unread ? { sort: 'unread' as const } : {}),
  limit: LIST_SIZE,
})
