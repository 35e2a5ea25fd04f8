import { emptyCart, getCart } from '@qatra/contract/cart/cart'
import { describe, expect, it, vi } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { demoCatalogue } from '../test/fixtures/bot-catalogue.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { freshMemory, type State } from './dialogue/memory.ts'
import { meaningOf } from './dialogue/read-text.ts'
import type { Incoming } from './dialogue/turn-context.ts'
import { gather, mergeTurn } from './gathering.ts'

const GATHER_SECONDS = 3
const shop = await startShop({ botGatherSeconds: GATHER_SECONDS })
const second = await startShop({ botGatherSeconds: GATHER_SECONDS }, { databaseUrl: shop.databaseUrl })

const write = (phone: string, body: string, by: TestShop = shop) =>
  by.visitor().call(sendSimulatedMessage, { body: { from: phone, body } })
const repliesTo = (phone: string) =>
  shop.query<{ content: string }>(
    `select content from whatsapp_messages where to_number = $1 and direction = 'outgoing' order by id`,
    [phone],
  )
const allProcessed = (phone: string, count: number) =>
  until('all messages', async () => {
    const [row] = await shop.query(
      `select count(*)::int as count from whatsapp_messages where from_number = $1 and processed`,
      [phone],
    )
    return row?.['count'] === count
  })
/** Parallel calls arrive in any order. */
const quantitiesOf = async (phone: string) =>
  (await (await shop.visitor().signInAs(phone)).call(getCart)).body.items.map(({ quantity }) => quantity).sort()
const order = ['السلام عليكم', 'ابي ماي', 'هيرات', '٤ كراتين نص لتر', '2 كرتون 200 مل', 'السيف']

describe('messages of one customer within the gathering time', () => {
  it('that arrive in parallel are one turn with one answer', async () => {
    const phone = newPhone()
    await Promise.all(order.map((body) => write(phone, body)))
    await allProcessed(phone, order.length)
    const replies = await repliesTo(phone)
    expect(replies).toHaveLength(1)
    expect(replies[0]?.content).toMatch(/أضفنا: 4 /)
    expect(await quantitiesOf(phone)).toEqual([2, 4])
  })

  it('are one turn if several processes receive them', async () => {
    const phones = Array.from({ length: 4 }, newPhone)
    await Promise.all(
      phones.flatMap((phone) => order.map((body, i) => write(phone, body, i % 2 === 0 ? shop : second))),
    )
    for (const phone of phones) {
      await allProcessed(phone, order.length)
      expect(await repliesTo(phone)).toHaveLength(1)
      expect(await quantitiesOf(phone)).toEqual([2, 4])
    }
  })

  it('are answered once if the first attempt fails halfway', async () => {
    const phone = newPhone()
    await shop.query('create sequence attempts')
    await shop.query(`create function fail_first() returns trigger language plpgsql as $$ begin
      if new.message_text ~ 'كراتين' and nextval('attempts') = 1 then raise 'broken'; end if; return new; end $$`)
    await shop.query(
      'create trigger fail_first before insert on bot_message_history for each row execute function fail_first()',
    )
    await Promise.all(order.map((body) => write(phone, body)))
    await allProcessed(phone, order.length)
    expect(await repliesTo(phone)).toHaveLength(1)
    expect(await quantitiesOf(phone)).toEqual([2, 4])
    await shop.query('drop trigger fail_first on bot_message_history')
  })

  it('that ask for offers and then stop them leave none, whichever is processed first', async () => {
    const isOut = async (phone: string) =>
      (await shop.query('select from contacts where phone = $1 and opted_out_at is not null', [phone])).length > 0
    for (const isAnsweredFirst of [false, true]) {
      const phone = newPhone()
      await write(phone, 'STOP')
      await until('no offers', () => isOut(phone))
      await write(phone, 'please send me your offers again')
      if (isAnsweredFirst) await allProcessed(phone, 2)
      expect(await isOut(phone)).toBe(!isAnsweredFirst)
      await write(phone, 'STOP')
      await allProcessed(phone, 3)
      expect(await isOut(phone)).toBe(true)
      expect((await repliesTo(phone)).at(-1)?.content).toContain('You will get no more offers')
    }
  })

  it('are shown as read and being answered meanwhile; with a button among them they are answered at once', async () => {
    const slow = await startShop({ botGatherSeconds: 600 }, { databaseUrl: shop.databaseUrl })
    // Any of the processes does the job.
    const marks = [shop, second, slow].map(({ app }) => {
      const { messages } = gatewaysOf(app)
      if (!messages) throw new Error('The simulator is a Cloud API')
      return vi.spyOn(messages, 'markRead')
    })
    const phone = newPhone()
    await write(phone, 'hello', slow)
    await until('the sign of writing', async () => marks.some(({ mock }) => mock.calls.length > 0))
    const [hello] = await shop.query<{ id: string; processed: boolean }>(
      'select message_id as id, processed from whatsapp_messages where from_number = $1',
      [phone],
    )
    expect(hello?.processed).toBe(false)
    expect(marks.flatMap(({ mock }) => mock.calls)).toEqual([[hello?.id, { isTyping: true }]])
    for (const mark of marks) mark.mockRestore()
    const body = { from: phone, type: 'button', id: 'go:menu', body: 'Menu' } as const
    await slow.visitor().call(sendSimulatedMessage, { body })
    await allProcessed(phone, 2)
    await slow.stop()
  })
})

const start = Date.parse('2026-11-15T09:00:00Z')
/** Received after so many milliseconds. */
const message = (after: number, more: Partial<Incoming> = {}): Incoming => ({
  id: after,
  type: 'text',
  content: '',
  parts: {},
  at: new Date(Math.floor((start + after) / 1000) * 1000),
  receivedAt: new Date(start + after),
  ...more,
})

describe('the gathering time', () => {
  it.each([
    ['begins again with the next message', [0, 1_500], 2_000, 2, 1_500],
    ['ends after the last message', [0, 1_500], 3_500, 2, 0],
    ['ends for a customer who writes on', [0, 1_500, 3_000, 4_500, 5_900], 6_000, 5, 0],
    ['separates messages that are further apart', [0, 2_100], 2_200, 1, 0],
  ] as const)('%s', (_, received, now, count, waitMs) => {
    const [first = message(0), ...others] = received.map((after) => message(after))
    const gathered = gather([first, ...others], new Date(start + now), 2_000)
    expect([gathered.messages.length, gathered.waitMs]).toEqual([count, waitMs])
  })

  it('ends with a button', () => {
    const gathered = gather([message(0), message(500, { type: 'button' })], new Date(start + 600), 2_000)
    expect([gathered.messages.length, gathered.waitMs]).toEqual([1, 0])
  })

  it('does not join messages that were written apart and arrive together', () => {
    const late = message(100, { at: new Date(start + 60_000) })
    expect(gather([message(0), late], new Date(start + 150), 2_000).messages).toHaveLength(1)
  })
})

const catalogue = demoCatalogue()
const mergedTexts = (state: State, ...texts: string[]) => {
  const memory = { ...freshMemory('en'), state }
  const read = ({ content }: Incoming) => meaningOf(content, { memory, catalogue, cart: emptyCart })
  const messages = texts.map((content, i) => message(i, { content }))
  return mergeTurn(messages, state, read).map(({ content }) => content)
}

describe('the messages of a turn', () => {
  it('of which a yes is followed by a place or a voice message hold no yes', () => {
    const memory = { ...freshMemory('en'), state: 'confirm' as const }
    const read = ({ content }: Incoming) => meaningOf(content, { memory, catalogue, cart: emptyCart })
    for (const type of ['location', 'audio', 'image'] as const) {
      const merged = mergeTurn([message(0, { content: 'yes' }), message(1, { type })], 'confirm', read)
      expect(merged.map((one) => one.type)).toEqual([type])
    }
  })

  it.each([
    ['parts of an order are one', 'idle', ['hi', '4 cartons', 'hayrat', '500ml'], ['4 cartons\nhayrat\n500ml']],
    ['a yes said again is one', 'confirm', ['yes', 'ok', '👍'], ['yes']],
    [
      'two questions are two',
      'idle',
      ['where is my order', 'cancel my order'],
      ['where is my order', 'cancel my order'],
    ],
    [
      'an address in pieces is one',
      'address',
      ['block 338', 'road 3810', 'house 12'],
      ['block 338\nroad 3810\nhouse 12'],
    ],
    ['a yes that is taken back is none', 'confirm', ['yes', 'wait no'], ['wait no']],
    ['a yes followed by another request is no yes', 'confirm', ['اي', 'بس زيد كرتون'], ['بس زيد كرتون']],
    ['a yes with thanks is one', 'confirm', ['ee', 'shukran'], ['ee']],
    ['a no that a yes follows is none', 'cancel', ['no', 'yes'], ['yes']],
    [
      'a question before a yes is answered first',
      'confirm',
      ['how much is delivery?', 'yes'],
      ['how much is delivery?', 'yes'],
    ],
    ['a quantity and its correction are one', 'product', ['two cartons', 'no, four'], ['two cartons\nno, four']],
    ['a row and a quantity are two', 'vendor', ['2', '3'], ['2', '3']],
    ['of two quantities the last counts', 'quantity', ['2', '3'], ['3']],
    ['a consent before a no is none', 'idle', ['send me offers again', 'no'], ['no']],
    ['a place before a no is none', 'cart', ['deliver to juffair', 'no wait'], ['no wait']],
    ['a place is corrected by another', 'place', ['Seef', 'no Juffair'], ['Seef\nno Juffair']],
    ['words that nobody understands are one', 'idle', ['qwer', 'asdf'], ['qwer\nasdf']],
    ['a greeting alone stays', 'idle', ['hi', 'hello'], ['hello']],
  ] as const)('%s', (_, state, texts, expected) => {
    expect(mergedTexts(state, ...texts)).toEqual(expected)
  })
})
