import { addNote, placeholders, placeholdersIn } from '@qatra/contract/whatsapp-desk'
import { type ConversationDetail, LONGEST_NOTE } from '@qatra/contract/whatsapp-inbox'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { call } from '../../lib/api-client.ts'
import { useAction } from '../../lib/use-action.ts'
import { draftOf, saveDraft } from './drafts.ts'
import { renewDetail } from './inbox-cache.ts'
import { send } from './outbox.ts'
import { wordsOfProblem } from './use-conversation-actions.ts'

const isGap = (name: string) => (placeholders as readonly string[]).includes(name)

/** State of the reply field: the reply is stored as a draft until it is sent, a note is separate. */
export function useComposer(contactId: number, detail: ConversationDetail | undefined) {
  const t = useT()
  const queries = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const [reply, setReply] = useState(() => draftOf(contactId))
  const [noteText, setNoteText] = useState('')
  const [isNote, setNote] = useState(false)
  const { busy, problem, setProblem, run } = useAction(({ code }) => wordsOfProblem(code, t))

  function setText(text: string) {
    setProblem(null)
    if (isNote) return setNoteText(text)
    setReply(text)
    saveDraft(contactId, text)
  }
  function insert(text: string) {
    setText(text)
    field.current?.focus()
    selectGap(text)
  }
  /** Selects the first unfilled placeholder of a canned reply, so that typing replaces it. */
  function selectGap(text: string) {
    const gap = placeholdersIn(text).find(isGap)
    if (gap === undefined) return
    const at = text.indexOf(`{${gap}}`)
    requestAnimationFrame(() => field.current?.setSelectionRange(at, at + gap.length + 2))
  }

  async function saveNote() {
    const body = noteText.trim()
    if (body.length > LONGEST_NOTE) return setProblem(t('inbox.note.tooLong', { most: LONGEST_NOTE }))
    await run(async () => {
      await call(addNote, { params: { contact: String(contactId) }, body: { body } })
      setNoteText('')
      setNote(false)
      await renewDetail(queries, contactId)
    })
  }

  function submit() {
    if (busy) return
    const text = (isNote ? noteText : reply).trim()
    if (text === '') return field.current?.focus()
    if (isNote) return void saveNote()
    const gap = placeholdersIn(text).find(isGap)
    if (gap !== undefined) {
      setProblem(t('inbox.canned.fillIn', { gap: `{${gap}}` }))
      return selectGap(reply)
    }
    send(queries, { contactId, reply: { body: text }, text })
    setText('')
    field.current?.focus()
  }

  return {
    field,
    text: isNote ? noteText : reply,
    setText,
    insert,
    isNote,
    setNote(next: boolean) {
      setProblem(null)
      setNote(next)
      requestAnimationFrame(() => field.current?.focus())
    },
    beginCanned() {
      if (reply.trim() === '') setText('/')
      field.current?.focus()
    },
    problem,
    busy: busy || detail === undefined,
    submit,
  }
}
