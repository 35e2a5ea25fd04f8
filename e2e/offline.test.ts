import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { type BrowserContext, type Page, request as requests } from '@playwright/test'
import type { PushMessage } from '@qatra/contract/notifications/push'
import { type PushServer, type Subscription, startPush } from '../server/test/simulators/push.ts'
import { chromium, folder, freePort, type Server, wholeChromium } from './settings.ts'
import { placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { startOwnServer, stopOwnServer } from './shop/own-server.ts'
import { newPhone, signInCustomerByCalls, signInRequest, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const port = await freePort()
const own: Server = { port, origin: `http://localhost:${port}`, dataDir: join(folder, `offline-${port}`) }
let push: PushServer
let server: ChildProcess

test.use({
  baseURL: own.origin,
  serviceWorkers: 'allow',
  launchOptions: { ...chromium, executablePath: wholeChromium },
})
test.describe.configure({ mode: 'serial' })
const start = (settings: Record<string, string> = {}) =>
  startOwnServer(own, { RATE_LIMITS: 'off', PUSH_SERVICE_URL: push.origin, ...settings })
test.beforeAll(async () => {
  push = await startPush()
  server = await start()
})
test.afterAll(async () => {
  await stopOwnServer(server)
  await push.stop()
})

/** The browser's push service cannot be reached from here: the simulated one takes its place. */
async function usePushService(page: Page, subscription: Subscription) {
  await page.addInitScript((json) => {
    let isOn = false
    const made = { toJSON: () => json, unsubscribe: async () => !(isOn = false) }
    PushManager.prototype.subscribe = async () => {
      isOn = true
      return made as unknown as PushSubscription // the page calls nothing else
    }
    PushManager.prototype.getSubscription = async () => (isOn ? (made as unknown as PushSubscription) : null)
  }, subscription)
}

/** What the browser does with a message of its push service. */
async function deliverPush(context: BrowserContext, page: Page, message: PushMessage) {
  const session = await context.newCDPSession(page)
  const registrations: { registrationId: string; scopeURL: string }[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations))
  await session.send('ServiceWorker.enable')
  const ofShop = () => registrations.find(({ scopeURL }) => new URL(scopeURL).pathname === '/')
  await expect.poll(() => ofShop() !== undefined).toBe(true)
  const registrationId = ofShop()?.registrationId ?? ''
  const data = JSON.stringify(message)
  await session.send('ServiceWorker.deliverPushMessage', { origin: own.origin, registrationId, data })
  await session.detach()
}

async function bringTo(orderId: string, status: string) {
  const admin = await requests.newContext({ baseURL: own.origin })
  await signInRequest(admin, '+97336000001')
  const answer = await admin.patch(`/api/admin/orders/${orderId}/status`, { data: { status } })
  expect(answer.status(), await answer.text()).toBe(200)
  await admin.dispose()
}

const notices = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/')
    return (await registration?.getNotifications())?.map(({ title, body }) => ({ title, body }))
  })
const idOf = async (orderId: string, version: number) =>
  (
    await query<{ id: number }>(
      `select id from whatsapp_messages where dedupe_key = $1`,
      [`order:${orderId}:${version}:push`],
      own,
    )
  )[0]?.id ?? 0
const waysOf = async (orderId: string, version: number) =>
  (
    await query<{ way: string }>(
      `select channel || ' ' || status as way from whatsapp_messages where dedupe_key like $1 order by id`,
      [`order:${orderId}:${version}%`],
      own,
    )
  ).map(({ way }) => way)
const saved = (page: Page) =>
  page.evaluate(async () => ({
    personal: localStorage.getItem('offline.personal') ?? '',
    catalogue: localStorage.getItem('offline.catalogue') ?? '',
    isOpenable: (await (await caches.open('shop')).match('/offline')) !== undefined,
    receipts: (await caches.has('receipts')) ? (await (await caches.open('receipts')).keys()).length : 0,
  }))

/** The catalogue that this page shows, and the page that opens without a network. */
async function isSaved(page: Page) {
  await expect.poll(async () => (await saved(page)).catalogue).toContain('/api/products')
  await expect.poll(async () => (await saved(page)).isOpenable).toBe(true)
}

test('an order is followed by notifications and read without a network until the sign-out @core', async ({
  page,
  context,
  shop,
  watch,
  t,
  lang,
}) => {
  watch.allowOffline()
  watch.allow(/401/)
  await context.grantPermissions(['notifications'], { origin: own.origin })
  const subscription = push.subscribe()
  await usePushService(page, subscription)
  await signInCustomerByCalls(page, newPhone(), lang)
  const order = await placeByCalls(page, { productId: 6, quantity: 7 })

  await test.step('notifications are turned on by a press after the order', async () => {
    await shop.open(`/checkout/success/${order.id}`)
    await shop.button(t('push.turnOn')).click()
    await expect(page.getByRole('heading', { name: t('push.isOn') })).toBeVisible()
  })

  await test.step('a new status arrives as a notification and by no other channel', async () => {
    await bringTo(order.id, 'in-progress')
    const find = () => push.received(subscription).find(({ id }) => id === found)
    let found = 0
    await expect
      .poll(async () => {
        found = await idOf(order.id, 2)
        return find()
      })
      .toBeDefined()
    const message = find()
    if (!message) throw new Error('The message is missing')
    expect(message).toMatchObject({ lang, path: `/orders/${order.id}` })
    await deliverPush(context, page, message)
    // The worker sends its receipt once the notification is shown; a list read while it is being shown can remove it.
    await expect.poll(() => waysOf(order.id, 2)).toEqual(['push delivered'])
    await expect.poll(() => notices(page)).toEqual([{ title: message.title, body: message.body }])
  })

  await test.step('home, order and receipt are saved', async () => {
    await bringTo(order.id, 'shipped')
    await bringTo(order.id, 'delivered')
    await shop.open(`/orders/${order.id}`)
    await expect.poll(async () => (await saved(page)).receipts).toBe(1)
    await shop.open('/')
    await isSaved(page)
    expect((await saved(page)).personal).toContain(order.id)
  })

  await test.step('they open without a network, other pages say so', async () => {
    await context.setOffline(true)
    await page.reload()
    await expect(shop.card(6)).toBeVisible()
    await expect(page.getByRole('status', { name: t('offline.title') })).toBeVisible()
    await page.goto('/orders')
    await expect(page.getByRole('heading', { level: 1, name: t('orders.title') })).toBeVisible()
    await page.goto(`/orders/${order.id}`)
    await expect(page.locator('main').getByText(/2831/)).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: t('order.receipt') }).click()
    expect((await download).suggestedFilename()).toBe(`${order.id}.pdf`)
    await page.goto('/about')
    await expect(page.getByRole('heading', { level: 1, name: t('offline.title') })).toBeVisible()
    await context.setOffline(false)
  })

  await test.step('the sign-out removes them and the subscription', async () => {
    await shop.open('/')
    await page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }))
    await shop.open('/')
    await expect.poll(async () => saved(page)).toMatchObject({ receipts: 0 })
    await expect.poll(async () => (await saved(page)).personal).not.toContain(order.id)
    const subscriptions = 'select 1 from push_subscriptions where endpoint = $1'
    await expect.poll(() => query(subscriptions, [subscription.endpoint], own)).toEqual([])
    await isSaved(page)
    await context.setOffline(true)
    await page.goto(`/orders/${order.id}`)
    await expect(page.locator('main')).toBeVisible()
    await expect(page.getByText(/2831/)).toHaveCount(0)
    await context.setOffline(false)
  })
})

test('the phone of an agent shows that a customer waits, whatever page it is on @english', async ({
  page,
  context,
  shop,
  lang,
  t,
}) => {
  void shop
  await context.grantPermissions(['notifications'], { origin: own.origin })
  const subscription = push.subscribe()
  await usePushService(page, subscription)
  const [agent, customer] = [newPhone(), newPhone()]
  await query(
    `with agent as (insert into users (phone, name, role, vendor_id, is_verified, preset, language)
       values ($1, 'Sara', 'vendor_staff', 1, true, 'agent', $3)),
     person as (insert into users (phone, name, is_verified) values ($2, 'Layla', true) returning id)
     insert into customer_totals (user_id, vendor_id) select id, 1 from person`,
    [agent, customer, lang],
    own,
  )
  await signInToAdmin(page, agent, '/admin/orders')
  await page.getByRole('button', { name: t('notifications.title') }).click()
  const onThisDevice = page.getByRole('switch', { name: t('notifications.push') })
  await onThisDevice.click()
  await expect(onThisDevice).toBeChecked()

  const written = await page.request.post('/api/simulator/messages', {
    data: { from: customer, body: lang === 'ar' ? 'ابي اكلم موظف' : 'I want to talk to a person', name: 'Layla' },
  })
  expect(written.status(), await written.text()).toBe(200)
  await expect.poll(() => push.received(subscription).length).toBeGreaterThan(0)
  const [message] = push.received(subscription)
  if (!message) throw new Error('The message is missing')
  expect(message).toMatchObject({ lang, path: expect.stringMatching(/^\/admin\/whatsapp\?open=\d+$/) })
  await deliverPush(context, page, message)
  await expect.poll(() => notices(page)).toEqual([{ title: message.title, body: message.body }])
})

test('the switch removes the service worker and what it has stored', async ({ page, shop, watch }) => {
  watch.allow(/ERR_/, /503/)
  await shop.open('/')
  await isSaved(page)
  await stopOwnServer(server)
  server = await start({ SERVICE_WORKER: 'off' })
  await shop.open('/')
  const left = () =>
    page.evaluate(async () => ({
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      caches: await caches.keys(),
    }))
  await expect.poll(left).toEqual({ workers: 0, caches: [] })
  await shop.open('/')
  await expect(shop.card(6)).toBeVisible()
})
