import { MOST_UNREAD } from '@qatra/contract/notifications'
import { useSyncExternalStore } from 'react'
import { localStore, openChannel } from '../../app/site-data.ts'
import type { ConnectionState } from './event-source.ts'

interface NotificationState {
  connection: ConnectionState
  unread: number
  hasSound: boolean
}

const SOUND_KEY = 'admin.sound'

let current: NotificationState = { connection: 'connecting', unread: 0, hasSound: true }
const listeners = new Set<() => void>()

function set(change: Partial<NotificationState>) {
  current = { ...current, ...change }
  for (const listener of listeners) listener()
}

export const setConnection = (connection: ConnectionState) => set({ connection })
export const setUnread = (unread: number) => set({ unread: Math.max(0, Math.min(MOST_UNREAD, unread)) })
export const addUnread = (more: number) => setUnread(current.unread + more)
export const hasSound = () => current.hasSound

/** Stored in this browser. */
export function setSound(hasSound: boolean) {
  set({ hasSound })
  localStore.setItem(SOUND_KEY, hasSound ? 'on' : 'off')
}

export const restoreSound = () => set({ hasSound: localStore.getItem(SOUND_KEY) !== 'off' })

const channelName = 'admin-read'

/** Sends the unread count to the other tabs. */
export function broadcastRead(unread: number) {
  const channel = openChannel(channelName)
  channel?.postMessage(unread)
  channel?.close()
}

export function onReadElsewhere(listener: (unread: number) => void): () => void {
  const channel = openChannel(channelName)
  if (!channel) return () => {}
  channel.onmessage = ({ data }: MessageEvent<number>) => listener(data)
  return () => channel.close()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useNotificationStore = () => useSyncExternalStore(subscribe, () => current)
