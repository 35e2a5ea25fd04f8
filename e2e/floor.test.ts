import type { BrowserContext, Page } from '@playwright/test'
import { apiNames, type Floor, floors, isNewer } from '../web/vite/floor-data.ts'
import { placeByCalls } from './shop/customers.ts'
import type { Shop } from './shop/pages.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

/** Newer by the data, but supported in the form used: a sound may play at any time, since other journeys place orders. */
const sound = ['api.AudioParam.linearRampToValueAtTime', 'api.AudioParam.exponentialRampToValueAtTime']
const dispatcher = '+97336000003'

/** Deletes every interface that is newer than the oldest browsers. */
async function deleteNewer(context: BrowserContext, floor: Floor) {
  const newer = apiNames.filter(({ key }) => isNewer(key, floor) && !sound.includes(key))
  expect(newer.length).toBeGreaterThan(1_000)
  await context.addInitScript(
    (names) => {
      for (const [owner, name] of names) {
        if (owner === null) Reflect.deleteProperty(window, name)
        else {
          const found = owner.split('.').reduce<unknown>((at, step) => Reflect.get(Object(at), step), window)
          if (typeof found !== 'function' && typeof found !== 'object') continue
          Reflect.deleteProperty(Object(found), name)
          Reflect.deleteProperty(Object(Reflect.get(Object(found), 'prototype')), name)
        }
      }
    },
    newer.map(({ owner, name }): [string | null, string] => [owner, name]),
  )
}

/** Simulates a browser that blocks all site data. */
const blockSiteData = (context: BrowserContext) =>
  context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'])
      Object.defineProperty(window, name, { get: refuse })
    Object.defineProperty(document, 'cookie', { get: refuse, set: refuse })
    Object.defineProperty(navigator, 'serviceWorker', { get: refuse })
    // An empty page has no locks.
    if ('LockManager' in window)
      LockManager.prototype.request = () => Promise.reject(new DOMException('Refused', 'SecurityError'))
    Object.defineProperty(window, 'BroadcastChannel', {
      value: class {
        constructor() {
          refuse()
        }
      },
    })
  })

async function order(shop: Shop, t: Words) {
  const { page } = shop
  const [vendor, area] = [await shop.named.vendor(1), await shop.named.area('seef')]
  await shop.open('/')
  await shop.link(`${t('catalogue.allProducts')}: ${vendor.name}`).click()
  await shop.add(6, 7)
  await shop.goToCheckout()
  await shop.signIn(newPhone())
  await expect(page).toHaveURL(/\/checkout$/)
  await shop.chooseArea(area.name)
  await shop.areaFound(vendor.name, area.name)
  await shop.fillAddress({ block: '428', road: '2831', building: '1172', name: 'نورة' })
  await shop.place.click()
  await expect(shop.placed).toBeVisible()
}

async function workAtDesk(page: Page, t: Words) {
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
  const listening = page.waitForResponse(/\/api\/admin\/events/, { timeout: 0 })
  await signInToAdmin(page, dispatcher, `/admin/orders?open=${id}`)
  await listening
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await panel.getByRole('button', { name: t('desk.act.prepare') }).click()
  await expect(panel.getByText(t('admin.status.in-progress')).first()).toBeVisible()
  await page.goto('/admin/products')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/admin/areas')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

test('a visitor orders without any interface newer than the oldest browsers', async ({ context, shop, t }) => {
  await deleteNewer(context, floors.shop)
  await order(shop, t)
  expect(await shop.page.evaluate(() => ['toSorted' in [], 'canParse' in URL, 'timeout' in AbortSignal])).toEqual([
    false,
    false,
    false,
  ])
})

test('the desk works without any interface newer than the oldest browsers', async ({ context, page, t }) => {
  await deleteNewer(context, floors.admin)
  await workAtDesk(page, t)
})

test('the message simulator opens in the oldest browsers', async ({ context, page, shop }) => {
  await deleteNewer(context, floors.shop)
  await signInCustomerByCalls(page, newPhone())
  await shop.open('/simulator')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a visitor orders where site data is blocked', async ({ context, shop, t }) => {
  await blockSiteData(context)
  await order(shop, t)
})

test('the desk works where site data is blocked', async ({ context, page, t }) => {
  await blockSiteData(context)
  await workAtDesk(page, t)
})
