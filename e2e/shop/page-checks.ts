import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { type Shop, shopOn } from './pages.ts'
import { ready } from './ready.ts'
import type { Words } from './words.ts'

/** A browser page of a person while dependencies fail. */
export interface Visit {
  page: Page
  shop: Shop
  t: Words
  /** Time limit in ms for the required content. */
  patience: number
  /** A phone without a requested code. */
  newPhone: () => string
  /** The contact who wrote to the shop. */
  contactId: number
  /** An order of the customer's, just placed. */
  orderId: string
}

export type Who = 'guest' | 'customer' | 'admin' | 'driver'

export async function openVisit(context: BrowserContext, more: Omit<Visit, 'page' | 'shop'>): Promise<Visit> {
  const page = await context.newPage()
  page.setDefaultTimeout(more.patience)
  page.setDefaultNavigationTimeout(more.patience)
  return { page, shop: shopOn({ page, lang: 'ar', t: more.t, isPhone: true }), ...more }
}

/** Opens the page and waits for its heading only. */
async function open({ page, patience }: Visit, path: string, name?: string) {
  const answer = await page.goto(path, { waitUntil: 'domcontentloaded' })
  expect(answer?.status(), `status of ${path}`).toBe(200)
  const heading = page.getByRole('heading', { level: 1, ...(name !== undefined && { name }) })
  await expect(heading.first()).toBeAttached({ timeout: patience })
}

const seen = (target: Locator, { patience }: Visit) => expect(target).toBeVisible({ timeout: patience })

/** Adds one unit and returns the server's answer. */
async function addOne(stepper: Locator, { page, patience }: Visit) {
  await ready(page)
  const count = stepper.getByRole('status')
  const before = Number(await count.innerText())
  const isStored = page.waitForResponse((answer) => /\/api\/cart\//.test(answer.url()) && answer.ok())
  await Promise.all([isStored, stepper.getByRole('button').last().click()])
  await expect(count).toHaveText(String(before + 1), { timeout: patience })
}

async function place(visit: Visit) {
  const { page, shop, t } = visit
  const added = await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  expect(added.status(), await added.text()).toBe(200)
  await open(visit, '/checkout', t('shell.title.checkout'))
  await seen(page.getByRole('application', { name: t('map.label') }), visit)
  // Not in the local place list, so the external geocoder is called.
  const isSought = page.waitForRequest(/\/api\/geocode\/search/)
  await Promise.all([isSought, page.getByRole('combobox').fill(`zzzqqq ${Date.now()}`)])
  await shop.field(t('checkout.name')).fill('نورة الدوسري')
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  await seen(shop.placed, visit)
}

/** The page shows the delivery at once; the request follows after the undo window. */
async function deliverNext(visit: Visit) {
  const { page, t, patience } = visit
  await open(visit, '/admin/run')
  const next = page.locator('#next-stop')
  const name = await next.innerText()
  await page.getByRole('button', { name: t('run.deliverCash') }).click()
  await expect(next).not.toHaveText(name, { timeout: patience })
}

export interface PageCheck {
  name: string
  who: Who
  run: (visit: Visit) => Promise<void>
}

/** Twelve pages with their main action; throws if one does not work. */
export const pageChecks: readonly PageCheck[] = [
  {
    name: 'home',
    who: 'customer',
    async run(visit) {
      await open(visit, '/?vendor=1')
      await addOne(visit.shop.card(6).getByRole('group'), visit)
    },
  },
  {
    name: 'product',
    who: 'customer',
    async run(visit) {
      // Not in the cart yet: changes of existing lines are delayed.
      await open(visit, '/products/13')
      await addOne(visit.page.getByRole('main').getByRole('group').first(), visit)
    },
  },
  {
    name: 'sign-in',
    who: 'guest',
    async run(visit) {
      const { page, shop, t } = visit
      await open(visit, '/login')
      await ready(page)
      const phone = visit.newPhone().replace('+973', '')
      const code = page.getByLabel(t('login.code'), { exact: true })
      await page.getByLabel(t('login.phone')).fill(phone)
      await shop.button(t('login.send')).click()
      await seen(code, visit)
      // Prevents the redirect.
      await shop
        .link(t('login.changeNumber'))
        .or(shop.button(t('login.changeNumber')))
        .last()
        .click()
      await seen(page.getByLabel(t('login.phone')), visit)
    },
  },
  { name: 'checkout', who: 'customer', run: place },
  {
    name: 'confirmation',
    who: 'customer',
    async run(visit) {
      const { page, shop, t, orderId } = visit
      await open(visit, `/checkout/success/${orderId}`)
      await seen(shop.placed, visit)
      await shop.link(t('success.view')).click()
      await page.waitForURL(`**/orders/${orderId}`)
    },
  },
  {
    name: 'orders',
    who: 'customer',
    async run(visit) {
      const { page, t } = visit
      await open(visit, '/orders', t('orders.title'))
      await page.getByText(t('orders.view')).first().click()
      await page.waitForURL('**/orders/*')
    },
  },
  {
    name: 'order',
    who: 'customer',
    async run(visit) {
      const { page, shop, t, orderId } = visit
      await open(visit, `/orders/${orderId}`)
      await ready(page)
      await shop.button(t('order.cancel')).click()
      await seen(page.getByRole('dialog'), visit)
    },
  },
  {
    name: 'profile',
    who: 'customer',
    async run(visit) {
      const { shop, t } = visit
      await open(visit, '/profile', t('profile.title'))
      await shop.button(t('profile.save')).click()
      await seen(shop.toast.filter({ hasText: t('profile.updated') }), visit)
    },
  },
  {
    name: 'order desk',
    who: 'admin',
    async run(visit) {
      const { page, t } = visit
      await open(visit, '/admin/orders', t('desk.title'))
      const row = page.locator('[data-row]').first()
      const id = (await row.getAttribute('data-row')) ?? ''
      await row.click()
      await seen(page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) }), visit)
    },
  },
  {
    name: 'inbox',
    who: 'admin',
    async run(visit) {
      const { page, t } = visit
      await open(visit, `/admin/whatsapp?open=${visit.contactId}`, t('inbox.title'))
      const words = `طلبك في الطريق ${Date.now()}`
      await page.locator('[data-composer]').fill(words)
      await page.getByRole('button', { name: t('inbox.send'), exact: true }).click()
      const own = page
        .getByRole('log', { name: t('inbox.messages') })
        .locator('li')
        .filter({ hasText: words })
      await seen(own, visit)
      await expect(page.locator('[data-composer]')).toHaveValue('', { timeout: visit.patience })
    },
  },
  {
    name: 'dashboard',
    who: 'admin',
    async run(visit) {
      const { page, t, patience } = visit
      await open(visit, '/admin/dashboard', t('dashboard.title'))
      const today = page.getByRole('navigation', { name: t('dashboard.period') }).getByRole('link', {
        name: t('dashboard.period.today'),
      })
      await today.click()
      await expect(today).toHaveAttribute('aria-current', /page|true/, { timeout: patience })
      await seen(page.getByRole('region', { name: t('dashboard.figures') }), visit)
    },
  },
  { name: 'run', who: 'driver', run: deliverNext },
]
