import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Behaviour of the older system. `lost`: processes the call, and the response is lost. `dies`: the connection breaks
 * before processing. `mute`: processes the call and never responds.
 */
export type Mood =
  | 'well'
  | 'hangs'
  | 'mute'
  | 'late'
  | 'lost'
  | 'dies'
  | 'rubbish'
  | 'empty'
  | 'endless'
  | 'redirects'
  | 'elsewhere'
  | 400
  | 401
  | 404
  | 409
  | 422
  | 429
  | 500
  | 503

interface LegacyCall {
  key: string
  body: { orderId: string; version: number; status: string; legacyBagId: string | null; event: string }
  raw: string
  authorization: string | undefined
}

interface Bag {
  id: string
  orderId: string
  status: string
}

const LATE_MS = 400

async function rawOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding gives bytes
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * A simulated older system on a real connection. Creates a bag for every new key without an id, so an order sent under
 * two keys exists twice. A repeated key gets the same response.
 */
export async function startOldSystem() {
  const synced: LegacyCall[] = []
  const bags: Bag[] = []
  const answers = new Map<string, { raw: string; bagId: string }>()
  let followed = 0
  const state: { mood: Mood | (() => Mood) } = { mood: 'well' }

  function work({ key, body, raw }: LegacyCall): { bagId: string } | 'reused' {
    const known = answers.get(key)
    if (known) return known.raw === raw ? known : 'reused'
    const bag = bags.find(({ id }) => id === body.legacyBagId)
    const bagId = bag?.id ?? String(1_000 + bags.length)
    if (bag) bag.status = body.status
    else bags.push({ id: bagId, orderId: body.orderId, status: body.status })
    const answer = { raw, bagId }
    answers.set(key, answer)
    return answer
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (request.url === '/inside') followed += 1
    const raw = await rawOf(request)
    const key = String(request.headers['idempotency-key'])
    const call: LegacyCall = { key, body: JSON.parse(raw), raw, authorization: request.headers.authorization }
    synced.push(call)
    const say = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    }
    const mood = typeof state.mood === 'function' ? state.mood() : state.mood
    if (typeof mood === 'number') return say(mood, { message: `no, +97333445566 (${mood})` }, { 'retry-after': '7' })
    if (mood === 'hangs') return
    if (mood === 'dies') return void request.socket.destroy()
    if (mood === 'redirects') return say(307, {}, { location: '/inside' })
    if (mood === 'rubbish') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
    if (mood === 'empty') return void response.writeHead(200).end()
    if (mood === 'endless') {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
        response.once('drain', write)
      }
      return write()
    }
    if (mood === 'elsewhere') return say(200, { bagId: 'another', transactionId: 1 })
    if (mood === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    const done = work(call)
    if (done === 'reused') return say(422, { message: 'This key was used with other words' })
    if (mood === 'lost') return void request.socket.destroy()
    if (mood === 'mute') return
    say(200, { bagId: Number(done.bagId), transactionId: `T-${done.bagId}` })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/orders`,
    synced,
    bags,
    bagsOf: (orderId: string) => bags.filter((bag) => bag.orderId === orderId),
    callsOf: (orderId: string) => synced.filter(({ body }) => body.orderId === orderId),
    /** What waits for an answer breaks off with the next mood, so that nobody waits for its timeout. */
    be(mood: Mood | (() => Mood)) {
      if (state.mood === 'hangs' || state.mood === 'mute') server.closeAllConnections()
      state.mood = mood
    },
    /** Number of calls to the target of a redirect. */
    followed: () => followed,
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
export type OldSystem = Awaited<ReturnType<typeof startOldSystem>>
