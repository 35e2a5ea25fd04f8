import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { noteServerTime, serverNow } from './server-clock.ts'

const now = Date.parse('2026-11-22T10:00:00.000Z')
beforeEach(() => vi.useFakeTimers({ now }))
afterEach(() => {
  noteServerTime(new Date().toUTCString())
  vi.useRealTimers()
})

it.each([
  ['an hour slow', 'Sun, 22 Nov 2026 11:00:00 GMT', 3_600_500],
  ['ten minutes fast', 'Sun, 22 Nov 2026 09:50:00 GMT', -599_500],
  ['right', 'Sun, 22 Nov 2026 10:00:00 GMT', 0],
  ['right, the answer a second old', 'Sun, 22 Nov 2026 09:59:59 GMT', 0],
])('the server’s time is known on a device whose clock is %s', (_, header, difference) => {
  noteServerTime(header)
  expect(serverNow() - now).toBe(difference)
})

it.each([null, '', 'yesterday'])('a missing or invalid header (%s) changes nothing', (header) => {
  noteServerTime('Sun, 22 Nov 2026 11:00:00 GMT')
  noteServerTime(header)
  expect(serverNow() - now).toBe(3_600_500)
})
