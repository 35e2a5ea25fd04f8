import type { Page } from '@playwright/test'
import { placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { hostileWords } from './shop/hostile.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const boss = '+97336000001'
const all = hostileWords.join(' ')

const one = async (text: string, values: unknown[]) => Number((await query<{ id: number }>(text, values))[0]?.id)

/** Elements that no page renders by itself. */
const strangers = (page: Page) =>
  page.evaluate(() => ({
    scripts: [...document.scripts].filter(({ type, src }) => !src && !/json/.test(type)).length,
    elements: document.querySelectorAll(
      'iframe, base, object, embed, marquee, meta[http-equiv=refresh], [href^="javascript:" i], [src^="javascript:" i]',
    ).length,
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
  }))
const none = { scripts: 0, elements: 0, handlers: 0 }

/** A customer whose stored texts are all hostile; older versions may have stored what forms refuse. */
async function furnish(page: Page) {
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const { id: orderId } = await placeByCalls(page, { productId: 6, quantity: 7 })
  for (const word of hostileWords.slice(0, 12))
    await page.request.post('/api/simulator/messages', { data: { from: phone, body: word, name: word.slice(0, 60) } })
  const userId = await one('select user_id as id from orders where id = $1', [orderId])
  await query(
    `update orders set customer_name = $2, address = $2, vendor_name = $2, vendor_name_ar = $2, area_name = $2,
       area_name_ar = $2, instructions = $2 where id = $1`,
    [orderId, all],
  )
  await query('update order_items set name = $2, name_ar = $2 where order_id = $1', [orderId, all])
  await query('update users set name = $2 where id = $1', [userId, all])
  await query('update addresses set label = $2, address = $2, instructions = $2 where user_id = $1', [userId, all])
  await query(`insert into customer_notes (user_id, vendor_id, body) values ($1, 1, $2)`, [userId, all])
  const productId = await one(
    `insert into products (vendor_id, name, name_ar, description, price, size, duplicate_key, is_active)
     values (2, $1, $1, $1, 100, '500ml', $2, false) returning id`,
    [all, phone],
  )
  const staffId = await one(
    `insert into users (phone, name, role, vendor_id) values ($1, $2, 'vendor_sales', 2) returning id`,
    [newPhone(), all],
  )
  await expect
    .poll(() =>
      one(
        'select count(*)::int as id from whatsapp_messages m join contacts c on c.id = m.contact_id where c.phone = $1',
        [phone],
      ),
    )
    .toBeGreaterThan(5)
  await query('update contacts set name = $2 where phone = $1', [phone, all])
  const contactId = await one('select id from contacts where phone = $1', [phone])
  return { orderId, userId, productId, staffId, contactId }
}

test('hostile text is rendered as text on the admin pages', async ({ page, watch }) => {
  const { orderId, userId, productId, staffId, contactId } = await furnish(page)
  await signInToAdmin(page, boss, '/admin/dashboard')
  let seen = 0
  for (const path of [
    '/admin/dashboard',
    '/admin/orders',
    `/admin/orders/${orderId}`,
    `/admin/orders/print?ids=${orderId}`,
    '/admin/customers',
    `/admin/customers/${userId}`,
    '/admin/products?vendorId=2&isActive=false',
    `/admin/products/${productId}`,
    '/admin/users',
    `/admin/users/${staffId}`,
    '/admin/audit',
    '/admin/magic-links',
    '/admin/jobs',
    '/admin/whatsapp',
    `/admin/whatsapp?open=${contactId}`,
    '/admin/whatsapp/webhooks',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {}) // the stream of events never ends
    expect([path, await strangers(page)]).toEqual([path, none])
    if ((await page.getByText('<script>alert(1)</script>').count()) > 0) seen += 1
  }
  expect(seen, 'pages that show the words').toBeGreaterThan(7)
  expect(watch.errors()).toEqual([])

  // The mutant: a page that renders text as markup fails the same check; some payloads would navigate away.
  watch.allow(/./)
  await page.evaluate(
    (words) => {
      for (const word of words) {
        const place = document.createElement('div')
        place.innerHTML = word
        document.body.append(place)
      }
    },
    hostileWords.filter((word) => !word.includes('http-equiv')),
  )
  const { elements, handlers } = await strangers(page)
  expect([elements > 5, handlers > 10]).toEqual([true, true])
})
