import type { FailureKind } from '../provider.ts'

/** Action by error code of the Cloud API, as documented; other codes concern only this message. */
interface Policy {
  kind: FailureKind
  /** Seconds to wait before the next attempt. */
  retryAfter?: number
  /** Concerns all messages of the account. */
  isAccountWide?: boolean
}

const busy = (retryAfter: number): Policy => ({ kind: 'busy', retryAfter })
const throttled = (retryAfter: number): Policy => ({ ...busy(retryAfter), isAccountWide: true })
const stopped: Policy = { kind: 'stopped' }
const unknown: Policy = { kind: 'unknown' }
const never: Policy = { kind: 'undeliverable' }
const template: Policy = { kind: 'template' }

const policies = new Map<number, Policy>([
  // Retry: rate limits of the app, the account, the number and the pair of numbers; maintenance.
  [4, throttled(60)],
  [80007, throttled(60)],
  [130429, throttled(5)],
  [131056, busy(6)],
  [131057, throttled(60)],
  [131064, busy(60)],
  [133004, throttled(30)],
  [133016, busy(600)],
  // The API does not say whether the message was sent.
  [1, unknown],
  [2, unknown],
  [131000, unknown],
  [131016, unknown],
  // Stop: a person must fix the token, the payment or the number of the account, or its number was blocked too often.
  [0, stopped],
  [3, stopped],
  [10, stopped],
  [190, stopped],
  [200, stopped],
  [294, stopped],
  [368, stopped],
  [131005, stopped],
  [131031, stopped],
  [131048, stopped],
  [131042, stopped],
  [131045, stopped],
  [130497, never],
  [133000, stopped],
  [133005, stopped],
  [133006, stopped],
  [133008, stopped],
  [133009, stopped],
  [133010, stopped],
  [133015, stopped],
  // Undeliverable to this person, or in this form.
  [33, never],
  [100, never],
  [130472, never],
  [131008, never],
  [131009, never],
  [131021, never],
  [131026, never],
  [131030, never],
  [131037, stopped],
  [131047, { kind: 'window' }],
  [131049, never],
  [131050, never],
  [131051, never],
  [131052, never],
  [131053, never],
  [132005, never],
  [132012, never],
  // This template is not accepted for anybody: missing, other variables, against a policy, paused, disabled.
  [132000, template],
  [132001, template],
  [132007, template],
  [132015, template],
  [132016, template],
  [132068, template],
  [132069, never],
  [135000, never],
])

/** Codes 200 to 299 are permission errors. */
export function policyOf(code: number, status: number): Policy {
  const known = policies.get(code)
  if (known) return known
  if (code > 200 && code < 300) return stopped
  if (status === 429) return throttled(5)
  if (status === 503) return throttled(30)
  return status >= 500 ? unknown : never
}
