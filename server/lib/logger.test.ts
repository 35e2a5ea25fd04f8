import { updateProfile } from '@qatra/contract/users/auth'
import type { DestinationStream } from 'pino'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { addressWith, firstRow, keyOf, sentBy } from '../test/ask.ts'
import { endpoints } from '../test/endpoints.ts'
import { meet } from '../test/fixtures/identities.ts'
import { standInWeb } from '../test/processes/stand-in-web.ts'
import { sample, sampleSeed } from '../test/sample.ts'
import { hostileBodies } from '../test/system/hostile-values.ts'
import { createLogger, describeError, maskPhone } from './logger.ts'

function memory(): { lines: () => Record<string, unknown>[]; text: () => string; stream: DestinationStream } {
  const written: string[] = []
  return {
    stream: { write: (line) => void written.push(line) },
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>), // throws on a line that is not JSON
  }
}

/** Unique values in every field that can hold personal data. */
const canary = {
  phone: '+97336987654',
  local: '36987654',
  code: '7391',
  token: 'CANARYTOKEN0123456789abcdefghijklmnopqrstuv',
  name: 'Canaryname Al Secret',
  address: 'Canary House 77 Hidden Road',
  text: 'canary-message-text',
  cookie: `u.${'C'.repeat(43)}`,
}
const secrets = [
  canary.local,
  canary.token,
  canary.name,
  canary.address,
  canary.text,
  canary.cookie,
  '26.1234567',
  'canary',
]
const found = (text: string) => secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))

/** With the endpoint that stores the name, so that there are values to be found. */
const asked = [...new Set([...sample(endpoints, 0.34), updateProfile])]

describe(`the log of a running shop (seed ${sampleSeed})`, async () => {
  const log = memory()
  const shop = await startShop({}, { log: createLogger('trace', log.stream), web: standInWeb() })

  const body = {
    phone: canary.phone,
    from: canary.phone,
    code: canary.code,
    customerName: canary.name,
    name: canary.name,
    address: canary.address,
    instructions: canary.text,
    body: canary.text,
    notes: canary.text,
    reason: canary.text,
    mapCoordinates: { lat: 26.1234567, lng: 50.5 },
  }
  const query = {
    q: canary.address,
    search: canary.text,
    phone: canary.phone,
    lat: '26.1234567',
    lng: '50.5',
    token: canary.token,
  }

  it('contains no personal data for any route, on success or failure', async () => {
    for (const endpoint of asked) {
      const who = endpoint.path.startsWith('/api/admin') ? 'super_admin' : 'customer'
      const person = await meet(shop, who)
      const sent = await sentBy(shop, firstRow(endpoint), person)
      const own = typeof sent.body === 'object' ? sent.body : {}
      await person.send(endpoint.method, addressWith(endpoint, { ...sent, query }), { body: { ...body, ...own } })
      await person.send(endpoint.method, addressWith(endpoint, sent), { body })
      const params = Object.fromEntries(Object.keys(sent.params ?? {}).map((name) => [name, canary.token]))
      const headers = {
        cookie: `sid=${canary.cookie}`,
        authorization: `Bearer ${canary.token}`,
        'user-agent': canary.text,
      }
      await shop.visitor().send(endpoint.method, addressWith(endpoint, { params, query }), { body, headers })
      for (const raw of hostileBodies.slice(0, 4))
        await person.send(endpoint.method, addressWith(endpoint, sent), { raw })
    }
    for (const path of ['/magic-login/', '/orders/', '/boom?', '/nowhere/', '/login?redirect=', '/api/nothing/']) {
      await shop.visitor().send('GET', `${path}${canary.token}?token=${canary.token}&phone=${canary.phone}`)
    }
    await shop.visitor().send('GET', `/%zz${canary.token}`)
    expect(log.lines().length).toBeGreaterThan(asked.length * 5)
    expect(found(log.text())).toEqual([])
    expect(log.text()).not.toMatch(/[gu]\.[A-Za-z0-9_-]{43}/)
  })

  it('contains no personal data of waiting, finished or failed jobs', async () => {
    const jobs = await shop.query<{ name: string; job: string }>(
      `select name, jsonb_build_array(data, output)::text as job from pgboss.job`,
    )
    expect(jobs.length).toBeGreaterThan(10)
    expect(jobs.filter(({ job }) => found(job).length > 0)).toEqual([])
    // The values did reach the tables.
    const kept = await shop.query('select 1 from users where name = $1', [canary.name])
    expect(kept.length).toBeGreaterThan(0)
  })

  it('has one line per request with the route instead of the URL', async () => {
    const person = await meet(shop, 'customer')
    const from = log.lines().length
    // Sign-in requests may still be logged.
    const logged = () =>
      log
        .lines()
        .slice(from)
        .filter(({ route }) => route === '/api/orders/:id')
    await person.send('GET', '/api/orders/CANARYORDERID?x=1')
    await expect.poll(() => logged().length).toBe(1)
    expect(logged()[0]).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'GET',
      route: '/api/orders/:id',
      status: 404,
      ms: expect.any(Number),
      msg: 'request',
    })
  })

  it('contains no value that the database rejected', async () => {
    const from = log.text().length
    await shop.query(
      'alter table users add constraint no_bird check (name is null or name not like $$Canary%$$) not valid',
    )
    const person = await meet(shop, 'customer')
    const { status } = await person.send('PUT', '/api/auth/profile', { body: { name: canary.name } })
    expect(status).toBe(500)
    const logged = log.text().slice(from)
    expect(logged).toContain('unexpected error')
    expect(logged).toContain('23514')
    expect(found(logged)).toEqual([])
  })

  it('sees the route of each request', () => {
    const routes = new Set(log.lines().map(({ route }) => route))
    for (const endpoint of asked) {
      expect(routes, keyOf(endpoint)).toContain(endpoint.path.replace(/\{(\w+)\}/g, ':$1'))
    }
  })
})

describe('log redaction', () => {
  it('hides known keys at any depth and masks phones anywhere', () => {
    const log = memory()
    createLogger('info', log.stream).info(
      {
        user: { name: canary.name, deep: [{ address: canary.address }] },
        phone: canary.phone,
        code: canary.code,
        text: canary.text,
      },
      `sent to ${canary.phone}, cookie ${canary.cookie}`,
    )
    expect(found(log.text())).toEqual([])
    expect(log.text()).not.toContain(canary.code)
    expect(log.lines()[0]).toMatchObject({ phone: '+973****7654', msg: 'sent to +973****7654, cookie [hidden]' })
  })

  it.each(
    `code token cookie set-cookie authorization password secret address addressParts coordinates mapCoordinates lat lng
     body text message name customerName receiverName instructions query url`.split(/\s+/),
  )('hides %s', (key) => {
    const log = memory()
    createLogger('info', log.stream).info({ order: { [key]: 'Huda' } })
    expect(log.lines()[0]).toMatchObject({ order: { [key]: '[hidden]' } })
  })

  it.each(['phone', 'receiverPhone', 'from', 'to', 'contact'])('masks %s, however it is written', (key) => {
    const log = memory()
    createLogger('info', log.stream).info({ order: { [key]: canary.local } })
    expect(log.lines()[0]).toMatchObject({ order: { [key]: '****7654' } })
  })

  it('keeps a value with line breaks on one line', () => {
    const log = memory()
    createLogger('info', log.stream).info({ agent: 'a"}\n{"level":"fatal"' }, 'b\r\n{"level":"fatal"}')
    expect(log.text().trimEnd().split('\n')).toHaveLength(1)
    expect(log.lines()).toHaveLength(1)
  })

  // Control: without describeError the value would be logged.
  it('removes the values that an error message repeats', () => {
    const cause = Object.assign(new Error(`invalid input syntax for type integer: "${canary.text}"`), { code: '22P02' })
    const error = new Error(`Failed query: select $1\nparams: ${canary.name}`, { cause })
    expect(found(`${error.stack} ${cause.stack}`)).not.toEqual([])
    const logged = JSON.stringify(describeError(error))
    expect(found(logged)).toEqual([])
    expect(logged).toContain('22P02')
    expect(logged).toContain('logger.test.ts')
  })

  it('keeps four digits of a phone', () => {
    expect(maskPhone('+97336001234')).toBe('+973****1234')
    expect(maskPhone('123')).toBe('****')
  })
})
