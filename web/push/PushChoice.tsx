import { getPush, subscribePush, unsubscribePush } from '@qatra/contract/notifications/push'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { shopWorker } from '../app/offline/worker.ts'
import { call, read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { serviceWorkers } from '../lib/site-data.ts'
import { Button } from '../ui/Button.tsx'
import { NewIcon } from '../ui/icons.tsx'

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

async function turnOffPush(): Promise<void> {
  await call(unsubscribePush, {})
  const registration = await serviceWorkers()?.getRegistration('/')
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

/** Turns notifications about orders on and off for this device. Nothing where the browser has none. */
export function PushChoice(): ReactNode {
  const t = useT()
  const { isOn, publicKey, refresh } = usePush()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<'push.denied' | 'push.failed' | null>(null)
  if (publicKey === null) return null
  const change = async (work: () => Promise<boolean>) => {
    setBusy(true)
    setProblem(null)
    try {
      setProblem((await work()) ? null : 'push.denied')
      await refresh()
    } catch (error) {
      // Also of the browser, whose push service cannot be reached.
      console.warn('Notifications were not changed', error)
      setProblem('push.failed')
    } finally {
      setBusy(false)
    }
  }
  const turnOff = () => turnOffPush().then(() => true)
  return (
    <section aria-labelledby="push-choice" className="flex items-start gap-3.5">
      <span className="grid size-12 flex-none place-items-center rounded-full bg-aqua-soft text-aqua-ink">
        <NewIcon size={22} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <h2 id="push-choice" className="text-heading">
          {t(isOn ? 'push.isOn' : 'push.title')}
        </h2>
        <p className="text-label text-ink-3">{t(isOn ? 'push.isOnText' : 'push.text')}</p>
        <Button
          tone={isOn ? 'quiet' : 'gulf'}
          className="mt-2.5"
          busy={busy}
          onClick={() => void change(isOn ? turnOff : () => turnOnPush(publicKey))}
        >
          {t(isOn ? 'push.turnOff' : 'push.turnOn')}
        </Button>
        <p role="alert" className="mt-1.5 text-label text-clay empty:hidden">
          {problem && t(problem)}
        </p>
      </div>
    </section>
  )
}

const neverChanges = () => () => {}

/** Null where the browser has no notifications. The server assumes that it has: most do, and then nothing moves. */
const permissionOf = (): NotificationPermission | null => (hasPush() ? Notification.permission : null)

/** `publicKey` is null until it is known, and where this person or browser has no notifications. */
function usePush() {
  const queries = useQueryClient()
  const user = useUser()
  const permission = useSyncExternalStore(neverChanges, permissionOf, () => 'granted')
  const isAllowed = permission !== null && user !== null && user.impersonatedBy === null
  const options = { ...read(getPush), enabled: isAllowed }
  const { data } = useQuery(options)
  return {
    isOn: data?.isOn === true && permission === 'granted',
    publicKey: isAllowed ? (data?.publicKey ?? null) : null,
    refresh: () => queries.invalidateQueries({ queryKey: options.queryKey }),
  }
}
