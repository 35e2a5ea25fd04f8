import { placeholderNames, placeholders } from '@qatra/contract/whatsapp/inbox/canned-replies'
import { addNote, type ConversationDetail, LONGEST_NOTE } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { type Colleague, reportTyping } from '../chat/presence.ts'
import { renewDetail } from '../inbox/inbox-cache.ts'
import { draftOf, saveDraft } from './drafts.ts'
import { type Reply, send } from './outbox.ts'
import { type OutgoingFile, prepareFile } from './outgoing-files.ts'
import { useQuoting } from './quoting.ts'
import { useAttachments } from './use-attachments.ts'

const isGap = (name: string) => (placeholders as readonly string[]).includes(name)

/** State of the reply field: the reply is stored as a draft until it is sent, a note is separate. */
export function useComposer(contactId: number, detail: ConversationDetail | undefined, others: readonly Colleague[]) {
  const t = useT()
  const queries = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const [reply, setReply] = useState(() => draftOf(contactId))
  const [noteText, setNoteText] = useState('')
  const [isNote, setNote] = useState(false)
  const { busy, problem, setProblem, run } = useAction((error) => refusalText(t, error, 'inbox'))
  const attachments = useAttachments(setProblem)
  const { quoted, quote } = useQuoting()
  useEffect(() => {
    if (quoted) field.current?.focus()
  }, [quoted])

  function setText(text: string) {
    setProblem(null)
    if (isNote) return setNoteText(text)
    reportTyping(contactId, text)
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
    const gap = placeholderNames(text).find(isGap)
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

  /** The colleague who types, and what waits for the answer whether to send across. */
  const [held, setHeld] = useState<{ name: string; send: () => void } | null>(null)
  function sendUnlessTyping(act: () => void) {
    const typing = others.find(({ isTyping }) => isTyping)
    if (typing) setHeld({ name: typing.name, send: act })
    else act()
  }

  function submit() {
    if (busy) return
    const text = (isNote ? noteText : reply).trim()
    if (text === '' && (isNote || attachments.files.length === 0)) return field.current?.focus()
    if (isNote) return void saveNote()
    // A shortcut that was not chosen is no answer.
    if (/^\/\S*$/.test(text)) return setProblem(t('inbox.canned.unknown', { text }))
    const gap = placeholderNames(text).find(isGap)
    if (gap !== undefined) {
      setProblem(t('inbox.canned.fillIn', { gap: `{${gap}}` }))
      return selectGap(reply)
    }
    sendUnlessTyping(() => {
      sendAll(text, attachments.files)
      attachments.clear()
      setText('')
      field.current?.focus()
    })
  }

  /** The first message has the quote and, as its caption, the text; voice messages have none. */
  function sendAll(text: string, files: readonly OutgoingFile[]) {
    const reply = { ...(text === '' ? {} : { body: text }), ...(quoted ? { replyTo: quoted.id } : {}) }
    const [first, ...others] = files
    send(queries, { contactId, reply, text, file: first })
    for (const file of others) send(queries, { contactId, reply: {}, text: '', file })
    quote?.(null)
  }

  async function sendVoice(file: File) {
    const prepared = await prepareFile(file, true)
    sendUnlessTyping(() => sendAll('', [prepared]))
  }

  function sendLocation(location: NonNullable<NonNullable<Reply>['location']>) {
    const text = location.name ?? t('inbox.type.location')
    sendUnlessTyping(() => {
      send(queries, { contactId, reply: { location, ...(quoted ? { replyTo: quoted.id } : {}) }, text })
      quote?.(null)
    })
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
    attachments,
    held,
    answerHeld(isSent: boolean) {
      setHeld(null)
      if (isSent) held?.send()
    },
    quoted,
    removeQuote: () => quote?.(null),
    sendVoice,
    sendLocation,
    setProblem,
    problem,
    busy: busy || detail === undefined,
    submit,
  }
}
