import { getPush, subscribePush, unsubscribePush } from '@qatra/contract/notifications/push'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { shopWorker } from '../app/offline/worker.ts'
import { call, read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { serviceWorkers } from '../lib/site-data.ts'

/** On an iPhone only after the shop was added to the home screen. */
const hasPush = () => 'PushManager' in window && 'Notification' in window && serviceWorkers() !== null

/** Asks for the permission, which browsers allow in a press alone, and subscribes this device. False: not permitted. */
async function turnOnPush(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const registration = await shopWorker()
  if (!registration) throw new Error('There is no service worker')
  await serviceWorkers()?.ready
  const { pushManager } = registration
  // Of an earlier sign-in, or with an earlier key of the shop.
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  await call(subscribePush, { body: { endpoint, keys: { p256dh, auth } } })
  return true
}

async function turnOffPush(): Promise<true> {
  await call(unsubscribePush, {})
  const registration = await serviceWorkers()?.getRegistration('/')
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  return true
}

const neverChanges = () => () => {}

/** Null where the browser has no notifications. The server assumes that it has: most do, and then nothing moves. */
const permissionOf = (): NotificationPermission | null => (hasPush() ? Notification.permission : null)

/** Notifications on this device. `isThere` is false until that is known, and where person or browser has none. */
export function usePush() {
  const queries = useQueryClient()
  const user = useUser()
  const permission = useSyncExternalStore(neverChanges, permissionOf, () => 'granted')
  const isAllowed = permission !== null && user !== null && user.impersonatedBy === null
  const options = { ...read(getPush), enabled: isAllowed }
  const { data } = useQuery(options)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<'denied' | 'failed' | null>(null)
  const isOn = data?.isOn === true && permission === 'granted'
  return {
    isThere: isAllowed && data !== undefined,
    isOn,
    busy,
    problem,
    async change() {
      if (!data) return
      setBusy(true)
      setProblem(null)
      try {
        const isDone = isOn ? await turnOffPush() : await turnOnPush(data.publicKey)
        setProblem(isDone ? null : 'denied')
        await queries.invalidateQueries({ queryKey: options.queryKey })
      } catch (error) {
        // Also of the browser, whose push service cannot be reached.
        console.warn('Notifications were not changed', error)
        setProblem('failed')
      } finally {
        setBusy(false)
      }
    },
  }
}
