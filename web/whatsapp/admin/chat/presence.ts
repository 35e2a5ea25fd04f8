import { PRESENCE_SECONDS, type Presence, reportPresence } from '@qatra/contract/whatsapp/inbox/work'
import { useEffect, useState } from 'react'
import { CallError, call } from '../../../lib/api-client.ts'
import { presenceReported } from './presence-events.ts'

const RENEW_MS = (PRESENCE_SECONDS * 1_000 * 2) / 3
const TYPING_MS = 8_000
const TYPING_AGAIN_MS = 4_000

/** A lost presence ends by itself, so a failure needs no answer. */
async function report(contactId: number, state: Presence['state']): Promise<void> {
  try {
    await call(reportPresence, { params: { contact: String(contactId) }, body: { state } }, { keepalive: true })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}

const nothing = { contactId: 0, at: Number.NEGATIVE_INFINITY }
/** Where the user typed last, and when that was reported. */
let typed = nothing
const stateIn = (contactId: number) =>
  typed.contactId === contactId && performance.now() - typed.at < TYPING_MS ? 'typing' : 'looking'

/** Tells colleagues that the user types, at most every four seconds. An emptied field, as after sending, ends it. */
export function reportTyping(contactId: number, text: string): void {
  const isTyping = stateIn(contactId) === 'typing'
  if (text === '') {
    typed = nothing
    if (isTyping) void report(contactId, 'looking')
    return
  }
  const now = performance.now()
  if (isTyping && now - typed.at < TYPING_AGAIN_MS) return
  typed = { contactId, at: now }
  void report(contactId, 'typing')
}

export interface Colleague {
  id: number
  name: string
  isTyping: boolean
}

/** What was heard of a person, by this browser’s clock. */
interface Heard {
  name: string
  until: number
  typesUntil: number
}

/** Who types comes first. */
const colleaguesIn = (known: ReadonlyMap<number, Heard>, now: number): Colleague[] =>
  [...known]
    .map(([id, { name, typesUntil }]) => ({ id, name, isTyping: typesUntil > now }))
    .sort((a, b) => Number(b.isTyping) - Number(a.isTyping))

/** Reports that the user looks at the conversation while the page is visible, and returns the colleagues who do. */
export function usePresence(contactId: number, mayReport: boolean): readonly Colleague[] {
  const [others, setOthers] = useState<readonly Colleague[]>([])

  useEffect(() => {
    if (!mayReport) return
    const renew = () => {
      if (document.visibilityState === 'visible') void report(contactId, stateIn(contactId))
    }
    renew()
    const timer = setInterval(renew, RENEW_MS)
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
      void report(contactId, 'gone')
    }
  }, [contactId, mayReport])

  useEffect(() => {
    const known = new Map<number, Heard>()
    const show = () => setOthers(colleaguesIn(known, performance.now()))
    const unsubscribe = presenceReported.on(({ contactId: about, user, state }) => {
      if (about !== contactId) return
      const now = performance.now()
      const isNew = (known.get(user.id)?.until ?? 0) <= now
      if (state === 'gone') known.delete(user.id)
      else {
        const typesUntil = state === 'typing' ? now + TYPING_MS : now
        known.set(user.id, { name: user.name ?? '—', until: now + PRESENCE_SECONDS * 1_000, typesUntil })
        // Who has just come does not know of this page yet.
        if (isNew && mayReport && document.visibilityState === 'visible') void report(contactId, stateIn(contactId))
      }
      show()
    })
    const timer = setInterval(() => {
      const now = performance.now()
      for (const [id, { until }] of known) if (until <= now) known.delete(id)
      if (known.size > 0) show()
      else setOthers((before) => (before.length === 0 ? before : []))
    }, 1_000)
    return () => {
      unsubscribe()
      clearInterval(timer)
    }
  }, [contactId, mayReport])

  return others
}
