import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { measured, outside, plain } from './settings.ts'
import { placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

const admin = '+97336000001'
const robots = ['WhatsApp/2.23.20.0 A', 'facebookexternalhit/1.1', 'TelegramBot (like TwitterBot)', 'Slackbot 1.0']

/** Creates a link in the admin area and reads it; it is shown only once. */
async function makeLink(page: Page, t: Words, phone: string, target = t('links.target.home')): Promise<string> {
  await page
    .getByRole('button', { name: t('links.new'), exact: true })
    .first()
    .click()
  const panel = page.getByRole('complementary', { name: t('links.new') })
  await panel.getByLabel(t('links.phone')).fill(phone)
  await panel.getByLabel(t('links.leadsTo')).selectOption({ label: target })
  await panel.getByRole('button', { name: t('links.make'), exact: true }).click()
  const url = await panel.getByRole('textbox', { name: t('links.link') }).inputValue()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  return url
}
const rowOf = (page: Page, text: string) =>
  page.locator('[data-row]').filter({ has: page.getByText(text, { exact: true }) })

test('a link created in the admin area signs the customer in, also after previews have fetched it @desk', async ({
  page,
  browser,
  shop,
  t,
  lang,
}) => {
  void shop
  await signInToAdmin(page, admin, '/admin/magic-links')
  const phone = newPhone()
  const url = await makeLink(page, t, phone, t('links.target.orders'))
  expect(url).toMatch(new RegExp(`^${plain.origin}/magic-login/[\\w-]{43}$`))
  await page.goto(`/admin/magic-links?q=${encodeURIComponent(phone)}`)
  const row = rowOf(page, t('links.for.new'))
  await expect(row).toContainText(t('links.state.live'))
  await expect(page.getByText(url)).toHaveCount(0)

  const elsewhere = await browser.newContext({ baseURL: plain.origin })
  await elsewhere.addCookies([{ name: 'lang', value: lang, url: plain.origin }])
  for (const agent of robots) {
    for (const method of ['get', 'head'] as const)
      expect((await elsewhere.request[method](url, { headers: { 'user-agent': agent } })).status()).toBe(200)
  }
  const guest = await elsewhere.newPage()
  await guest.goto(url)
  await guest.waitForURL(/\/orders/)
  const me = await (await guest.request.get('/api/auth/me')).json()
  expect([me.phone, me.role]).toEqual([phone, 'customer'])
  await elsewhere.close()

  await page.reload()
  await expect(page.locator('[data-row]').first()).toContainText(t('links.state.used'))
})

test('a revoked link does not sign in, and staff get no links', async ({ page, shop, watch, t }) => {
  watch.allow(/422/)
  await signInToAdmin(page, admin, '/admin/magic-links')
  const phone = newPhone()
  const url = await makeLink(page, t, phone)
  await page.goto(`/admin/magic-links?q=${encodeURIComponent(phone)}`)
  await page.getByRole('button', { name: t('links.revoke'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('links.revoke.confirm'), exact: true }).click()
  await expect(page.locator('[data-row]').first()).toContainText(t('links.state.revoked'))
  await expect(page.getByRole('button', { name: t('links.revoke'), exact: true })).toHaveCount(0)

  await page.context().clearCookies({ name: 'sid' })
  await shop.open(url)
  await expect(page.getByText(t('login.link.INVALID_LINK'))).toBeVisible()

  await signInToAdmin(page, admin, '/admin/magic-links')
  await page
    .getByRole('button', { name: t('links.new'), exact: true })
    .first()
    .click()
  const panel = page.getByRole('complementary', { name: t('links.new') })
  await panel.getByLabel(t('links.phone')).fill('36000005')
  await panel.getByRole('button', { name: t('links.make'), exact: true }).click()
  await expect(panel.getByText(t('links.error.STAFF_PHONE'))).toBeVisible()
})

test('a failed job shows its reason and succeeds on retry @desk', async ({ page, shop, t, isPhone }) => {
  void shop
  // Uses its own queue, since other journeys may have failed jobs.
  const name = `e2e-${newPhone().slice(4)}`
  await query(`select pgboss.create_queue($1, '{"policy":"standard"}')`, [name])
  await query(`insert into pgboss.job (name, state, data, output, completed_on) values ($1, 'failed', $2, $3, now())`, [
    name,
    { orderId: 'R56N7MDTJ9Q9UWA9', phone: '+97336001122' },
    { type: 'Error', message: 'Lost +97336001122' },
  ])
  await signInToAdmin(page, admin, '/admin/jobs')
  await page.getByText(name, { exact: true }).click()
  const job = page.locator('[data-row]').first()
  await expect(job).toContainText('Lost +973****1122')
  await expect(page.getByText('36001122')).toHaveCount(0)
  if (isPhone) await job.getByRole('button', { name: t('jobs.retry'), exact: true }).click()
  else {
    await job.getByRole('checkbox').check()
    await page.getByRole('button', { name: t('jobs.retry'), exact: true }).click()
  }
  await expect(page.getByText(t('jobs.well.hint'))).toBeVisible()
  const [waiting] = await query<{ state: string }>('select state from pgboss.job where name = $1', [name])
  expect(waiting?.state).toBe('retry')
})

test('without a legacy system its page explains the setup', async ({ page, shop, t }) => {
  void shop
  await signInToAdmin(page, admin, '/admin/legacy')
  await expect(page.getByText(t('legacy.off'))).toBeVisible()
  await expect(page.getByText(/LEGACY_SYNC_URL/)).toBeVisible()
})

test.describe('with a legacy system', () => {
  test.use({ baseURL: measured.origin })

  test('an order refused by the legacy system can be sent again, and arrives once', async ({ page, shop, t }, {
    project,
  }) => {
    test.skip(project.name !== 'ar-phone', 'One listens at its address')
    void shop
    let isWell = false
    const bags = new Map<string, number>()
    const old = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { orderId } = JSON.parse(Buffer.concat(chunks).toString())
      const refuse = !isWell
      if (!refuse) bags.set(orderId, bags.get(orderId) ?? 7_000 + bags.size)
      response.writeHead(refuse ? 422 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(refuse ? { message: 'The area is unknown' } : { bagId: bags.get(orderId) }))
    }).listen(outside.legacyPort, '127.0.0.1')
    await once(old, 'listening')
    try {
      await signInCustomerByCalls(page, newPhone())
      const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
      await signInToAdmin(page, admin, `/admin/legacy?q=${id}`)
      const row = page.locator(`[data-row="${id}"]`)
      await expect(row).toContainText(t('legacy.state.failed'))
      await row.click()
      const panel = page.getByRole('complementary').filter({ hasText: t('legacy.problems') })
      await expect(panel.getByText('HTTP 422: The area is unknown')).toBeVisible()
      isWell = true
      await panel.getByRole('button', { name: t('legacy.retry'), exact: true }).click()
      await expect(panel.getByText(t('legacy.state.synced'))).toBeVisible()
      await expect(panel.getByText(String(bags.get(id)), { exact: true })).toBeVisible()

      await page.goto(`/admin/orders/${id}`)
      await expect(page.getByText(new RegExp(t('desk.sync.synced'))).first()).toBeVisible()
      await expect(page.getByRole('link', { name: t('desk.sync.open') })).toBeVisible()
    } finally {
      old.closeAllConnections()
      old.close()
    }
  })
})
