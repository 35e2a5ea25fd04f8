import { notificationKinds } from '@qatra/contract/notifications/kinds'
import type { LiveEvent, OrderChanged } from '@qatra/contract/notifications/notifications'
import type { ActorUser } from '@qatra/contract/users/actor'
import type { App } from '../http/runtime.ts'
import { eventText, type StreamEvent, type StreamTopic } from '../http/streams/event-stream.ts'
import type { StreamRequest } from '../http/streams/event-streams.ts'
import { reaches } from './policy.ts'
import { listOnTheWay, type NotificationEvent, type OnTheWay, readLastId, readRecent, readSince } from './queries.ts'

const HOURS = 24
/** For the whole market; a busy day of a thousand orders has some four thousand. */
const MAX_KEPT = 5_000
/** Per user; after more missed events the page reloads. */
const MAX_REPLAYED = 500
const PAGE = 500
const RETRY_MS = 1_000

export interface Feed {
  /** Start of a stream: the events missed since `after`, or a reload event if there are too many. */
  begin: (user: ActorUser, topic: StreamTopic, after: number | null) => Promise<StreamRequest['begin']>
}

/** During a deployment a newer process can write kinds that this one does not know. */
const isKnown = ({ kind }: NotificationEvent) => kind in notificationKinds

function adminNewsOf(event: NotificationEvent): StreamEvent {
  const { id, kind, at, orderId, contactId, vendorId, status, byId, conversation } = event
  const ids = { id, kind, at, orderId, contactId, vendorId, status, byId }
  const liveEvent: LiveEvent = conversation ? { ...ids, conversation } : ids
  return {
    id,
    topic: 'admin',
    text: eventText(notificationKinds[kind].stream, liveEvent, id),
    isFor: (user) => reaches(user, event),
  }
}

/** The customer learns that the order changed, not who changed it. */
function customerNewsOf({ id, orderId, customerId }: NotificationEvent): StreamEvent[] {
  if (orderId === null || customerId === null) return []
  const changed: OrderChanged = { id, orderId }
  const text = eventText('orders', changed, id)
  return [{ id, topic: 'my-orders', text, isFor: (user) => user.id === customerId }]
}

interface KeptEvent {
  id: number
  news: StreamEvent[]
}

const driversOf = ({ driverId, formerDriverId }: NotificationEvent) =>
  [driverId, formerDriverId].filter((id) => id !== null)

/** The customers on the same run learn that the stops before theirs may have changed, by the id of their own order. */
function runNewsOf(event: NotificationEvent, onTheWay: readonly OnTheWay[]): StreamEvent[] {
  const drivers = driversOf(event)
  return onTheWay
    .filter(({ driverId, orderId }) => drivers.includes(driverId) && orderId !== event.orderId)
    .map(({ orderId, customerId }) => {
      const changed: OrderChanged = { id: event.id, orderId }
      // Without an id of the stream: texts of one id must be the same for everybody.
      return {
        id: null,
        topic: 'my-orders',
        text: eventText('orders', changed),
        isFor: (user) => user.id === customerId,
      }
    })
}

const keptOf = (event: NotificationEvent, onTheWay: readonly OnTheWay[] = []): KeptEvent => ({
  id: event.id,
  news: [adminNewsOf(event), ...customerNewsOf(event), ...runNewsOf(event, onTheWay)],
})

/**
 * Recent notifications, read once per process and held in memory, so that reconnecting clients need no query. Ids
 * are committed in ascending order, so nothing is missing up to the last one read. Clients reconnect every 12 to 15
 * minutes and are away for 1 to 5 seconds: without the events of that time, 1 order in 270 would cause no sound.
 */
export async function openFeed({
  db,
  listener,
  eventStreams: live,
  log,
}: Pick<App, 'db' | 'listener' | 'eventStreams' | 'log'>): Promise<Feed> {
  const recent = await readRecent(db, HOURS, MAX_KEPT)
  let kept: KeptEvent[] = recent.filter(isKnown).map((event) => keptOf(event))
  let last = recent.at(-1)?.id ?? (await readLastId(db))
  /** A client that has received this id or a later one can be served from memory. */
  let floor = (recent[0]?.id ?? last + 1) - 1

  async function readNew() {
    for (;;) {
      const events = await readSince(db, last, PAGE)
      const drivers = [...new Set(events.flatMap(driversOf))]
      const onTheWay = drivers.length === 0 ? [] : await listOnTheWay(db, drivers)
      const fresh = events.filter(isKnown).map((event) => keptOf(event, onTheWay))
      last = events.at(-1)?.id ?? last
      kept.push(...fresh)
      if (kept.length > MAX_KEPT) {
        kept = kept.slice(-MAX_KEPT)
        floor = (kept[0]?.id ?? last + 1) - 1
      }
      live.publish(fresh.flatMap(({ news }) => news))
      if (events.length < PAGE) return
    }
  }
  let reading: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  /** Reads one after the other; a notice during a read triggers one more, shared by all waiting callers. */
  function refresh(): Promise<void> {
    waiting ??= reading = reading
      .catch(() => undefined)
      .then(() => {
        waiting = null
        return readNew()
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
  // Events between the first read and the start of listening.
  await refresh()

  function missedBy(user: ActorUser, topic: StreamTopic, after: number): string {
    const since = after < floor || after > last ? null : kept.filter(({ id }) => id > after)
    const missed = since?.flatMap(({ news }) => news.filter((one) => one.topic === topic && one.isFor(user))) ?? null
    if (missed === null || missed.length > MAX_REPLAYED) return eventText('reset', {}, last)
    return missed.map(({ text }) => text).join('')
  }

  return {
    async begin(user, topic, after) {
      // Another process has sent it already, and its notice is on the way.
      if (after !== null && after > last) await refresh()
      return () => {
        const missed = after === null ? '' : missedBy(user, topic, after)
        return { first: missed + eventText('ready', {}, last), upTo: last }
      }
    },
  }
}
