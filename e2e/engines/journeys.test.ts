import type { APIRequestContext } from '@playwright/test'
import { plain } from '../settings.ts'
import { catalogueOf } from '../shop/catalogue.ts'
import { placeByCalls } from '../shop/customers.ts'
import { alone, codeFor, countCodes, newPhone, signInRequest } from '../shop/phones.ts'
import { wordsIn } from '../shop/words.ts'
import { type Engine, until } from './engine.ts'
import { expect, test } from './test.ts'

const t = wordsIn('ar')
const phone = { width: 390, height: 800 }
const desk = { width: 1366, height: 900 }

const pathIs = (engine: Engine, path: RegExp) =>
  until(`the address ${path}`, async () => path.test((await engine.address()).pathname))
const sees = (engine: Engine, css: string, text: string) => until(text, () => engine.textOf({ css, text }))

/** Signs in, from the phone step of the form to the target page. */
const signIn = (engine: Engine, request: APIRequestContext, number: string, target: RegExp) =>
  alone(number, async () => {
    const before = await countCodes(request, number)
    await engine.type({ css: 'input[type=tel]' }, number.replace('+973', ''))
    await engine.click({ css: 'button', text: t('login.send') })
    await sees(engine, 'form label', t('login.code'))
    const code = await codeFor(request, number, before)
    await engine.type({ css: 'input[autocomplete="one-time-code"]' }, code)
    await pathIs(engine, target)
  })

test('a visitor orders on a phone, in Arabic', async ({ launch, request }) => {
  const engine = await launch(phone)
  const named = catalogueOf(request, 'ar')
  const [vendor, product, area] = [await named.vendor(1), await named.product(6), await named.area('seef')]

  await engine.open(plain.origin)
  expect(await engine.run('return [document.documentElement.lang, document.dir]')).toEqual(['ar', 'rtl'])
  await engine.click({ css: 'a', text: `${t('catalogue.allProducts')}: ${vendor.name}` })
  await engine.click({ css: 'a[href^="/products/6"]' })
  await pathIs(engine, /^\/products\/6$/)
  await sees(engine, 'h1', product.name)
  await engine.click({ css: 'main button', text: t('ui.add') })
  for (let count = 2; count <= 7; count += 1) {
    await engine.click({ css: 'main button', text: t('ui.increase') })
    await sees(engine, 'main output', String(count))
  }
  await engine.click({ css: 'aside button', text: t('cart.expand') })
  await engine.click({ css: 'aside button, aside a', text: t('cart.checkout') })

  await pathIs(engine, /^\/login$/)
  await signIn(engine, request, newPhone(), /^\/checkout$/)
  await engine.click({ css: 'button', text: t('checkout.areas.open') })
  await engine.type({ css: 'input[type=search]:not([role=combobox])' }, area.name)
  await engine.click({ css: 'li button[aria-pressed]', text: area.name })
  await sees(engine, 'main p', t('checkout.coverage.delivers', { vendor: vendor.name, area: area.name }))
  await engine.type({ css: 'input[name=block]' }, '428')
  await engine.type({ css: 'input[name=road]' }, '2831')
  await engine.type({ css: 'input[name=building]' }, '1172')
  await engine.type({ css: 'input[name=customerName]' }, 'نورة')
  await engine.click({ css: 'form button:has(bdi)' })
  await pathIs(engine, /^\/checkout\/success\//)
  await sees(engine, 'main', t('success.received'))
})

test('a dispatcher signs in by the form, changes the status of an order and reloads, in Arabic', async ({
  launch,
  request,
}) => {
  await signInRequest(request, newPhone())
  const { id } = await placeByCalls({ request }, { productId: 6, quantity: 7 })
  const engine = await launch(desk)

  await engine.open(`${plain.origin}/admin/orders?day=all`)
  await pathIs(engine, /^\/login$/)
  await signIn(engine, request, '+97336000003', /^\/admin\/orders$/)
  await engine.click({ css: `[data-row="${id}"] td`, text: 'مريم' })
  const panel = { css: 'aside', text: t('desk.panel', { id: id.slice(0, 4) }) }
  await until('the panel', () => engine.textOf(panel))
  await engine.click({ css: 'aside button', text: t('desk.act.prepare') })
  await sees(engine, 'aside button', t('desk.act.chooseDriver'))

  await engine.reload()
  await sees(engine, 'aside button', t('desk.act.chooseDriver'))
  expect((await engine.address()).searchParams.get('open')).toContain(id)
  await sees(engine, `[data-row="${id}"]`, t('admin.status.in-progress'))
})
