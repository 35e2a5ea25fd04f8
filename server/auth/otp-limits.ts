/** Limits of guessing and sending; the reasons and figures are in docs/decisions/0006. Times in seconds. */
export const TRIES = 5
export const COOLDOWN = 60
const HOUR = 3600
const DAY = 24 * HOUR
const SENDS = [
  { count: 1, within: COOLDOWN },
  { count: 5, within: HOUR },
  { count: 10, within: DAY },
]
/**
 * Codes per network and hour to phones without an account. Phones with one are not counted: a carrier's NAT serves
 * thousands.
 */
export const SENDS_BY_PREFIX = 20
/** Requests per network and hour for all phones; bounds rows and messages. */
export const REQUESTS_BY_PREFIX = 300
/** Messages to all phones per day; above it only known devices get codes. */
export const SENDS_OF_ALL = 5_000
const WRONG_A_DAY = 15
const WRONG_FOUR_DIGITS_A_YEAR = 30
const WRONG_SIX_DIGITS_A_YEAR = 1_000
/** A device with this many wrong guesses in a year is no longer trusted. */
const WRONG_ON_DEVICE_A_YEAR = 30
const PHONES_BY_PREFIX = 10
const WRONG_OF_ALL = 30

/** Risk state of a phone, a device and a network at the time of a request. Ages in seconds, newest first. */
export interface OtpRiskState {
  isKnownDevice: boolean
  role: string | null
  sendAges: number[]
  trustedSendAges: number[]
  /** Of all requests, for phones with and without an account. */
  prefixRequestAges: number[]
  /** Codes sent to phones without an account within the hour. */
  prefixSends: number
  prefixRequests: number
  wrongAges: number[]
  trustedWrongAges: number[]
  wrongFourDigits: number
  wrongSixDigits: number
  trustedWrongInYear: number
  /** Phones other than this one for which this network guessed wrong within the hour. */
  otherPhonesOfPrefix: number
  wrongOfAll: number
  rightOfAll: number
}

const waitFor = (ages: readonly number[], { count, within }: { count: number; within: number }) => {
  const age = ages[count - 1]
  return age !== undefined && age < within ? Math.ceil(within - age) : 0
}
const longest = (ages: readonly number[], limits: readonly { count: number; within: number }[]) =>
  Math.max(0, ...limits.map((limit) => waitFor(ages, limit)))

export const isTrusted = (riskState: OtpRiskState) =>
  riskState.isKnownDevice && riskState.trustedWrongInYear < WRONG_ON_DEVICE_A_YEAR

/** Too many wrong codes over all phones: many phones are being tried. */
export const isUnderAttack = ({ wrongOfAll, rightOfAll }: Pick<OtpRiskState, 'wrongOfAll' | 'rightOfAll'>) =>
  wrongOfAll > WRONG_OF_ALL && wrongOfAll > rightOfAll

/** Seconds until a code may be sent; codes that would exceed a limit of attempts are not sent. */
export function waitBeforeSending(riskState: OtpRiskState, sendsOfAll: number): number {
  if (isTrusted(riskState)) {
    const tries = waitFor(riskState.trustedWrongAges, { count: WRONG_A_DAY - TRIES + 1, within: DAY })
    return Math.max(longest(riskState.trustedSendAges, SENDS), tries)
  }
  return Math.max(
    longest(riskState.sendAges, SENDS),
    riskState.prefixRequests >= REQUESTS_BY_PREFIX ? HOUR : 0,
    waitFor(riskState.wrongAges, { count: WRONG_A_DAY - TRIES + 1, within: DAY }),
    riskState.wrongSixDigits + TRIES > WRONG_SIX_DIGITS_A_YEAR ? DAY : 0,
    sendsOfAll >= SENDS_OF_ALL ? HOUR : 0,
  )
}

/**
 * Seconds until a request of this network gets 200 again. Counts all requests: a count of those for phones without an
 * account would reveal which earlier phones have one.
 */
export const waitOfNetwork = (riskState: OtpRiskState) =>
  isTrusted(riskState) ? 0 : waitFor(riskState.prefixRequestAges, { count: SENDS_BY_PREFIX, within: HOUR })

/** Whether the code is stored but not sent, because the network has used up its codes for phones without an account. */
export const isWithheld = (riskState: OtpRiskState) =>
  riskState.role === null && !isTrusted(riskState) && riskState.prefixSends >= SENDS_BY_PREFIX

/** Seconds until this network may try phones that it has not tried yet. */
export const waitBeforeTrying = (riskState: OtpRiskState) =>
  !isTrusted(riskState) && riskState.otherPhonesOfPrefix >= PHONES_BY_PREFIX ? HOUR : 0

/** A phone that used up the yearly limit of four-digit guesses gets six-digit codes from then on. */
export const isPhoneUnderAttack = (riskState: OtpRiskState) =>
  riskState.wrongFourDigits + TRIES > WRONG_FOUR_DIGITS_A_YEAR
