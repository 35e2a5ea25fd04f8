import { subscribePush, unsubscribePush } from '@qatra/contract/notifications/push'
import { shopWorker } from '../app/offline/worker.ts'
import { call } from '../lib/api-client.ts'
import { serviceWorkers } from '../lib/site-data.ts'

/** On an iPhone only after the shop was added to the home screen. */
export const hasPush = () => 'PushManager' in window && 'Notification' in window && serviceWorkers() !== null

/** Asks for the permission, which browsers allow in a press alone, and subscribes this device. False: not permitted. */
export async function turnOnPush(publicKey: string): Promise<boolean> {
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

export async function turnOffPush(): Promise<void> {
  await call(unsubscribePush, {})
  const registration = await serviceWorkers()?.getRegistration('/')
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}
