import { type APIRequestContext, type Page, request as requests } from '@playwright/test'
import { adminPages } from '@qatra/contract/admin'
import { plain } from './settings.ts'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInRequest, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

/** A4 without its margins of 10 mm, in CSS pixels. */
const paper = { width: Math.floor((190 / 25.4) * 96), height: Math.floor((277 / 25.4) * 96) }
const superAdmin = '+97336000001'

async function openForPrint(page: Page, path: string) {
  // `window.print` would open a dialog and block.
  await page.addInitScript(() => {
    window.print = () => document.documentElement.toggleAttribute('data-printed', true)
  })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

/** Measures the printed page: the width of its content, and which parts of the frame are visible. */
const onPaper = (page: Page) =>
  page.evaluate(() => {
    const isShown = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().width > 0
    const main = document.querySelector('main')
    const past = ({ left, right }: DOMRect) => left < -1 || right > document.documentElement.clientWidth + 1
    const frame = 'nav, aside, .admin-rail, a[href="#main"], #toasts > *, [role="dialog"], .no-print'
    return {
      width: main?.getBoundingClientRect().width ?? 0,
      scrolls: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      frame: [...document.querySelectorAll(frame)].filter(isShown).map((element) => element.outerHTML.slice(0, 120)),
      // Browsers leave backgrounds out: what shows a figure is drawn. A dot beside its words, a skeleton and the sea of a map are none.
      backgrounds: [...document.querySelectorAll('main :not(svg *, input, button)')]
        .filter(
          (element) => isShown(element) && !element.textContent?.trim() && !element.querySelector('svg, img, input'),
        )
        .filter((element) => !element.matches('.rounded-full[aria-hidden="true"], .late, .map'))
        .filter(
          (element) => !['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'].includes(getComputedStyle(element).backgroundColor),
        )
        .map((element) => element.outerHTML.slice(0, 120)),
      // Words of a table, but for names, that are divided between two lines.
      divided: [...document.querySelectorAll('main :is(th, td) *, main :is(th, td)')]
        .flatMap((element) => [...element.childNodes])
        .filter((node) => node instanceof Text && /^\S{2,}$/.test(node.data.trim()))
        .filter((node) => !node.parentElement?.closest('bdi'))
        .filter((node) => {
          const range = document.createRange()
          range.selectNodeContents(node)
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
        })
        .map((node) => node.textContent),
      tooWide: [...document.querySelectorAll('main *')]
        .filter((element) => isShown(element) && past(element.getBoundingClientRect()))
        .map((element) => element.outerHTML.slice(0, 120)),
    }
  })

const numberOfSheets = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
const printed = async (page: Page) => numberOfSheets(await page.pdf({ preferCSSPageSize: true }))

/** Not the first day that can be chosen: that one changes with the hour. */
async function laterDay(admin: APIRequestContext): Promise<string> {
  const days: { date: string }[] = await (await admin.get('/api/delivery-days?vendorId=1')).json()
  return days[2]?.date ?? ''
}

/** Creates a driver of the first vendor with `count` orders of one customer for this day. */
async function newRun(admin: APIRequestContext, { count, day }: { count: number; day: string }) {
  const phone = newPhone()
  const made = await admin.post('/api/admin/users', {
    data: { phone: newPhone(), name: 'سالم الدوي', role: 'driver', vendorId: 1 },
  })
  expect(made.status(), await made.text()).toBe(200)
  const { id: driverId }: { id: number } = await made.json()
  const customer = await requests.newContext({ baseURL: plain.origin })
  const ids: string[] = []
  try {
    await signInRequest(customer, phone)
    for (let at = 0; at < count; at += 1) {
      const { id } = await placeByCalls(
        { request: customer },
        {
          productId: 1 + (at % 6),
          quantity: 9,
          instructions: at % 3 === 0 ? 'اتركوا الماء عند باب المجلس' : '',
          deliveryDate: day,
        },
      )
      ids.push(id)
    }
  } finally {
    await customer.dispose()
  }
  // The connection of the page may have been idle for longer than the server keeps it open.
  const superUser = await requests.newContext({ baseURL: plain.origin, storageState: await admin.storageState() })
  const given = await superUser.post('/api/admin/orders/bulk', { data: { ids, driverId } })
  expect(given.status(), await given.text()).toBe(200)
  await superUser.dispose()
  return { phone, driverId, ids }
}

/** The bars of the days with orders are on paper, dark, and their numbers as a table below. */
async function expectChart(page: Page) {
  await expect(page.locator('main ol rect').first()).toBeVisible()
  await expect(page.locator('main table').first()).toBeVisible()
  expect(
    await page
      .locator('main ol .series-now')
      .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).fill).filter((fill) => fill !== 'rgb(0, 0, 0)')),
  ).toEqual([])
}

test('every admin page prints at full paper width, without its frame, black on white @desk', async ({ page, shop }) => {
  void shop
  await signInToAdmin(page, superAdmin, '/admin/orders')
  const { items } = await (await page.request.get('/api/admin/orders?limit=1')).json()
  const longName = { phone: newPhone(), name: 'سلمان'.repeat(16), role: 'vendor_staff', vendorId: 8 }
  expect((await page.request.post('/api/admin/users', { data: longName })).status()).toBe(200)
  const paths = [
    ...adminPages.map(({ path }) => path).filter((path) => !path.includes('$') && path !== '/admin/run'),
    '/admin/reports/corrections?view=vat',
    `/admin/orders/${items[0].id}`,
    `/admin/orders?open=${items[0].id}`,
  ]
  const wrong: unknown[] = []
  for (const path of paths) {
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await openForPrint(page, path)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const width of [paper.width, 1280]) {
      await page.setViewportSize({ width, height: paper.height })
      const { width: main, scrolls, frame, tooWide, divided, backgrounds } = await onPaper(page)
      if (main !== width || scrolls > 0 || frame.length > 0 || divided.length > 0 || backgrounds.length > 0) {
        wrong.push({ path, width, main, scrolls, frame, tooWide: tooWide.slice(-3), divided, backgrounds })
      }
    }
    if (path === '/admin/dashboard') await expectChart(page)
    const colours = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body)
      return [color, backgroundColor]
    })
    if (colours.join() !== 'rgb(0, 0, 0),rgb(255, 255, 255)') wrong.push({ path, colours })
  }
  expect(wrong).toEqual([])
})

test('45 orders print on four sheets of the picking list and six of the run sheet, with the totals once @desk', async ({
  page,
  shop,
  t,
}) => {
  void shop
  await signInToAdmin(page, superAdmin, '/admin/orders')
  const day = await laterDay(page.request)
  const { phone, driverId, ids } = await newRun(page.request, { count: 45, day })

  await openForPrint(page, `/admin/orders/print?search=${encodeURIComponent(phone.slice(-8))}`)
  await expect(page.locator('html[data-printed]')).toBeAttached()
  await expect(page.getByRole('row').filter({ hasText: ids[44]?.slice(0, 4) ?? '' })).toBeVisible()
  expect(await printed(page), 'sheets of the picking list').toBeLessThanOrEqual(4)

  await openForPrint(page, `/admin/drivers/${driverId}?date=${day}`)
  await expect(page.getByRole('row').filter({ hasText: ids[44]?.slice(0, 4) ?? '' })).toBeVisible()
  expect(await printed(page), 'sheets of the run').toBeLessThanOrEqual(6)

  await page.emulateMedia({ media: 'print' })
  // Browsers repeat `thead` and `tfoot` on every sheet. Heads are repeated, totals must not be.
  for (const foot of await page.locator('tfoot').all()) await expect(foot).toHaveCSS('display', 'table-row-group')
  for (const head of await page.locator('thead').all()) await expect(head).toHaveCSS('display', 'table-header-group')
  for (const row of (await page.locator('tbody tr').all()).slice(0, 3)) {
    await expect(row).toHaveCSS('break-inside', 'avoid')
  }
  await expect(page.locator('tbody bdi[dir="ltr"]').first()).toBeAttached()
  await page.emulateMedia({ media: null })
  void t
})

test('all runs of a day print with one click, each on a new sheet @desk @core', async ({ page, shop, t }) => {
  void shop
  await signInToAdmin(page, superAdmin, '/admin/orders')
  const day = await laterDay(page.request)
  const first = await newRun(page.request, { count: 3, day })
  const second = await newRun(page.request, { count: 2, day })
  await openForPrint(page, `/admin/drivers?date=${day}`)
  await page.getByRole('link', { name: t('drivers.printAll') }).click()
  await expect(page.locator('html[data-printed]')).toBeAttached()
  for (const id of [...first.ids, ...second.ids]) {
    await expect(page.getByRole('row').filter({ hasText: id.slice(0, 4) })).toBeVisible()
  }
  const runs = page.locator('main section')
  const count = await runs.count()
  expect(count).toBeGreaterThanOrEqual(2)
  expect(await printed(page)).toBeGreaterThanOrEqual(count)
  await page.emulateMedia({ media: 'print' })
  for (const run of (await runs.all()).slice(1)) await expect(run).toHaveCSS('break-before', 'page')
})
