import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { SetupItem, SetupKey } from '@qatra/contract/settings/setup'
import { folder, freePort } from './settings.ts'
import { audit } from './shop/audit.ts'
import { startOwnServer, stopOwnServer } from './shop/own-server.ts'
import { shopOn } from './shop/pages.ts'
import { codeFor, newPhone } from './shop/phones.ts'
import { ready } from './shop/ready.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
test.use({ baseURL: origin })

/** A company, a vendor and a product of this test. */
const company = {
  'settings.company.nameAr': 'سوق الينبوع ذ.م.م',
  'settings.company.name': 'Spring Market W.L.L.',
  'settings.company.addressAr': 'مبنى 7، طريق 28، مجمع 428، السيف',
  'settings.company.address': 'Building 7, Road 28, Block 428, Seef',
  'settings.company.crNumber': '98214-1',
  'settings.company.vatNumber': '220004418700002',
  'settings.support.phone': '17004420',
} as const

const steps = (page: Page, t: Words) => page.getByRole('navigation', { name: t('setup.steps') })
const openStep = (page: Page, t: Words, key: SetupKey) =>
  steps(page, t)
    .getByRole('link', { name: t(`setup.${key}`) })
    .click()

async function isDone(page: Page, key: SetupKey) {
  const items: SetupItem[] = await (await page.request.get('/api/admin/setup')).json()
  return items.find((item) => item.key === key)?.done
}

test('an owner sets an empty shop up by the checklist, until a customer orders @desk @english @core', async ({
  page,
  browser,
  shop,
  lang,
  t,
  isPhone,
}, { workerIndex }) => {
  let output = ''
  const own = { port, origin, dataDir: join(folder, `setup-${lang}-${workerIndex}`) }
  const server = await startOwnServer(own, { RATE_LIMITS: 'off', SEED_DEMO: 'false' }, (text) => {
    output += text
  })
  const saved = (words: string) => expect(shop.toast.filter({ hasText: words })).toBeVisible()
  try {
    await test.step('an empty shop names no company and no contact', async () => {
      await shop.open('/privacy')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('privacy.title'))
      await expect(page.getByRole('heading', { name: t('privacy.contactTitle') })).toHaveCount(0)
      await expect(page.getByRole('heading', { name: t('footer.support') })).toHaveCount(0)
      await shop.open('/')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })

    await test.step('the printed link makes a phone the super admin', async () => {
      const link = /http:\S+#claim=\S+/.exec(output)?.[0] ?? ''
      await page.goto(link)
      await ready(page)
      await expect(page.getByRole('heading', { name: t('login.claim.title') })).toBeVisible()
      const owner = newPhone()
      await page.getByLabel(t('login.phone')).fill(owner.replace('+973', ''))
      await shop.button(t('login.send')).click()
      await page.getByLabel(t('login.code'), { exact: true }).fill(await codeFor(page.request, owner))
      await page.waitForURL(/\/admin\/setup$/)
      await expect(page.getByText(t('setup.progress', { done: 1, total: 8 }))).toBeVisible()
    })

    await test.step('areas, by one press', async () => {
      const answer = page.waitForResponse(
        (one) => one.url().endsWith('/api/admin/setup/areas') && one.request().method() === 'POST',
      )
      await page.getByRole('button', { name: new RegExp(t('setup.areas.install', { count: 11 }).slice(0, 4)) }).click()
      const { created } = (await (await answer).json()) as { created: number }
      await saved(t('setup.areas.installed', { created }))
      await expect(page.getByText(t('setup.progress', { done: 2, total: 8 }))).toBeVisible()
    })

    await test.step('the company', async () => {
      await openStep(page, t, 'company')
      for (const [label, value] of Object.entries(company))
        await page.getByLabel(t(label as keyof typeof company), { exact: true }).fill(value)
      await shop.button(t('settings.saveAndNext')).click()
      await saved(t('settings.saved'))
      await expect(page).toHaveURL(/step=vendor/)
      expect(await isDone(page, 'company')).toBe(true)
      await page.goto('/admin/setup?step=company')
      await expect(shop.button(t('settings.saveAndNext'))).toBeVisible()
      await audit(page, 'setup', { least: 24 })
    })

    await test.step('a vendor, its product and its areas', async () => {
      await page.goto('/admin/setup?step=vendor')
      await page.getByLabel(t('admin.vendors.nameAr'), { exact: true }).fill('الينبوع')
      await page.getByLabel(t('admin.vendors.name'), { exact: true }).fill('Spring')
      await page.getByLabel(t('admin.vendors.minimum'), { exact: true }).fill('2')
      await page.getByLabel(t('admin.vendors.phone'), { exact: true }).fill('36001077')
      await shop.button(t('admin.vendors.create')).click()
      await saved(t('admin.vendors.created'))

      await page.getByLabel(t('setup.vendor.part.product')).check()
      await page.getByLabel(t('adminProducts.nameAr'), { exact: true }).fill('ماء الينبوع')
      await page.getByLabel(t('adminProducts.name'), { exact: true }).fill('Spring water')
      await page
        .getByRole('group', { name: t('adminProducts.sizes') })
        .getByRole('button')
        .nth(2)
        .click()
      await page.getByLabel(t('adminProducts.price'), { exact: true }).fill('1.5')
      await page
        .getByRole('group', { name: t('adminProducts.units') })
        .getByRole('button')
        .first()
        .click()
      await shop.button(t('admin.save')).click()
      await saved(t('adminProducts.created', { name: lang === 'ar' ? 'ماء الينبوع' : 'Spring water' }))
      await page.getByLabel(t('setup.vendor.part.areas')).check()
      await shop.button(t('admin.areas.takeAll')).click()
      await shop.button(t('admin.vendors.areasSave')).click()
      await saved(t('admin.vendors.areasSaved'))
      expect(await isDone(page, 'vendor')).toBe(true)
    })

    await test.step('no cut-off time', async () => {
      await page.goto('/admin/setup?step=days')
      await expect(page.getByLabel(t('admin.vendors.cutOff.no'))).toBeChecked()
      await page
        .getByRole('form', { name: t('admin.vendors.days') })
        .getByRole('button', { name: t('admin.save') })
        .click()
      await saved(t('admin.vendors.saved'))
      await expect.poll(() => isDone(page, 'days')).toBe(true)
    })

    await test.step('a driver and a clerk, pasted as lines', async () => {
      await page.goto('/admin/setup?step=people')
      const [driver, clerk] = [newPhone().slice(4), newPhone().slice(4)]
      await page
        .getByLabel(t('users.import.paste'), { exact: true })
        .fill(`يوسف ${driver} سائق\nموظف مكتب: Maryam, ${clerk}`)
      await shop.button(t('users.import.check')).click()
      await expect(page.getByText(t('admin.role.vendor_staff')).first()).toBeVisible()
      await shop.button(t('users.import.go', { count: 2 })).click()
      await expect.poll(() => isDone(page, 'people')).toBe(true)
    })

    await test.step('a test order, which is deleted again', async () => {
      await page.goto('/admin/setup?step=testOrder')
      await shop.button(t('setup.testOrder.place')).click()
      await saved(t('setup.testOrder.placed'))
      await shop.link(t('setup.testOrder.open')).click()
      await expect(page.getByText(lang === 'ar' ? 'طلب تجريبي' : 'Test order').first()).toBeVisible()
      await page.goto('/admin/setup?step=testOrder')
      await shop.button(t('setup.testOrder.delete')).click()
      await saved(t('setup.testOrder.deleted'))
      expect(await isDone(page, 'testOrder')).toBe(true)
      const { items } = (await (await page.request.get('/api/admin/orders')).json()) as { items: unknown[] }
      expect(items).toEqual([])
    })

    await test.step('a customer orders from the shop, which names the company', async () => {
      const context = await browser.newContext({ baseURL: origin, viewport: page.viewportSize() })
      await context.addCookies([{ name: 'lang', value: lang, url: origin }])
      const customer = shopOn({ page: await context.newPage(), lang, t, isPhone })
      const vendor = await customer.named.vendor(1)
      await customer.open('/?vendor=1')
      const [{ id }] = (await (await context.request.get('/api/products')).json()) as [{ id: number }]
      await customer.add(id, 2)
      await customer.goToCheckout()
      await customer.signIn(newPhone())
      const { name: area } = await customer.named.area('seef')
      await customer.chooseArea(area)
      await customer.areaFound(vendor.name, area)
      await customer.fillAddress({ block: '428', road: '2831', building: '1172', name: 'مريم العلي' })
      await customer.place.click()
      await customer.page.waitForURL(/\/checkout\/success\//)
      await expect(customer.placed).toBeVisible()
      await customer.open('/privacy')
      await expect(customer.page.getByRole('contentinfo')).toContainText(
        company[lang === 'ar' ? 'settings.company.nameAr' : 'settings.company.name'],
      )
      await expect(customer.page.getByRole('heading', { name: t('privacy.contactTitle') })).toBeVisible()
      await context.close()
    })
  } finally {
    // An open page would report that its server is gone.
    await page.goto('about:blank')
    await stopOwnServer(server)
  }
})
