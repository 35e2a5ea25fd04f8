import { expect, it } from 'vitest'
import { mayAnswer } from './policy.ts'
import type { Incoming } from './turn-context.ts'

const now = new Date('2026-11-15T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const text = (content: string): Incoming => ({ id: 1, type: 'text', content, parts: {}, at: now, receivedAt: now })
const tap = (id: string): Incoming => ({ ...text('x'), type: 'button', parts: { id } })

const free = { now, pausedUntil: null, handoffAt: null, isProving: false }
const taken = { ...free, pausedUntil: new Date(now.getTime() + 1) }
const waiting = { ...free, handoffAt: ago(5) }

it.each([
  ['anybody', free, text('hello'), 'yes'],
  ['whoever a person answered long ago', { ...free, pausedUntil: ago(0) }, text('hello'), 'yes'],
  ['nobody while a person answers', taken, text('hello'), 'no'],
  ['not even the menu then', taken, text('menu'), 'no'],
  ['nor a button', taken, tap('go:menu'), 'no'],
  ['nobody who waits for a person', waiting, text('my order is wrong'), 'no'],
  ['nor an order in the middle of it', waiting, text('4 cartons'), 'no'],
  ['the menu while somebody waits', waiting, text('القائمة'), 'called-back'],
  ['menu in English', waiting, text('Menu'), 'called-back'],
  ['zero', waiting, text('٠'), 'called-back'],
  ['a button of its own', waiting, tap('go:order'), 'called-back'],
  ['not the input for a person, once more', waiting, tap('go:person'), 'no'],
  ['whoever waited in vain for a day', { ...free, handoffAt: ago(24 * 60) }, text('hello?'), 'yes'],
  ['not a proof of the sign-in page', free, text('LOGIN 7F3K2M'), 'no'],
  ['nor the button of its question', free, tap('proof:not-me:7'), 'no'],
  ['two digits, as a number of cartons', free, text('12'), 'yes'],
  ['not the digits that a page waits for', { ...free, isProving: true }, text('١٢'), 'no'],
  ['nor that somebody else asked', { ...free, isProving: true }, text('لا'), 'no'],
  ['everything else meanwhile', { ...free, isProving: true }, text('4 cartons'), 'yes'],
  ['not a word against offers', free, text('STOP'), 'no'],
  ['nor the Arabic one', free, text('إلغاء الاشتراك'), 'no'],
] as const)('answers %s', (_, standing, incoming, expected) => {
  expect(mayAnswer(standing, incoming)).toBe(expected)
})
