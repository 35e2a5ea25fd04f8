import type { Input } from '@qatra/contract/endpoint'
import { sendReply } from '@qatra/contract/whatsapp-inbox'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { CallError, type CallErrorCode, call } from '../../app/call.ts'
import { onPersonChanged } from '../../app/session.ts'
import { messagesQuery, renewDetail, renewList } from './inbox-cache.ts'

export type Reply = Input<typeof sendReply>['body']

/** A reply on its way to the server. All attempts use the same key, so the server sends it once. */
export interface Pending {
  key: string
  contactId: number
  reply: Reply
  /** The text as shown in the conversation. */
  text: string
  at: string
  /** Why the server rejected it; null while it is in flight. */
  problem: CallErrorCode | null
}

let pending: readonly Pending[] = []
const listeners = new Set<() => void>()

function set(next: readonly Pending[]) {
  pending = next
  for (const listener of listeners) listener()
}
const change = (key: string, problem: Pending['problem']) =>
  set(pending.map((one) => (one.key === key ? { ...one, problem } : one)))
const drop = (key: string) => set(pending.filter((one) => one.key !== key))

// Another user must not read or send the failed replies.
onPersonChanged(() => set([]))

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const usePending = (contactId: number): readonly Pending[] =>
  useSyncExternalStore(subscribe, () => pending).filter((one) => one.contactId === contactId)

/** Errors after which the message was certainly not sent; it is retried when the network returns. */
const lost: readonly CallErrorCode[] = ['OFFLINE', 'UNREADABLE', 'UNAVAILABLE', 'INTERNAL', 'TOO_MANY_REQUESTS']
export const mayTryAgain = (problem: CallErrorCode) => lost.includes(problem)

/** Replies are sent one after the other, in the order in which they were written. */
let line: Promise<unknown> = Promise.resolve()

async function deliver(queries: QueryClient, one: Pending): Promise<void> {
  const params = { contact: String(one.contactId) }
  try {
    const sent = await call(sendReply, { params, body: one.reply }, { idempotencyKey: one.key })
    queries.setQueryData(messagesQuery(one.contactId).queryKey, (before) => {
      const [first, ...rest] = before?.pages ?? []
      if (!before || !first || first.items.some(({ id }) => id === sent.id)) return before
      const items = [sent, ...first.items].sort((a, b) => b.id - a.id)
      return { ...before, pages: [{ ...first, items }, ...rest] }
    })
    drop(one.key)
    void renewDetail(queries, one.contactId)
    void renewList(queries)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    change(one.key, error.code)
    if (error.code === 'SERVICE_WINDOW_CLOSED') void renewDetail(queries, one.contactId)
  }
}

export function send(queries: QueryClient, { contactId, reply, text }: Pick<Pending, 'contactId' | 'reply' | 'text'>) {
  const one = { key: crypto.randomUUID(), contactId, reply, text, at: new Date().toISOString(), problem: null }
  set([...pending, one])
  line = line.then(() => deliver(queries, one))
}

export function sendAgain(queries: QueryClient, key: string) {
  const one = pending.find((each) => each.key === key)
  if (!one) return
  change(key, null)
  line = line.then(() => deliver(queries, one))
}

export const forget = drop
