import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { streamMyOrders } from '@qatra/contract/notifications/notifications'
import type { ActorUser } from '@qatra/contract/users/actor'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeUser, makeVisitor } from '../../test/fixtures/make.ts'
import { type Heard, type Listening, listen as open, portOf } from '../../test/listen.ts'
import { batchOf, eventText, HEARTBEAT_MS, openStream } from './event-stream.ts'
import { MAX_STREAMS, MAX_STREAMS_OF_ORDERS } from './event-streams.ts'

const shop = await startShop()
const listen = async (
  at: TestShop,
  ...asked: Parameters<typeof open> extends [unknown, ...infer Rest] ? Rest : never
) => {
  const listening = await open(at, ...asked)
  onTestFinished(() => listening.hangUp())
  return listening
}
const isReady = ({ event }: Heard) => event === 'ready'
const staff = (at: TestShop) => makeVisitor(at, { role: 'vendor_staff', vendorId: 1 })
const toAll = (id: number, text = eventText('orders', { id }, id)) => ({
  id,
  topic: 'admin' as const,
  text,
  isFor: () => true,
})
const userOf = (id: number): ActorUser => ({
  id,
  phone: '+97336000001',
  name: null,
  role: 'vendor_staff',
  vendorId: 1,
  permissions: ['events.read'],
  language: 'ar',
  isVerified: true,
})
const isEnd = ({ event }: Heard) => event === 'end'

describe('one stream', () => {
  const user = userOf(1)
  function opened() {
    const body = new PassThrough()
    const response = Object.assign(body, { writeHead: () => response, setTimeout: () => response })
    const ended: string[] = []
    const stream = openStream(
      response,
      {},
      {
        sessionId: 's',
        user,
        topic: 'admin',
        rights: '',
        impersonatorId: null,
        first: 'first\n\n',
        upTo: 10,
        closed: (how) => void ended.push(how),
      },
    )
    return { stream, ended, text: () => String(body.read() ?? '') }
  }

  it('sends a heartbeat every 25 seconds and ends within a quarter of an hour', () => {
    const { stream, text } = opened()
    text()
    // Whole milliseconds, so that multiples of the heartbeat are exact.
    const begun = Math.ceil(performance.now())
    stream.tick(begun + HEARTBEAT_MS)
    expect(text()).toBe(':\n\n')
    stream.tick(begun + HEARTBEAT_MS * 2 - 1_000)
    expect(text()).toBe('')
    stream.tick(begun + HEARTBEAT_MS * 2)
    expect(text()).toBe(':\n\n')
    stream.tick(begun + 11.9 * 60_000)
    text()
    stream.tick(begun + 15 * 60_000 + 1)
    expect(text()).toContain('"reason":"age"')
  })

  it('sends each event once, including those of its first text', () => {
    const { stream, text } = opened()
    text()
    stream.send(batchOf([toAll(9, 'a'), toAll(10, 'b'), toAll(11, 'c')]))
    stream.send(batchOf([toAll(11, 'c'), toAll(12, 'd')]))
    expect(text()).toBe('cd')
  })
})

describe('the number of streams', () => {
  it('is three per session: a fourth closes the oldest', async () => {
    const who = await staff(shop)
    const all: Listening[] = []
    for (let n = 0; n < 4; n += 1) all.push(await listen(shop, who))
    const end = await all[0]?.until(isEnd)
    expect(end?.data.reason).toBe('replaced')
    await all[0]?.ended
    expect(all.map((one) => one.isEnded())).toEqual([true, false, false, false])
  })

  it('is twelve per person, whose full session replaces one, and does not affect others', async () => {
    const limited = await startShop({ rateLimits: true })
    const { phone } = await makeUser(limited, { role: 'vendor_staff', vendorId: 1 })
    const desk = await limited.visitor().signInAs(phone)
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1) statuses.push((await listen(limited, desk)).status)
    for (let n = 0; n < 9; n += 1)
      statuses.push((await listen(limited, await limited.visitor().signInAs(phone))).status)
    expect(statuses).toEqual(Array<number>(12).fill(200))
    const refused = await listen(limited, await limited.visitor().signInAs(phone))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await listen(limited, desk)).status).toBe(200)
    expect((await listen(limited, await staff(limited))).status).toBe(200)
  })

  it('is rate limited for a person who keeps opening new ones', async () => {
    const limited = await startShop({ rateLimits: true })
    const who = await staff(limited)
    const statuses: number[] = []
    for (let n = 0; n < 40; n += 1) {
      const listening = await listen(limited, who)
      statuses.push(listening.status)
      listening.hangUp()
    }
    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true)
    expect(statuses).toContain(429)
  })

  /** Opens streams without a connection, until `count` are open. */
  async function fillTo(count: number, topic: 'admin' | 'my-orders') {
    // Streams of earlier tests are still closing.
    await expect.poll(() => shop.app.eventStreams.figures().open).toBe(0)
    const { id } = await makeUser(shop, { role: 'vendor_staff', vendorId: 1 })
    const user = userOf(id)
    const actor = { user, guestSession: null, impersonator: null, lang: 'ar' as const }
    const responses: PassThrough[] = []
    for (let n = 0; n < count; n += 1) {
      const response = Object.assign(new PassThrough(), { writeHead: () => response, setTimeout: () => response })
      responses.push(response)
      const sessionId = randomUUID()
      const begin = () => ({ first: '', upTo: 0 })
      shop.app.eventStreams.open({ response, headers: {}, sessionId, actor, user, topic, begin })
    }
    return async () => {
      for (const response of responses) response.destroy()
      await expect.poll(() => responses.every(({ closed }) => closed)).toBe(true)
    }
  }

  it(`is ${MAX_STREAMS} per process: further ones get Retry-After, and places are freed`, async () => {
    const empty = await fillTo(MAX_STREAMS, 'admin')
    const refused = await listen(shop, await staff(shop))
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([503, true])
    await empty()
    expect((await listen(shop, await staff(shop))).status).toBe(200)
  })

  it(`is ${MAX_STREAMS_OF_ORDERS} per process for customers’ orders, which leaves places for the staff`, async () => {
    const empty = await fillTo(MAX_STREAMS_OF_ORDERS, 'my-orders')
    const refused = await listen(shop, await makeVisitor(shop), { path: streamMyOrders.path })
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([503, true])
    expect((await listen(shop, await staff(shop))).status).toBe(200)
    await empty()
    expect((await listen(shop, await makeVisitor(shop), { path: streamMyOrders.path })).status).toBe(200)
  })
})

describe('a client that does not read', () => {
  it('is disconnected at the buffer limit without affecting others', async () => {
    const [lazy, busy] = [await staff(shop), await staff(shop)]
    const socket = connect({ port: await portOf(shop), host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    const cookie = [...lazy.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    socket.write(`GET /api/admin/events HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    const desk = await listen(shop, busy)
    await desk.until(isReady)
    const slow = () => shop.app.eventStreams.figures().ended.get('slow') ?? 0
    const before = slow()
    const filler = 'x'.repeat(400_000)
    for (let n = 1; n <= 60 && slow() === before; n += 1) {
      shop.app.eventStreams.publish([toAll(1_000_000 + n, eventText('orders', { filler }, 1_000_000 + n))])
      await desk.until(({ id }) => id === 1_000_000 + n)
    }
    expect(slow()).toBe(before + 1)
    expect(desk.isEnded()).toBe(false)
  })
})

describe('a stopping process', () => {
  it('ends every stream, refuses new ones, and waits for none', async () => {
    const stopping = await startShop()
    const who = await staff(stopping)
    const desk = await listen(stopping, who)
    await desk.until(isReady)
    // A client that neither reads nor disconnects.
    const socket = connect({ port: await portOf(stopping), host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    socket.write(`GET /api/admin/events HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    stopping.drain()
    expect((await desk.until(isEnd)).data.reason).toBe('stopping')
    await desk.ended
    const refused = await listen(stopping, who)
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([503, true])
    await stopping.app.http.close()
  })
})

describe('metrics', () => {
  it('count open streams and the reasons of closed ones', async () => {
    await listen(shop, await staff(shop))
    const { body } = await shop.visitor().send('GET', '/metrics')
    expect(String(body)).toMatch(/^qatra_live_streams [1-9]/m)
    expect(String(body)).toMatch(/^qatra_live_streams_ended_total\{how="replaced"\} [1-9]/m)
    // The duration of a stream is not a response time.
    expect(String(body)).not.toMatch(/http_request_duration_seconds_count\{[^}]*events[^}]*status="200"/)
  })
})
