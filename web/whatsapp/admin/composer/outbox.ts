import type { Input } from '@qatra/contract/endpoint'
import { sendReply } from '@qatra/contract/whatsapp/inbox/inbox'
import type { QueryClient } from '@tanstack/react-query'
import { useSelector } from '@tanstack/react-store'
import { onPersonChanged } from '../../../app/session/session.ts'
import { CallError, type CallErrorCode, call } from '../../../lib/api-client.ts'
import { createOutbox, memoryEntries, type OutboxEntry, type Outcome } from '../../../lib/outbox.ts'
import { messagesQuery, renewConversation, renewDetail, renewList } from '../inbox/inbox-cache.ts'
import { forgetUpload, type OutgoingFile, uploadFile } from './outgoing-files.ts'

export type Reply = Input<typeof sendReply>['body']

/** A reply on its way to the server. Its problem is the error of the last attempt. */
export interface Pending extends OutboxEntry<CallErrorCode> {
  queries: QueryClient
  contactId: number
  reply: Reply
  /** The text as shown in the conversation. */
  text: string
  file?: OutgoingFile | undefined
  at: string
}

/** Replies are sent one after the other, in the order in which they were written. */
const outbox = createOutbox<Pending>({ entries: memoryEntries(), send: deliver })

// Another user must not read or send the failed replies.
onPersonChanged(outbox.clear)

export const usePending = (contactId: number): readonly Pending[] =>
  useSelector(outbox.state).entries.filter((one) => one.contactId === contactId)

/** Another attempt may succeed; staff start it. The message may have been sent: its key prevents a second one. */
const retryable: readonly CallErrorCode[] = [
  ...(['OFFLINE', 'UNREADABLE', 'UNAVAILABLE', 'INTERNAL', 'TOO_MANY_REQUESTS', 'FILE_GONE'] as const),
]
export const isRetryable = (problem: CallErrorCode) => retryable.includes(problem)

const secondOf = (at: string) => Math.floor(Date.parse(at) / 1_000)

async function deliver({ queries, contactId, reply, file, key }: Pending): Promise<Outcome<CallErrorCode>> {
  try {
    const body = file ? { ...reply, file: await fileOf(file) } : reply
    const sent = await call(sendReply, { params: { contact: String(contactId) }, body }, { idempotencyKey: key })
    if (sent.type === 'reaction') {
      await renewConversation(queries, contactId)
      return { kind: 'done' }
    }
    queries.setQueryData(messagesQuery(contactId).queryKey, (before) => {
      const [first, ...rest] = before?.pages ?? []
      if (!before || !first || first.items.some(({ id }) => id === sent.id)) return before
      const items = [sent, ...first.items].sort((a, b) => secondOf(b.at) - secondOf(a.at) || b.id - a.id)
      return { ...before, pages: [{ ...first, items }, ...rest] }
    })
    void renewDetail(queries, contactId)
    void renewList(queries)
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code === 'FILE_GONE' && file) forgetUpload(file)
    if (error.code === 'CONVERSATION_ANSWERED') void renewConversation(queries, contactId)
    if (error.code === 'SERVICE_WINDOW_CLOSED') void renewDetail(queries, contactId)
    return { kind: 'refused', problem: error.code }
  }
}

async function fileOf(file: OutgoingFile) {
  const { name } = file.file
  const sha256 = await uploadFile(file)
  return { sha256, ...(file.isVoice ? { isVoice: true } : name ? { filename: name.slice(0, 200) } : {}) }
}

type Written = Pick<Pending, 'contactId' | 'reply' | 'text' | 'file'>
const add = (queries: QueryClient, written: Written) =>
  outbox.add({ ...written, queries, key: crypto.randomUUID(), at: new Date().toISOString(), sendAfter: 0 })

/** Refused where a colleague has answered after the newest message on screen. */
export function send(queries: QueryClient, { reply, ...written }: Written) {
  const pages = queries.getQueryData(messagesQuery(written.contactId).queryKey)?.pages ?? []
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
  add(queries, { ...written, reply: ids.length === 0 ? reply : { ...reply, seen: Math.max(...ids) } })
}

/** After the person has read that a colleague answered. */
export function sendAnyway({ queries, contactId, reply, text, file, key }: Pending) {
  outbox.dismiss(key)
  add(queries, { contactId, reply: { ...reply, seen: undefined }, text, file })
}

export const sendAgain = outbox.retry
export const forget = outbox.dismiss
