import { inboxDraftKey } from '../../app/personal-storage.ts'
import { localStore } from '../../app/site-data.ts'

const key = (contactId: number) => `${inboxDraftKey}${contactId}`

/** What was begun in a conversation and not sent yet, kept by this browser until its person goes. */
export const draftOf = (contactId: number): string => localStore.getItem(key(contactId)) ?? ''

export function saveDraft(contactId: number, text: string) {
  if (text.trim() === '') localStore.removeItem(key(contactId))
  else localStore.setItem(key(contactId), text)
}
