import type { PushMessage } from '@qatra/contract/notifications/push'
import webPush from 'web-push'
import type { Config } from '../config/config.ts'
import { type Network, operatorsNetwork, safePost } from '../lib/safe-fetch.ts'
import { isOwnService, isPushEndpoint } from './endpoints.ts'
import { type VapidKeys, vapidKeys } from './vapid.ts'

export interface Device {
  endpoint: string
  p256dh: string
  auth: string
}

/**
 * `gone`: the subscription does not exist any more. `refused`: not accepted. `unanswered`: may have been accepted.
 */
export type PushResult = 'accepted' | 'gone' | 'refused' | 'unanswered'

export interface PushGateway {
  send: (device: Device, message: PushMessage) => Promise<PushResult>
}

/** A push service drops a message after this time: by then the news goes by another channel. */
export const PUSH_TTL_SECONDS = 20
const TIMEOUT_MS = 5_000

type Settings = Pick<Config, 'secret' | 'publicUrl' | 'isSecure' | 'pushServiceUrl'>

/** Sends encrypted messages (RFC 8291) with the shop's signature (RFC 8292) to the push services of browsers (RFC 8030). */
export function pushGateway(config: Settings, network?: Network): PushGateway {
  const vapidDetails = { ...vapidKeys(config.secret), subject: subjectOf(config) }
  return { send: (device, message) => send({ config, vapidDetails, network }, device, message) }
}

/** Push services reach the operator at this address. It has to be https or mailto. */
const subjectOf = ({ publicUrl, isSecure }: Settings) => (isSecure ? publicUrl : 'mailto:owner@localhost.invalid')

interface Sender {
  config: Settings
  vapidDetails: VapidKeys & { subject: string }
  network: Network | undefined
}

async function send({ config, vapidDetails, network }: Sender, device: Device, message: PushMessage) {
  const { endpoint, p256dh, auth } = device
  // Stored endpoints are checked again: the configuration may have changed.
  if (!isPushEndpoint(endpoint, config.pushServiceUrl)) return 'gone'
  const request = detailsOf({ endpoint, keys: { p256dh, auth } }, message, vapidDetails)
  if (!request) return 'gone'
  const answer = await safePost(
    endpoint,
    { headers: request.headers, body: request.body, signal: AbortSignal.timeout(TIMEOUT_MS) },
    network ?? networkOf(new URL(endpoint), config),
  )
  if ('problem' in answer) return answer.problem === 'unanswered' ? 'unanswered' : 'refused'
  if (answer.status === 404 || answer.status === 410) return 'gone'
  return answer.status >= 200 && answer.status < 300 ? 'accepted' : 'refused'
}

const networkOf = (url: URL, { pushServiceUrl }: Settings) =>
  isOwnService(url, pushServiceUrl) ? operatorsNetwork(url) : undefined

/** Null for keys that are no point on the curve. */
function detailsOf(subscription: webPush.PushSubscription, message: PushMessage, vapidDetails: Sender['vapidDetails']) {
  try {
    const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
      vapidDetails,
      TTL: PUSH_TTL_SECONDS,
      urgency: 'high',
      contentEncoding: 'aes128gcm',
    })
    return body === null ? null : { headers, body }
  } catch {
    return null
  }
}
