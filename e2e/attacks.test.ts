import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoints } from '@qatra/contract/api'
import { plain } from './settings.ts'
import { placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { hostileWords } from './shop/hostile.ts'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

/** A page of another origin, on another port. */
async function evilSite() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title><body></body>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { port, close: () => new Promise((done) => server.close(done)) }
}

const addressOf = (path: string, orderId: string) =>
  plain.origin + path.replace('{id}', orderId).replace(/\{\w+\}/g, '1')

/** All rows of one person that a forged call could change. */
const stateOf = async (phone: string) =>
  JSON.stringify(
    await query(
      `select u.*, (select jsonb_agg(o order by o.id) from orders o where o.user_id = u.id) as orders,
         (select jsonb_agg(i order by i.id) from carts c join cart_items i on i.cart_id = c.id where c.user_id = u.id) as items,
         (select jsonb_agg(a order by a.id) from addresses a where a.user_id = u.id) as addresses,
         (select count(*) from sessions s where s.user_id = u.id) as sessions
       from (select id, phone, name, role, language, is_active, marketing_consent from users) u where phone = $1`,
      [phone],
    ),
  )

test('a page of another origin changes nothing, on any address', async ({ page, watch }) => {
  watch.allow(/./)
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
  await page.request.post('/api/cart/add', { data: { productId: 13, quantity: 2 } })
  const before = await stateOf(phone)
  const evil = await evilSite()
  const body = JSON.stringify({ productId: 1, quantity: 1, name: 'Mallory', phone })
  const calls = endpoints.map(({ method, path }) => ({ method, url: addressOf(path, id) }))
  const answers: string[] = []
  page.context().on('response', (response) => {
    const [method, status] = [response.request().method(), response.status()]
    if (method === 'GET' || method === 'OPTIONS' || !response.url().startsWith(plain.origin)) return
    answers.push(status >= 400 && status < 500 ? 'refused' : `${status} ${method} ${response.url()}`)
  })

  // `localhost` with another port is the same site, so the cookie travels; 127.0.0.1 is another.
  for (const host of ['localhost', '127.0.0.1']) {
    await page.goto(`http://${host}:${evil.port}/`)
    await page.evaluate(
      async ({ calls, body }) => {
        const frame = document.createElement('iframe')
        frame.name = 'hole'
        document.body.append(frame)
        for (const { url } of calls) {
          await Promise.allSettled([
            fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body }),
            fetch(url, { method: 'GET', mode: 'no-cors', credentials: 'include' }),
          ])
          const image = new Image()
          image.src = url
          for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
            const form = document.createElement('form')
            Object.assign(form, { action: url, method: 'post', enctype, target: 'hole' })
            const field = document.createElement('input')
            Object.assign(field, { name: body, value: '' })
            form.append(field)
            document.body.append(form)
            form.submit()
            await new Promise((done) => setTimeout(done, 5))
            form.remove()
          }
        }
        for (const { method, url } of calls) {
          await fetch(url, {
            method,
            credentials: 'include',
            headers: { 'content-type': 'application/json' },
            ...(method === 'GET' ? {} : { body }),
          }).catch(() => undefined)
        }
      },
      { calls, body },
    )
    for (const { url } of calls.filter(({ method }) => method === 'POST').slice(0, 6)) {
      await page.goto(`http://${host}:${evil.port}/`)
      await page.evaluate(
        ([action, name]) => {
          const form = document.createElement('form')
          Object.assign(form, { action, method: 'post', enctype: 'text/plain' })
          const field = document.createElement('input')
          Object.assign(field, { name, value: '' })
          form.append(field)
          document.body.append(form)
          form.submit()
        },
        [url, body] as const,
      )
      await page.waitForURL(url)
    }
  }
  await evil.close()
  expect(new Set(answers)).toEqual(new Set(['refused']))
  expect(answers.length).toBeGreaterThan(calls.length)
  expect(await stateOf(phone)).toBe(before)
  // The same call from the shop's own origin changes rows, so the comparison can fail.
  await page.request.post('/api/cart/add', { data: { productId: 1, quantity: 1 } })
  expect(await stateOf(phone)).not.toBe(before)
  expect((await page.request.get('/api/auth/me')).status()).toBe(200)
})

/** The first payloads, since an order's texts have a length limit. */
const hostile = hostileWords.slice(0, 15)

test('hostile text is rendered as text in an order and in a profile', async ({ page, shop, t }) => {
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7, instructions: hostile.join('\n') })
  // Older versions may have stored what the forms refuse.
  const name = hostile.join(' ')
  await query(
    `update orders set customer_name = $2, address = $2, vendor_name = $2, vendor_name_ar = $2, area_name = $2,
       area_name_ar = $2 where id = $1`,
    [id, name],
  )
  await query('update order_items set name = $2, name_ar = $2 where order_id = $1', [id, name])
  await query('update users set name = $2 where id = (select user_id from orders where id = $1)', [id, name])
  await query(
    `update addresses set label = $2, address = $2, instructions = $2, receiver_name = $2
     where user_id = (select user_id from orders where id = $1)`,
    [id, name],
  )
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  for (const path of [`/orders/${id}`, `/checkout/success/${id}`, '/orders', '/profile', '/checkout', '/']) {
    await shop.open(path)
    const injected = await page.evaluate(() => ({
      scripts: [...document.scripts].filter(({ type, src }) => !src && !/json/.test(type)).length,
      frames: document.querySelectorAll('iframe, base, meta[http-equiv=refresh], svg[onload], img[onerror]').length,
    }))
    expect(injected, path).toEqual({ scripts: 0, frames: 0 })
  }
  await shop.open(`/orders/${id}`)
  await expect(page.getByText('<script>alert(1)</script>').first()).toBeVisible()
  await shop.button(t('shell.account')).click()
  await expect(page.getByRole('menu')).toBeVisible()
})

test('hostile URLs neither redirect nor run scripts', async ({ page, watch }) => {
  watch.allow(/404/)
  for (const text of hostile) {
    const part = encodeURIComponent(text)
    for (const path of [
      `/?size=${part}`,
      `/?vendor=${part}`,
      `/login?redirect=${part}`,
      `/nowhere/${part}`,
      `/magic-login/${part}`,
    ]) {
      await page.goto(path)
    }
  }
  await expect(page.locator('#main')).toBeVisible()
})
