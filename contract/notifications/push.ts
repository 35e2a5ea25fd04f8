import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { rowIdNumber } from '../lib/ids.ts'
import type { Lang } from '../lib/lang.ts'
import { PUSH_RECEIPTS, PUSH_SUBSCRIPTIONS } from './push-paths.ts'

const base64url = (length: number) => z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}={0,2}$`)))

/** What a browser's `PushSubscription.toJSON()` has; further keys are ignored. */
export const pushSubscription = z.object({
  endpoint: z.string().check(z.maxLength(1_000)),
  keys: z.object({
    /** The browser's public key on P-256, uncompressed: 65 bytes. */
    p256dh: base64url(87),
    /** 16 bytes. */
    auth: base64url(22),
  }),
})
export type PushSubscriptionInput = z.output<typeof pushSubscription>

export const getPush = endpoint({
  method: 'GET',
  path: PUSH_SUBSCRIPTIONS,
  allow: 'signed-in',
  summary: 'Whether this device receives notifications, and the key to subscribe with',
  /** `publicKey`: the shop's VAPID key for `PushManager.subscribe`. */
  returns: z.object({ isOn: z.boolean(), publicKey: z.string() }),
})

export const subscribePush = endpoint({
  method: 'POST',
  path: PUSH_SUBSCRIPTIONS,
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Send notifications about orders to this device; replaces its earlier subscription',
  body: pushSubscription,
  returns: z.null(),
  status: 204,
  errors: ['PUSH_SERVICE_UNKNOWN'],
})

export const unsubscribePush = endpoint({
  method: 'DELETE',
  path: PUSH_SUBSCRIPTIONS,
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Send no more notifications to this device',
  returns: z.null(),
  status: 204,
})

export const confirmPush = endpoint({
  method: 'POST',
  path: PUSH_RECEIPTS,
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Sent by the device that has shown a notification; without it the news goes by the next channel',
  body: z.object({ id: rowIdNumber }),
  returns: z.null(),
  status: 204,
})

/** Content of a push message: no name, address, phone or amount, since it is shown on a locked screen. */
export interface PushMessage {
  /** For `confirmPush`; without it nothing is confirmed. */
  id?: number
  lang: Lang
  title: string
  body: string
  /** Path of the page that a press opens. */
  path: string
  /** A later message of the same order or conversation replaces the shown one. */
  tag: string
}
