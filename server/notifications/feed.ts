import type { ActorUser } from '@qatra/contract/actor'
import { notificationKinds } from '@qatra/contract/notification-kinds'
import type { LiveEvent } from '@qatra/contract/notifications'
import { eventText, type StreamEvent } from '../http/event-stream.ts'
import type { StreamRequest } from '../http/event-streams.ts'
import type { App } from '../http/runtime.ts'
import { reaches } from './policy.ts'
import { type Happened, readLastId, readRecent, readSince } from './queries.ts'

const HOURS = 24
/** Of the whole market; a busy day of a thousand orders has some four thousand. */
const MAX_KEPT = 5_000
/** Of one person; who missed more loads the page anew. */
const MAX_REPLAYED = 500
const PAGE = 500
const RETRY_MS = 1_000

export interface Feed {
  /** How a stream begins: with what was missed since `after`, or with the word that it was too much. */
  begin: (user: ActorUser, after: number | null) => Promise<StreamRequest['begin']>
}

/** A newer process beside this one may tell of kinds that this one has never heard of. */
const isKnown = ({ kind }: Happened) => kind in notificationKinds

function newsOf(event: Happened): StreamEvent {
  const { id, kind, at, orderId, contactId, vendorId, status, byId } = event
  const said: LiveEvent = { id, kind, at, orderId, contactId, vendorId, status, byId }
  return {
    id,
    text: eventText(notificationKinds[kind].stream, said, id),
    isFor: (user) => reaches(user, event),
  }
}

/**
 * What happened lately, read once for the whole process and kept in memory: a lost connection is made good from here,
 * without a query of its own. Ids become visible in their order, so what lies below the last one read is all here.
 */
export async function openFeed({
  db,
  listener,
  eventStreams: live,
  log,
}: Pick<App, 'db' | 'listener' | 'eventStreams' | 'log'>): Promise<Feed> {
  const recent = await readRecent(db, HOURS, MAX_KEPT)
  let kept: StreamEvent[] = recent.filter(isKnown).map(newsOf)
  let last = recent.at(-1)?.id ?? (await readLastId(db))
  /** Whoever heard this one or a later one has missed nothing that is not kept. */
  let floor = (recent[0]?.id ?? last + 1) - 1

  async function readOn() {
    for (;;) {
      const events = await readSince(db, last, PAGE)
      const news = events.filter(isKnown).map(newsOf)
      last = events.at(-1)?.id ?? last
      kept.push(...news)
      if (kept.length > MAX_KEPT) {
        kept = kept.slice(-MAX_KEPT)
        floor = (kept[0]?.id ?? last + 1) - 1
      }
      live.publish(news)
      if (events.length < PAGE) return
    }
  }
  let reading: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  /** One after the other; a notice that comes during a reading asks for another, which all that wait share. */
  function refresh(): Promise<void> {
    waiting ??= reading = reading
      .catch(() => undefined)
      .then(() => {
        waiting = null
        return readOn()
      })
    return waiting
  }
  function refreshLater() {
    refresh().catch((error: unknown) => {
      log.warn({ err: error }, 'notifications not read')
      setTimeout(refreshLater, RETRY_MS).unref()
    })
  }
  await listener.on('notifications', refreshLater, refreshLater)
  // What came between the first reading and the first notice that could be heard.
  await refresh()

  function missedBy(user: ActorUser, after: number): string {
    const missed = after < floor || after > last ? null : kept.filter(({ id, isFor }) => id > after && isFor(user))
    if (missed === null || missed.length > MAX_REPLAYED) return eventText('reset', {}, last)
    return missed.map(({ text }) => text).join('')
  }

  return {
    async begin(user, after) {
      // Another process told of it a moment ago, and its notice is on the way here.
      if (after !== null && after > last) await refresh()
      return () => {
        const missed = after === null ? '' : missedBy(user, after)
        return { first: missed + eventText('ready', {}, last), upTo: last }
      }
    },
  }
}
