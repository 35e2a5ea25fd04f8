import { emptyCart } from '@qatra/contract/cart/cart'
import { expect, it } from 'vitest'
import { demoCatalogue } from '../test/fixtures/bot-catalogue.ts'
import { botWorld } from '../test/fixtures/bot-world.ts'
import { freshMemory, type Memory } from './dialogue/memory.ts'
import { meaningOf } from './dialogue/read-text.ts'
import type { Incoming } from './dialogue/turn-context.ts'
import { reactionTo } from './policy.ts'
import { decideReaction } from './turn.ts'

const now = new Date('2026-11-15T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const text = (content: string): Incoming => ({ id: 1, type: 'text', content, parts: {}, at: now, receivedAt: now })
const tap = (id: string): Incoming => ({ ...text('x'), type: 'button', parts: { id } })
const catalogue = demoCatalogue()

const free = { now, pausedUntil: null, handoffAt: null, humanRepliedAt: null, isLoggingIn: false, isOptedOut: false }
/** Staff replied two minutes ago. */
const taken = { ...free, pausedUntil: new Date(now.getTime() + 1), humanRepliedAt: ago(2) }
const waiting = { ...free, handoffAt: ago(5) }

const announced = { isQuietSaid: true }
/** The bot asked a minute ago, after the reply of staff, or ten minutes ago, before it. */
const asked = (state: Memory['state'], minutes: number) => ({ ...announced, state, lastAt: ago(minutes).getTime() })
const atGuess = { ...asked('idle', 1), doubt: 'hairat', choices: ['guess:yes', 'guess:no'] }
const atMenu = (minutes: number) => ({ ...asked('idle', minutes), choices: ['go:order', 'go:orders'] })

it.each([
  ['a customer for whom nobody was called', free, text('hello'), {}, 'answer'],
  ['a customer whom a person answered long ago', { ...free, pausedUntil: ago(0) }, text('hello'), {}, 'answer'],
  ['a customer who waited for a day', { ...free, handoffAt: ago(24 * 60) }, text('hello?'), announced, 'answer'],
  ['the menu while the customer waits', waiting, text('القائمة'), announced, 'help'],
  ['the menu in English', waiting, text('Menu'), announced, 'help'],
  ['zero', waiting, text('٠'), announced, 'help'],
  ['a button of its own', waiting, tap('go:order'), announced, 'help'],
  ['the receipt of the order in trouble', waiting, tap('receipt:A1'), announced, 'help'],
  ['its change', waiting, tap('change:A1'), announced, 'help'],
  ['its repetition', waiting, tap('again:A1'), announced, 'help'],
  ['a customer who no longer needs a person', waiting, tap('bot:back'), announced, 'resume'],
  ['the place that it asked for meanwhile', waiting, text('السيف'), asked('place', 1), 'help'],
  ['the quantity that it asked for meanwhile', waiting, text('كرتونين'), asked('quantity', 1), 'help'],
  ['words to the person instead of a quantity', waiting, text('is anybody there'), asked('quantity', 1), 'silent'],
  ['a yes to what it read', waiting, text('yes'), atGuess, 'help'],
  ['a no to what it read', waiting, text('لا'), atGuess, 'help'],
  ['the place that it asked for before', waiting, text('السيف'), asked('place', 10), 'silent'],
  ['a place after the reply of staff', taken, text('السيف'), asked('place', 1), 'silent'],
  ['tracking while the customer waits', waiting, text('وين طلبي؟'), announced, 'help'],
  ['cancelling while the customer waits', waiting, text('cancel my order'), announced, 'help'],
  ['no more offers while the customer waits', waiting, text('لا ترسلون اعلانات'), announced, 'help'],
  ['a yes to the summary while the customer waits', waiting, text('نعم'), asked('confirm', 1), 'help'],
  ['its button', waiting, tap('confirm:7'), announced, 'help'],
  ['a yes to no question', waiting, text('yes'), announced, 'silent'],
  ['a first message that is left to the person', waiting, text('my order is wrong'), {}, 'explain'],
  ['a second one', waiting, text('my order is wrong'), announced, 'silent'],
  ['a price while the customer waits', waiting, text('كم سعر هيرات'), announced, 'help'],
  ['the price of all', waiting, text('how much is it'), announced, 'help'],
  ['a brand', waiting, text('هيرات'), announced, 'help'],
  ['its products', waiting, text('do you have alkaline water?'), announced, 'help'],
  ['the brands', waiting, text('شنو العلامات عندكم'), announced, 'help'],
  ['a question to the shop', waiting, text('do you take cards?'), announced, 'help'],
  ['the days of delivery', waiting, text('توصلون الجمعة؟'), announced, 'help'],
  ['a price that the catalogue does not decide', waiting, text('how much do I owe you'), announced, 'silent'],
  ['a price while staff answer', taken, text('كم سعر هيرات'), announced, 'silent'],
  ['a question to the shop while staff answer', taken, text('do you take cards?'), announced, 'silent'],
  ['an order in the middle of it', waiting, text('4 cartons'), announced, 'silent'],
  ['an order after the menu', waiting, text('4 cartons hayrat half litre'), atMenu(1), 'help'],
  ['a question to the person after the menu', waiting, text('is anybody there'), atMenu(1), 'silent'],
  ['an order after the menu of before', waiting, text('4 cartons hayrat half litre'), atMenu(10), 'silent'],
  ['the button for a person, once more', waiting, tap('go:person'), announced, 'silent'],
  ['the menu while staff answer', taken, text('menu'), announced, 'ask-back'],
  ['a button of the menu while staff answer', taken, tap('go:menu'), announced, 'ask-back'],
  ['the menu after the question', taken, text('menu'), asked('handback', 1), 'resume'],
  ['a yes to the question', taken, text('اي'), asked('handback', 1), 'resume'],
  ['the yes of its button', taken, tap('bot:back'), asked('handback', 1), 'resume'],
  ['a no to the question', taken, text('لا'), asked('handback', 1), 'help'],
  ['tracking while staff answer', taken, text('where is my order'), announced, 'help'],
  ['cancelling while staff answer', taken, text('الغي طلبي'), announced, 'help'],
  ['a yes to a summary shown after the reply of staff', taken, text('yes'), asked('confirm', 1), 'help'],
  ['a yes to what staff asked after the summary', taken, text('yes'), asked('confirm', 10), 'silent'],
  ['the button of the summary then', taken, tap('confirm:7'), asked('confirm', 10), 'help'],
  ['a yes to cancelling, asked before the reply of staff', taken, text('yes'), asked('cancel', 10), 'silent'],
  ['a message to staff, once', taken, text('hello'), {}, 'explain'],
  ['a message to staff', taken, text('hello'), announced, 'silent'],
  ['a message of the sign-in page', free, text('LOGIN 7F3K2M'), {}, 'silent'],
  ['the button of its question', free, tap('login:not-me:7'), {}, 'silent'],
  ['two digits, as a number of cartons', free, text('12'), {}, 'answer'],
  ['the digits that a page waits for', { ...free, isLoggingIn: true }, text('١٢'), {}, 'silent'],
  ['that somebody else asked', { ...free, isLoggingIn: true }, text('لا'), {}, 'silent'],
  ['everything else meanwhile', { ...free, isLoggingIn: true }, text('4 cartons'), {}, 'answer'],
  ['a word against offers', free, text('STOP'), {}, 'silent'],
  ['the Arabic one', free, text('إلغاء الاشتراك'), {}, 'silent'],
  ['a word for offers, from a customer without them', { ...free, isOptedOut: true }, text('START'), {}, 'silent'],
  ['that word as a greeting', free, text('start'), {}, 'answer'],
  ['a sentence for offers', { ...free, isOptedOut: true }, text('ابي العروض مرة ثانية'), {}, 'answer'],
  ['that sentence while the customer waits', waiting, text('ابي العروض مرة ثانية'), announced, 'help'],
] as const)('to %s the bot reacts as expected', (_, status, incoming, remembered, expected) => {
  const memory = { ...freshMemory('ar'), ...remembered }
  const meaning = meaningOf(incoming.content, { memory, catalogue, cart: emptyCart })
  expect(reactionTo(status, incoming, { memory, meaning })).toBe(expected)
})

it('answers by the reading that decided, and reads nothing again', async () => {
  const world = botWorld()
  const context = { memory: world.memory, catalogue, cart: emptyCart }
  const sent = { ...text('2 cartons hayrat 500'), isLoggingIn: false, isOptedOut: false }
  const { steps } = decideReaction(free, [sent], context)
  expect(steps.map(({ meaning }) => meaning?.intent)).toEqual(['order'])
  await world.say({ content: sent.content, meaning: meaningOf('menu', context) })
  expect(world.intent).toBe('menu')
})
