import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type Route,
  request as requests,
} from '@playwright/test'
import { type Fault, faults } from '../server/test/simulators/server.ts'
import { placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { type Outside, type OwnShop, startOutside, startShop } from './shop/outside.ts'
import { openVisit, type PageCheck, pageChecks, type Visit, type Who } from './shop/page-checks.ts'
import { expect, test } from './shop/test.ts'
import { createWatch, type Watch } from './shop/watch.ts'
import { wordsIn } from './shop/words.ts'

/**
 * Eight external services, twelve pages, one fault for each combination: the page loads and its main action works. Serial
 * in one worker, since all tests share one shop; a rerun starts with the first test.
 */
test.describe.configure({ mode: 'serial' })
test.use({ trace: 'off' })

const dependencies = ['tiles', 'geocoder', 'whatsapp', 'sms', 'telegram', 'legacy', 'analytics', 'stream'] as const
type Dependency = (typeof dependencies)[number]

const TIMEOUT_MS = 60_000
const strangers = [
  'https://tiles.test',
  'https://www.googletagmanager.com',
  'https://connect.facebook.net',
  'https://sc-static.net',
]
const people = {
  customer: '+97336000006',
  admin: '+97336000001',
  driver: '+97336000005',
} as const satisfies Partial<Record<Who, string>>

interface Seat {
  context: BrowserContext
  visit: Visit
  watch: Watch
}

let outside: Outside
let own: OwnShop
let seats: Record<Who, Seat>
/** Row label: the failure mode, and the error if any. */
const table = new Map<string, { fault: Fault; error: string | null }>()
const neverCalled: Dependency[] = []
let phones = 0
let isAboutSms = false

/** Customer and admin pages run in parallel. */
const STEPS = 8
const faultAt = (row: number, column: number): Fault => faults[(row * 3 + column) % faults.length] ?? 'hangs'
const two = (n: number) => String(n % 100).padStart(2, '0')
/** Phones of a customer with WhatsApp, and of one without, who gets an SMS. */
const phoneOf = (hasWhatsapp = true) => {
  phones += 1
  return hasWhatsapp ? `+9733661${two(phones)}11` : `+97337${two(phones)}9990`
}

async function seat(browser: Browser, who: Who): Promise<Seat> {
  const context = await browser.newContext({ baseURL: own.origin })
  const watch = createWatch(own.origin)
  await watch.follow(context)
  for (const origin of strangers) watch.allowOrigin(origin)
  for (const provider of [outside.tiles, outside.analytics, outside.stream]) await provider.standIn(context)
  const cookies = [{ name: 'lang', value: 'ar', url: own.origin }]
  if (who !== 'guest') cookies.push({ name: 'sid', value: await own.sessionOf(people[who]), url: own.origin })
  await context.addCookies(cookies)
  const consent = JSON.stringify({ choice: 'granted', at: new Date().toISOString() })
  await context.addInitScript((kept) => localStorage.setItem('analytics-consent', kept), consent)
  const more = {
    t: wordsIn('ar'),
    patience: TIMEOUT_MS,
    newPhone: () => phoneOf(!isAboutSms),
    contactId: 0,
    orderId: '',
  }
  return { context, watch, visit: await openVisit(context, more) }
}

test.beforeAll(async ({ browser }) => {
  outside = await startOutside()
  own = await startShop(outside)
  seats = {
    guest: await seat(browser, 'guest'),
    customer: await seat(browser, 'customer'),
    admin: await seat(browser, 'admin'),
    driver: await seat(browser, 'driver'),
  }
  seats.admin.visit.contactId = await own.hears('+97336612345', 'وين وصل طلبي؟')
  const { id } = await placeByCalls(seats.customer.context, { productId: 6, quantity: 7 })
  seats.customer.visit.orderId = id
  // Moves the driver's stops to today, on any weekday.
  const today = `(now() at time zone 'Asia/Bahrain')::date`
  await query(`update orders set promised_date = ${today} where status = 'shipped'`, [], own)
})

test.afterAll(async () => {
  await Promise.all(Object.values(seats ?? {}).map(({ context }) => context.close()))
  await own?.stop()
  await Promise.all(Object.values(outside ?? {}).map((provider) => provider.stop()))
})

/** Null if the page works, else the missing part or the error. */
async function errorOf(
  { who, run }: PageCheck,
  { allowed = null, patience = TIMEOUT_MS }: { allowed?: RegExp | null; patience?: number } = {},
): Promise<string | null> {
  const { visit, watch } = seats[who]
  const before = watch.errors().length
  visit.page.setDefaultTimeout(patience)
  try {
    await run({ ...visit, patience })
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
      .split('\n')
      .slice(0, 3)
      .join(' ')
  }
  const errors = watch.errors().slice(before)
  return errors.find((error) => !allowed?.test(error)) ?? null
}

/** Ignores browser messages about failed external calls and about the external script. */
const allowed: Partial<Record<Dependency, RegExp>> = {
  tiles: /https:\/\/tiles\.test\//,
  analytics: /https:\/\/(www\.googletagmanager\.com|connect\.facebook\.net|sc-static\.net)\/|^error on the page: $/,
  stream: /\/api\/admin\/events|^500 http:\/\/127\.0\.0\.1|EventSource/,
}

for (const [row, dependency] of dependencies.entries()) {
  test(`twelve pages work without ${dependency} @drill`, async () => {
    const provider = outside[dependency]
    const before = provider.asked()
    isAboutSms = dependency === 'sms'
    // A message of a new contact notifies the staff group.
    if (dependency === 'telegram') await own.hears(phoneOf(), 'مرحبا')
    for (let step = 0; step < STEPS; step += 1) {
      const fault = faultAt(row, step)
      await provider.be(fault)
      const together = pageChecks.filter((_, column) => column % STEPS === step)
      const check = async (page: PageCheck) => {
        const error = await errorOf(page, { allowed: allowed[dependency] ?? null })
        table.set(`${dependency} ${page.name}`, { fault, error })
      }
      await Promise.all(together.map(check))
    }
    const isAsked = await expect
      .poll(() => provider.asked(), { timeout: TIMEOUT_MS })
      .toBeGreaterThan(before)
      .then(
        () => true,
        () => false,
      )
    // Otherwise its row would prove nothing.
    if (!isAsked) neverCalled.push(dependency)
    await provider.be(null)
  })
}

for (const fault of faults) {
  test(`while all providers fail (${fault}) an order is placed and a code can be requested`, async () => {
    const messengers = [outside.whatsapp, outside.sms, outside.telegram, outside.legacy, outside.geocoder]
    await Promise.all(messengers.map((provider) => provider.be(fault)))
    const buyer = await requests.newContext({
      baseURL: own.origin,
      extraHTTPHeaders: { cookie: `sid=${await own.sessionOf(phoneOf())}`, 'x-forwarded-for': networkOf(phones) },
    })
    const admin = seats.admin.context.request
    const before = outside.whatsapp.asked()
    try {
      // The geocoder timeout takes seconds, so it is tested once.
      const searched = fault === 'drips' ? null : buyer.get(`/api/geocode/search?q=zzzqqq ${phones}`)
      const { id } = await placeByCalls({ request: buyer }, { productId: 6, quantity: 7 })
      const moved = await admin.patch(`/api/admin/orders/${id}/status`, { data: { status: 'in-progress' } })
      expect(moved.status(), await moved.text()).toBe(200)
      expect(await (await buyer.get(`/api/orders/${id}`)).json()).toMatchObject({ id, status: 'in-progress' })
      await asksForCode(buyer)
      expect((await buyer.get('/readyz')).status()).toBe(200)
      expect((await searched)?.status() ?? 200).toBe(200)
      // Calls to a closed port are not recorded.
      if (fault !== 'refuses') await expect.poll(() => outside.whatsapp.asked()).toBeGreaterThan(before)
    } finally {
      await buyer.dispose()
      await Promise.all(messengers.map((provider) => provider.be(null)))
    }
  })
}

/** Each call has its own client address, as customers do. */
const networkOf = (n: number) => `10.20.${n % 250}.7`

/** Must answer within a second; repeated to exclude a busy machine. */
async function asksForCode(buyer: APIRequestContext) {
  const seconds: number[] = []
  for (let tries = 0; tries < 3 && !seconds.some((one) => one < 1); tries += 1) {
    const phone = phoneOf(tries % 2 === 0)
    const started = performance.now()
    const answer = await buyer.post('/api/auth/verify/phone', { data: { phone, language: 'ar' } })
    seconds.push((performance.now() - started) / 1000)
    expect(answer.status(), await answer.text()).toBe(200)
  }
  expect(Math.min(...seconds)).toBeLessThan(1)
}

test('the page check fails if the shop itself fails or hangs @drill', async () => {
  const broken: Record<string, [string, (route: Route) => unknown]> = {
    home: ['**/api/cart/**', (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: '' } })],
    'order desk': ['**/api/admin/orders*', () => undefined],
  }
  for (const [name, [address, fault]] of Object.entries(broken)) {
    const page = pageChecks.find((one) => one.name === name)
    if (!page) throw new Error(`No page check is named ${name}`)
    const { context } = seats[page.who]
    await context.route(address, fault)
    const error = await errorOf(page, { patience: 2_000, allowed: /.*/ })
    await context.unroute(address)
    expect(error, name).not.toBeNull()
  }
})

test('every page works without every dependency, and every dependency was called @drill', async () => {
  const cells = dependencies.flatMap((dependency) => pageChecks.map(({ name }) => `${dependency} ${name}`))
  const width = Math.max(...pageChecks.map(({ name }) => name.length), ...faults.map((fault) => fault.length)) + 2
  const line = (first: string, words: string[]) => first.padEnd(12) + words.map((word) => word.padEnd(width)).join('')
  const textOf = (cell: string) => {
    const found = table.get(cell)
    return found ? `${found.error === null ? '' : '✗ '}${found.fault}` : '?'
  }
  console.log(
    [
      line(
        '',
        pageChecks.map(({ name }) => name),
      ),
      ...dependencies.map((dependency) =>
        line(
          dependency,
          pageChecks.map(({ name }) => textOf(`${dependency} ${name}`)),
        ),
      ),
    ].join('\n'),
  )
  const wrong = cells.flatMap((cell) => {
    const found = table.get(cell)
    return found?.error === null ? [] : [`${cell} (${found?.fault}): ${found?.error ?? 'not checked'}`]
  })
  expect(wrong).toEqual([])
  expect(neverCalled).toEqual([])
  expect(table.size).toBe(96)
  // The server has the driver's delivery.
  const delivered = `select 1 from orders o join users u on u.id = o.assigned_driver_id
    where u.phone = $1 and o.status = 'delivered' and o.promised_date = (now() at time zone 'Asia/Bahrain')::date`
  const stops = async () => (await query(delivered, [people.driver], own)).length
  await expect.poll(stops, { timeout: TIMEOUT_MS }).toBeGreaterThanOrEqual(dependencies.length)
})
