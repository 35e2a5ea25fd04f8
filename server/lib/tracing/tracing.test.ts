import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { startShop } from '../../test/app.ts'
import { makeArea, makeProduct, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { fetchBounded } from '../http-client.ts'
import { startTracing } from './opentelemetry.ts'
import { currentTracing, traced } from './tracing.ts'

const spanShape = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
  status: z.object({ code: z.number().optional() }).optional(),
})
const exportShape = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanShape) })) })),
})

/** A collector that keeps what it receives. */
async function startCollector() {
  const bodies: string[] = []
  const paths = new Set<string>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    paths.add(request.url ?? '')
    bodies.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const spans = () =>
    bodies.flatMap((body) =>
      exportShape
        .parse(JSON.parse(body))
        .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
  return { address: `http://127.0.0.1:${port}`, bodies, paths, spans, stop: () => server.close() }
}

const collector = await startCollector()
const provider = await startCollector()
afterAll(() => {
  collector.stop()
  provider.stop()
})

it('sends spans of requests, statements, jobs and calls to the collector, without personal data', async () => {
  const tracing = startTracing({ endpoint: collector.address, ratio: 1 })
  const shop = await startShop()
  const vendor = await makeVendor(shop)
  const product = await makeProduct(shop, vendor)
  const { lat, lng } = await makeArea(shop, [vendor])
  const customer = await makeVisitor(shop)
  await customer.call(addToCart, { body: { productId: product, quantity: 3 } })
  const body = { customerName: 'Canary Canaryson', address: 'Canary house 12', mapCoordinates: { lat, lng } }
  expect((await customer.call(placeOrder, { body })).status).toBe(200)
  // Requests that wait for one connection of the pool.
  await Promise.all(Array.from({ length: 30 }, () => customer.call(getCart)))
  const call = () =>
    fetchBounded(`${provider.address}/bot-canary-token/send?phone=97339998877`, {
      headers: {},
      signal: AbortSignal.timeout(5_000),
    })
  await traced('job caller', 'consumer', {}, call)
  const failing = traced('job canary', 'consumer', {}, () => Promise.reject(new Error('canary in the text')))
  await expect(failing).rejects.toThrow('canary')
  await expect
    .poll(() => shop.query(`select from pgboss.job where name = 'order-messages' and state = 'completed'`))
    .toHaveLength(1)
  const [{ phone } = { phone: '' }] = await shop.query<{ phone: string }>('select phone from users where id = $1', [
    customer.id,
  ])
  expect(phone).toMatch(/^\+973/)
  await shop.stop()
  await tracing.stop()

  expect([...collector.paths]).toEqual(['/v1/traces'])
  const spans = collector.spans()
  const named = (name: string) => spans.filter((span) => span.name === name)
  const [order] = named('POST /api/orders')
  expect(order && order.parentSpanId).toBeUndefined()
  expect(order?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const inOrder = spans.filter(({ parentSpanId }) => parentSpanId === order?.spanId).map(({ name }) => name)
  expect(inOrder).toEqual(expect.arrayContaining(['SQL begin', 'SQL order-place', 'SQL commit']))
  const [job] = named('job order-messages')
  expect(job?.parentSpanId).toBeUndefined()
  expect(spans.some(({ traceId, parentSpanId }) => traceId === job?.traceId && parentSpanId === job?.spanId)).toBe(true)
  const calls = named(`call ${new URL(provider.address).host}`)
  expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([named('job caller')[0]?.spanId])
  expect(named('job canary')[0]?.status).toEqual({ code: 2 })
  // Each of the parallel requests has the statements of its own look-up.
  const carts = named('GET /api/cart')
  expect(carts).toHaveLength(30)
  const ofCarts = carts.map(({ spanId }) => spans.filter(({ parentSpanId }) => parentSpanId === spanId).length)
  expect(new Set(ofCarts).size).toBe(1)
  const sent = collector.bodies.join('')
  for (const personal of [phone, 'Canary', 'canary-token', '39998877', 'canary in the text'])
    expect(sent).not.toContain(personal)
})

it('gives a request or job that is not drawn no span, also within the context of a traced one', async () => {
  const tracing = startTracing({ endpoint: collector.address, ratio: 0.5 })
  const drawn = vi.spyOn(Math, 'random').mockReturnValue(0.4)
  const traced = tracing.open('job drawn', 'consumer')
  drawn.mockReturnValue(0.6)
  expect(tracing.open('job alone', 'consumer')).toBeNull()
  expect(tracing.open('SQL alone', 'client')).toBeNull()
  const seen = traced?.within(() => {
    const within = tracing.open('job within', 'consumer')
    return [tracing.isTraced(), within?.within(tracing.isTraced)]
  })
  expect(seen).toEqual([true, false])
  drawn.mockRestore()
  await tracing.stop()
})

it('runs the work alone while traces are off', async () => {
  expect(currentTracing()).toBeNull()
  expect(await traced('job quiet', 'consumer', {}, async () => 7)).toBe(7)
})

it('loads the packages of OpenTelemetry only by the import in run.ts', () => {
  const server = join(import.meta.dirname, '../..')
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => ({ path, text: readFileSync(join(server, path), 'utf8') }))
  const naming = (words: RegExp) => sources.filter(({ text }) => words.test(text)).map(({ path }) => path)
  expect(naming(/from '@opentelemetry\//)).toEqual(['lib/tracing/opentelemetry.ts'])
  expect(naming(/from '.*tracing\/opentelemetry\.ts'/)).toEqual([])
  expect(naming(/await import\('.*tracing\/opentelemetry\.ts'\)/)).toEqual(['run.ts'])
})
