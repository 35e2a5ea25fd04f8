import { describe, expect, it } from 'vitest'
import {
  isPhoneUnderAttack,
  isTrusted,
  isUnderAttack,
  isWithheld,
  type OtpRiskState,
  waitBeforeSending,
  waitBeforeTrying,
  waitOfNetwork,
} from './otp-limits.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const state = (changes: Partial<OtpRiskState> = {}): OtpRiskState => ({
  isKnownDevice: false,
  role: null,
  sendAges: [],
  trustedSendAges: [],
  prefixRequestAges: [],
  prefixSends: 0,
  prefixRequests: 0,
  wrongAges: [],
  trustedWrongAges: [],
  wrongFourDigits: 0,
  wrongSixDigits: 0,
  trustedWrongInYear: 0,
  otherPhonesOfPrefix: 0,
  wrongOfAll: 0,
  rightOfAll: 0,
  ...changes,
})
const known = { isKnownDevice: true }
/** So many events, the last of which was `age` seconds ago. */
const times = (count: number, age: number) => Array<number>(count).fill(age)
const waitFor = (changes: Partial<OtpRiskState>, sendsOfAll = 0) => waitBeforeSending(state(changes), sendsOfAll)

describe('the wait before a code is sent', () => {
  // A code has five guesses: after 10 wrong ones of a day another code would allow 15, after 11 it would allow 16.
  it.each<[string, Partial<OtpRiskState>, number]>([
    ['59 seconds after the last', { sendAges: [59] }, 1],
    ['a minute after the last', { sendAges: [60] }, 0],
    ['after four within the hour', { sendAges: times(4, 100) }, 0],
    ['after five within the hour', { sendAges: times(5, 100) }, HOUR - 100],
    ['after nine within the day', { sendAges: times(9, 2 * HOUR) }, 0],
    ['after ten within the day', { sendAges: times(10, 2 * HOUR) }, 22 * HOUR],
    ['after 10 wrong guesses within the day', { wrongAges: times(10, HOUR) }, 0],
    ['after 11 wrong guesses within the day', { wrongAges: times(11, HOUR) }, 23 * HOUR],
    ['after 11 wrong guesses, the eleventh a day ago', { wrongAges: times(11, DAY) }, 0],
    ['after 995 wrong six-digit guesses in a year', { wrongSixDigits: 995 }, 0],
    ['after 996 wrong six-digit guesses in a year', { wrongSixDigits: 996 }, DAY],
    ['after 299 requests of the network', { prefixRequests: 299 }, 0],
    ['after 300 requests of the network', { prefixRequests: 300 }, HOUR],
    ['of a known device after 10 wrong guesses of its own', { ...known, trustedWrongAges: times(10, HOUR) }, 0],
    ['of a known device after 11 wrong guesses of its own', { ...known, trustedWrongAges: times(11, HOUR) }, 23 * HOUR],
    ['of a known device after five within the hour', { ...known, trustedSendAges: times(5, 100) }, HOUR - 100],
    [
      'of a known device whatever others did',
      { ...known, sendAges: times(10, 1), wrongAges: times(15, 1), prefixRequests: 300, wrongSixDigits: 999 },
      0,
    ],
    ['of a device with 30 wrong guesses, which is unknown', { ...known, trustedWrongInYear: 30, sendAges: [59] }, 1],
  ])('%s', (_, changes, wait) => expect(waitFor(changes)).toBe(wait))

  it('is an hour after 5,000 codes of a day, except for known devices', () => {
    expect([waitFor({}, 4_999), waitFor({}, 5_000), waitFor(known, 5_000)]).toEqual([0, HOUR, 0])
  })
})

describe('a network', () => {
  it('waits after twenty requests within the hour, except for known devices', () => {
    const ofNetwork = (count: number, more: Partial<OtpRiskState> = {}) =>
      waitOfNetwork(state({ prefixRequestAges: times(count, 100), ...more }))
    expect([ofNetwork(19), ofNetwork(20), ofNetwork(20, known)]).toEqual([0, HOUR - 100, 0])
  })

  it('gets no more than twenty codes an hour for phones without an account', () => {
    const after = (prefixSends: number, more: Partial<OtpRiskState> = {}) => isWithheld(state({ prefixSends, ...more }))
    expect([after(19), after(20)]).toEqual([false, true])
    expect([after(20, { role: 'customer' }), after(20, known)]).toEqual([false, false])
  })

  it('tries ten other phones an hour', () => {
    const after = (otherPhonesOfPrefix: number, more: Partial<OtpRiskState> = {}) =>
      waitBeforeTrying(state({ otherPhonesOfPrefix, ...more }))
    expect([after(9), after(10), after(10, known)]).toEqual([0, HOUR, 0])
  })
})

describe('an attack', () => {
  it('on a phone is assumed when another code would allow more than 30 four-digit guesses in a year', () => {
    expect([25, 26].map((wrongFourDigits) => isPhoneUnderAttack(state({ wrongFourDigits })))).toEqual([false, true])
  })

  it('on all phones is assumed above 30 wrong codes, if there are more of them than right ones', () => {
    const of = (wrongOfAll: number, rightOfAll: number) => isUnderAttack({ wrongOfAll, rightOfAll })
    expect([of(30, 0), of(31, 0), of(31, 30), of(31, 31)]).toEqual([false, true, true, false])
  })

  it('by a known device ends its trust at 30 wrong guesses in a year', () => {
    const after = (trustedWrongInYear: number) => isTrusted(state({ ...known, trustedWrongInYear }))
    expect([after(29), after(30), isTrusted(state())]).toEqual([true, false, false])
  })
})
