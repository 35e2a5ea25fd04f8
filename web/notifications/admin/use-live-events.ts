import { concerns, kindsFor, streams } from '@qatra/contract/notifications/kinds'
import { type LiveEvent, streamEvents } from '@qatra/contract/notifications/notifications'
import type { User } from '@qatra/contract/users/auth'
import type { Presence } from '@qatra/contract/whatsapp/inbox/work'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { fetchAfterChange } from '../../app/refetch.ts'
import { leaveForSignIn } from '../../app/session/admin-exit.ts'
import { CallError } from '../../lib/api-client.ts'
import { currentUser } from '../../lib/current-user.ts'
import { type ConnectionState, openEventSource } from '../../lib/event-source.ts'
import { presenceReported } from '../../whatsapp/admin/chat/presence-events.ts'
import type { renewNavCount } from './follow.ts'
import {
  addUnread,
  hasSound,
  onReadElsewhere,
  onRungElsewhere,
  restoreSound,
  ringOnce,
  setConnection,
  setUnread,
  unreadNow,
} from './notification-store.ts'
import { recentNotifications } from './recent.ts'
import { playSound, unlockSound } from './sound.ts'

/** Batches events; random, so that browsers do not call the server at the same time. */
const gatherMs = () => 250 + Math.random() * 350
/** Interruptions shorter than this are not shown. */
const SHORT_INTERRUPTION_MS = 6_000

type Follower = Parameters<typeof renewNavCount>[0]

/** Null if it cannot be loaded: without a network, or because the page is left. */
const loadFollow = () => import('./follow.ts').catch(() => null)

function report(error: unknown) {
  // The page shows its own error, and the next event triggers another fetch.
  if (!(error instanceof CallError)) throw error
}

/** Collects events while the page is hidden, and applies them once it is visible. */
function createEventBuffer(queries: QueryClient, follower: Follower) {
  let events: LiveEvent[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    timer = null
    if (document.visibilityState === 'hidden' || events.length === 0) return
    const batch = events
    events = []
    loadFollow()
      .then((loaded) => {
        if (loaded) return loaded.follow(queries, follower, batch)
        // Applied with the next event.
        events = [...batch, ...events]
      })
      .catch(report)
  }
  const schedule = () => {
    timer ??= setTimeout(flush, gatherMs())
  }
  document.addEventListener('visibilitychange', schedule)
  return {
    add(event: LiveEvent) {
      events.push(event)
      schedule()
    },
    stop() {
      if (timer) clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    },
  }
}

async function renewUnread(queries: QueryClient): Promise<void> {
  const before = unreadNow()
  try {
    const { unread } = await fetchAfterChange(queries, recentNotifications())
    // Its count may lack a notification that came during the read.
    if (unreadNow() !== before) return await renewUnread(queries)
    setUnread(unread)
  } catch (error) {
    report(error)
  }
}

/** Keeps the admin area up to date with the event stream. */
export function useLiveEvents(user: User | null, onRing: (event: LiveEvent) => void) {
  const queries = useQueryClient()
  const id = user?.permissions.includes('events.read') ? user.id : null
  const role = user?.role ?? 'customer'
  const readsInbox = user?.permissions.includes('whatsapp.read') ?? false

  const ring = useEffectEvent((event: LiveEvent) => {
    if (!user || event.byId === user.id || !kindsFor(user).includes(event.kind)) return
    addUnread(1)
    void queries.invalidateQueries({ queryKey: [recentNotifications().queryKey[0]] })
    if (event.conversation && !concerns(user.id, event.conversation)) return
    if (hasSound()) ringOnce(event.id, playSound)
    onRing(event)
  })

  useEffect(() => {
    if (id === null) return
    restoreSound()
    const follower = { role, readsInbox }
    const buffer = createEventBuffer(queries, follower)
    let latest: ConnectionState = 'connecting'
    let disconnectTimer: ReturnType<typeof setTimeout> | null = null
    let isLate = false
    function showState(state: ConnectionState) {
      latest = state
      if (state === 'connected') {
        if (disconnectTimer) clearTimeout(disconnectTimer)
        disconnectTimer = null
        isLate = false
      }
      if (state === 'connected' || isLate) return setConnection(state)
      // Failed reconnections do not restart the timer.
      disconnectTimer ??= setTimeout(() => {
        isLate = true
        setConnection(latest)
      }, SHORT_INTERRUPTION_MS)
    }
    const begin = () => {
      void renewUnread(queries)
      loadFollow()
        .then((loaded) => loaded?.renewNavCount(follower))
        .catch(report)
    }
    begin()
    const stopSound = unlockSound()
    const unsubscribe = onReadElsewhere((unread) => {
      setUnread(unread)
      void queries.invalidateQueries({ queryKey: [recentNotifications().queryKey[0]] })
    })
    const stopRung = onRungElsewhere()
    const stream = { path: streamEvents.path, names: streams, signals: ['presence'] }
    const close = openEventSource<LiveEvent, Presence>(stream, {
      onState: showState,
      onEvent(event) {
        ring(event)
        buffer.add(event)
      },
      onSignal: presenceReported.emit,
      onReset() {
        void renewUnread(queries)
        void queries.invalidateQueries({ queryKey: [recentNotifications().queryKey[0]] })
        loadFollow()
          .then((loaded) => loaded?.reload(queries, follower))
          .catch(report)
      },
      onRefused() {
        void queries.refetchQueries({ queryKey: currentUser().queryKey }).then(() => {
          if (queries.getQueryData(currentUser().queryKey) === null) leaveForSignIn()
        })
      },
    })
    return () => {
      if (disconnectTimer) clearTimeout(disconnectTimer)
      buffer.stop()
      stopSound()
      unsubscribe()
      stopRung()
      close()
    }
  }, [id, role, readsInbox, queries])
}
