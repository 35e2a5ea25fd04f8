import { inboxDraftKey } from '../../../app/session/personal-storage.ts'
import { localStore } from '../../../lib/site-data.ts'

const key = (contactId: number) => `${inboxDraftKey}${contactId}`

/** Unsent text of a conversation, stored in this browser until the user changes. */
export const draftOf = (contactId: number): string => localStore.getItem(key(contactId)) ?? ''

export function saveDraft(contactId: number, text: string) {
  if (text.trim() === '') localStore.removeItem(key(contactId))
  else localStore.setItem(key(contactId), text)
}
