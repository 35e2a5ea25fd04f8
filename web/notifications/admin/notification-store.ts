import { MOST_UNREAD } from '@qatra/contract/notifications/notifications'
import { createAtom, useSelector } from '@tanstack/react-store'
import type { ConnectionState } from '../../lib/event-source.ts'
import { broadcast, localStore, onBroadcast } from '../../lib/site-data.ts'

interface NotificationState {
  connection: ConnectionState
  unread: number
  hasSound: boolean
}

const SOUND_KEY = 'admin.sound'

const store = createAtom<NotificationState>({ connection: 'connecting', unread: 0, hasSound: true })
const set = (change: Partial<NotificationState>) => store.set((before) => ({ ...before, ...change }))

export const setConnection = (connection: ConnectionState) => set({ connection })
export const setUnread = (unread: number) => set({ unread: Math.max(0, Math.min(MOST_UNREAD, unread)) })
export const unreadNow = () => store.get().unread
export const addUnread = (more: number) => setUnread(store.get().unread + more)
export const hasSound = () => store.get().hasSound

/** Stored in this browser. */
export function setSound(hasSound: boolean) {
  set({ hasSound })
  localStore.setItem(SOUND_KEY, hasSound ? 'on' : 'off')
}

export const restoreSound = () => set({ hasSound: localStore.getItem(SOUND_KEY) !== 'off' })

const channelName = 'admin-read'

/** Sends the unread count to the other tabs. */
export const broadcastRead = (unread: number) => broadcast(channelName, unread)
export const onReadElsewhere = (listener: (unread: number) => void) => onBroadcast(channelName, listener)

/** Id of the last event for which this browser played the sound. */
let rungUpTo = 0
const rungChannel = 'admin-rung'
export const onRungElsewhere = () =>
  onBroadcast(rungChannel, (id: number) => {
    rungUpTo = Math.max(rungUpTo, id)
  })

/** Plays the sound once for all tabs: the one in use at once, the others unless they hear of it first. */
export function ringOnce(id: number, play: () => boolean) {
  const waitMs = document.hasFocus() ? 0 : 200 + Math.random() * 800
  setTimeout(() => {
    if (id <= rungUpTo || !play()) return
    rungUpTo = id
    broadcast(rungChannel, id)
  }, waitMs)
}

export const useNotificationStore = () => useSelector(store)
