import { inboxDraftKey } from '../../app/kept-page.ts'

const key = (contactId: number) => `${inboxDraftKey}${contactId}`

/** What was begun in a conversation and not sent yet, kept by this browser until its person goes. */
export function draftOf(contactId: number): string {
  try {
    return localStorage.getItem(key(contactId)) ?? ''
  } catch {
    return '' // a browser that keeps nothing
  }
}

export function keepDraft(contactId: number, text: string) {
  try {
    if (text.trim() === '') localStorage.removeItem(key(contactId))
    else localStorage.setItem(key(contactId), text)
  } catch {
    // A browser that keeps nothing: it holds until the conversation is left.
  }
}
