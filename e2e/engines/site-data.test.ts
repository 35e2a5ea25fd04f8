import { plain } from '../settings.ts'
import { catalogueOf } from '../shop/catalogue.ts'
import { wordsIn } from '../shop/words.ts'
import { until } from './engine.ts'
import { expect, test } from './test.ts'

const t = wordsIn('ar')

test('the shop opens where Firefox blocks all site data', async ({ launch, request, engineName }) => {
  test.skip(engineName !== 'firefox', 'Site data is blocked by a Firefox preference; WebKitGTK has none')
  const engine = await launch({ width: 390, height: 800, blocksSiteData: true })
  const product = await catalogueOf(request, 'ar').product(6)
  await engine.open(plain.origin)
  const isBlocked = 'try { localStorage.length; return false } catch (error) { return error.name }'
  expect(await engine.run(isBlocked)).toBe('SecurityError')
  await until(t('catalogue.promise'), () => engine.textOf({ css: 'h1' }))
  await engine.open(`${plain.origin}/products/6`)
  await until(product.name, () => engine.textOf({ css: 'h1', text: product.name }))
  // Clicks work: the page is hydrated and is not the error page.
  await engine.click({ css: 'header button', text: 'العربية' })
  await engine.click({ css: '[role^=menuitem]', text: 'English' })
  await until('English', () => engine.run<boolean>("return document.documentElement.lang === 'en'"))
})
