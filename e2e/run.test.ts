import type { Page } from '@playwright/test'
import type { Run } from '@qatra/contract/drivers'
import { audit } from './shop/audit.ts'
import { query } from './shop/database.ts'
import { driverWithStops } from './shop/drivers.ts'
import { expireSession } from './shop/expire-session.ts'
import { signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

test.use({ viewport: { width: 390, height: 844 }, serviceWorkers: 'allow' })

const stops = ['مريم العلي', 'علي الحداد', 'هدى القصاب'].map((customerName) => ({
  productId: 6,
  quantity: 7,
  customerName,
}))
const newDriver = async () => (await driverWithStops(stops)).phone
/** Of seven bottles for which so many empties are expected; the deposit is 2 BHD. */
const bottleStops = [0, 4, 2, 0].map((empties, i) => ({
  productId: 6,
  quantity: 7,
  empties,
  customerName: `${stops[i % stops.length]?.customerName ?? ''} ${i + 1}`,
}))

async function runOf(page: Page): Promise<Run> {
  const { id } = await (await page.request.get('/api/auth/me')).json()
  return (await page.request.get(`/api/admin/drivers/${id}/run`)).json()
}

test('a driver delivers one stop online and two offline, counting empties, and cash and bottles add up @english @core', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  void shop
  watch.allowOffline()
  const { phone, customerPhone, ids } = await driverWithStops(bottleStops)
  await signInToAdmin(page, phone, '/admin')
  await expect(page).toHaveURL(/\/admin\/run$/)
  const { driver } = await runOf(page)
  await page.request.put(`/api/admin/drivers/${driver.id}/run`, { data: { orderIds: ids } })
  await page.reload()
  const before = await runOf(page)
  const open = before.stops.filter(({ can }) => can.deliver)
  const [first, second, third, fourth] = open
  if (!first || !second || !third || !fourth) throw new Error('The driver has no run of four stops')
  const empties = page.getByRole('group', { name: t('ui.quantityOf', { name: t('run.empties') }), exact: true })
  const reports: { url: string; data: unknown }[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') reports.push({ url: request.url(), data: request.postDataJSON() })
  })
  const next = page.locator('#next-stop')
  await expect(next).toHaveText(first.customerName)
  await audit(page, 'run', { least: 44 })
  // The phone number is normalized before it is sent.
  await page.reload()

  await page.getByRole('button', { name: t('run.deliverCash') }).click()
  await expect(next).toHaveText(second.customerName)
  // The focus moves to the name of the next stop.
  await expect(next).toBeFocused()
  await expect(next).toBeInViewport()
  await expect.poll(async () => (await runOf(page)).stops.find(({ id }) => id === first.id)?.status).toBe('delivered')

  await context.setOffline(true)
  // One of the empties is broken: a deposit more is due, also where another amount was taken.
  await empties.getByRole('button', { name: t('ui.decrease') }).click()
  await page.getByRole('button', { name: t('run.useless') }).click()
  const broken = page.getByRole('group', { name: t('ui.quantityOf', { name: t('run.broken') }) })
  await broken.getByRole('button', { name: t('ui.addOf', { name: t('run.broken') }) }).click()
  await expect(page.getByText(t('run.bottlesLeft', { count: 11 }))).toBeVisible()
  await page.evaluate(() => scrollTo({ top: 400 }))
  await page.getByRole('button', { name: t('run.otherAmount') }).click()
  await expect(page.getByLabel(t('run.amount'))).toBeFocused()
  await page.getByLabel(t('run.amount')).fill('٢٠٫٥')
  await page.getByRole('button', { name: t('run.saveAmount'), exact: true }).click()
  await expect(next).toHaveText(third.customerName)
  await expect(next).toBeInViewport()
  await expect(page.getByText(t('run.offlineKept'))).toBeVisible()
  await expect(page.getByText(t('run.waiting', { count: 1 }))).toBeVisible()
  // After the undo window the request fails and stays in the outbox.
  await page.waitForTimeout(6_000)
  await expect(page.getByText(t('run.waiting', { count: 1 }))).toBeVisible()
  // The same customer has what was left at the stop before, which is not sent yet; more come back than expected.
  await expect(page.getByText(t('run.emptiesExpected', { expected: 2, held: 11 }))).toBeVisible()
  for (let n = 0; n < 3; n += 1) await empties.getByRole('button', { name: t('ui.increase') }).click()
  await page.getByRole('button', { name: t('run.deliverCash') }).click()
  await expect(next).toHaveText(fourth.customerName)
  await expect(page.getByText(t('run.waiting', { count: 2 }))).toBeVisible()

  await context.setOffline(false)
  const openIds = async () => (await runOf(page)).stops.filter(({ can }) => can.deliver).map(({ id }) => id)
  await expect.poll(openIds).toEqual([fourth.id])
  await expect(page.getByText(t('run.waiting', { count: 2 }))).toBeHidden()
  const { cash } = await runOf(page)
  const fils = (bhd: number) => Math.round(bhd * 1000)
  const due = fils(first.cashToCollect) + fils(third.cashToCollect) - 6_000
  expect(fils(cash.collected)).toBe(fils(before.cash.collected) + due + 20_500)
  expect(fils(cash.expected)).toBe(fils(before.cash.expected) + due + fils(second.cashToCollect) + 2_000)
  expect(fils(cash.inHand)).toBe(fils(cash.collected) - fils(cash.handedOver))

  // 7 and 4 and 2 more; a deposit for each. A report that is sent again moves nothing.
  const balance = () =>
    query(
      `select sum(b.count)::int as count, sum(b.deposit)::int as deposit,
         (select sum(amount)::int from ledger_entries where ledger = 'bottles' and holder_id = u.id) as entries
       from users u join bottle_balances b on b.customer_id = u.id where u.phone = $1 group by u.id`,
      [customerPhone],
    )
  expect(await balance()).toEqual([{ count: 13, deposit: 26_000, entries: 13 }])
  for (const { url, data } of reports) expect((await page.request.patch(url, { data })).status()).toBe(200)
  expect(new Set(reports.map(({ url }) => url)).size).toBe(3)
  expect(await balance()).toEqual([{ count: 13, deposit: 26_000, entries: 13 }])
  expect((await runOf(page)).cash).toEqual(cash)
})

test('stops marked by a driver are sent after the session expired and the driver signed in again @core', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  watch.allowOffline()
  watch.allow(/401/)
  const phone = await newDriver()
  await signInToAdmin(page, phone, '/admin/run')
  const [first, second, third] = (await runOf(page)).stops.filter(({ can }) => can.deliver)
  if (!first || !second || !third) throw new Error('The driver has no run of three stops')
  const next = page.locator('#next-stop')
  await expect(next).toHaveText(first.customerName)
  await context.setOffline(true)
  for (const following of [second, third]) {
    await page.getByRole('button', { name: t('run.deliverCash') }).click()
    await expect(next).toHaveText(following.customerName)
  }
  await expect(page.getByText(t('run.waiting', { count: 2 }))).toBeVisible()
  await expireSession(page)
  await context.setOffline(false)

  await page.waitForURL(({ pathname }) => pathname === '/login')
  const statuses = () =>
    query<{ id: string; status: string }>('select id, status from orders where id = any($1) order by id', [
      [first.id, second.id],
    ])
  expect((await statuses()).map(({ status }) => status)).toEqual(['shipped', 'shipped'])
  await shop.signIn(phone)
  await expect(page).toHaveURL((url) => url.pathname === '/admin/run')
  await expect(next).toHaveText(third.customerName)
  await expect.poll(async () => (await statuses()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  await expect(page.getByText(t('run.waiting', { count: 2 }))).toBeHidden()
})

test("the driver's page opens offline after it was closed, and is the newest version online", async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  void shop
  watch.allowOffline()
  // The sign-out by a call ends the session under reads of the page.
  watch.allow(/401.*api\/(auth\/me|admin\/)/)
  await signInToAdmin(page, await newDriver(), '/admin/run')
  await expect(page.locator('#next-stop')).toBeVisible()
  const isSaved = () =>
    page.evaluate(async () => {
      const cache = await caches.open('run')
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
      const wanted = ['/admin/run', ...loaded.filter((path) => path.startsWith('/assets/'))]
      return (await Promise.all(wanted.map((path) => cache.match(path)))).every(Boolean)
    })
  await expect.poll(isSaved).toBe(true)
  // A mark in the cached page identifies the old version.
  await page.evaluate(async () => {
    const cache = await caches.open('run')
    const kept = await cache.match('/admin/run')
    const html = await kept?.text()
    const headers = { 'content-type': 'text/html', date: kept?.headers.get('date') ?? '' }
    const marked = new Response(html?.replace('<body', '<body data-kept'), { headers })
    await cache.put('/admin/run', marked)
  })

  await context.setOffline(true)
  // The page knows that it is saved, and does not ask before it is left.
  await expect(page.getByText(t('run.offlineKept'))).toBeVisible()
  await page.reload()
  await expect(page.locator('body[data-kept] #next-stop')).toBeVisible()
  await expect(page.getByText(t('run.offlineKept'))).toBeVisible()
  await expect(page.getByText(t('run.offline'))).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('run.deliverCash') })).toBeEnabled()
  const other = await context.newPage()
  await page.close()
  await other.goto('/admin/run')
  await expect(other.locator('body[data-kept] #next-stop')).toBeVisible()

  await context.setOffline(false)
  await other.reload()
  await expect(other.locator('#next-stop')).toBeVisible()
  await expect(other.locator('body[data-kept]')).toHaveCount(0)

  // The cache is cleared when the driver signs out.
  await other.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }))
  // The page may be redirecting to the sign-in page.
  await expect(() => other.goto('/admin/run')).toPass()
  await expect(other).toHaveURL(/\/login/)
  await expect.poll(() => other.evaluate(() => caches.has('run'))).toBe(false)
})
