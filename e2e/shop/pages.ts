import { expect, type Locator, type Page } from '@playwright/test'
import type { Lang } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { catalogueOf } from './catalogue.ts'
import { alone, codeFor, countCodes } from './phones.ts'
import { ready } from './ready.ts'
import type { Words } from './words.ts'

export interface ShopParts {
  page: Page
  lang: Lang
  t: Words
  isPhone: boolean
}

export type Shop = ReturnType<typeof shopOn>

/** Page objects that find elements by visible text. */
export function shopOn({ page, lang, t, isPhone }: ShopParts) {
  const named = catalogueOf(page.request, lang)
  const money = (bhd: number) => formatMoney(fromBhd(Math.round(bhd * 1000) / 1000), lang)
  const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true })
  const link = (name: string, within: Page | Locator = page) => within.getByRole('link', { name, exact: true })

  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  /** Optional once the pin is accurate; the label then says so. */
  const road = page.getByRole('textbox', { name: new RegExp(`^${t('checkout.road')}`) })

  const card = (id: number) =>
    page.locator('article', { has: page.locator(`a[href="/products/${id}"], a[href^="/products/${id}?"]`) })
  /** The visible cart: beside the catalogue, else the floating one. */
  const cart = page
    .locator('aside')
    .and(page.getByLabel(t('cart.label'), { exact: true }))
    .filter({ visible: true })
  const expandCart = cart.getByRole('button', { name: new RegExp(`^${t('cart.expand')}`) })
  /** The floating cart, opened. */
  const cartSheet = page.getByRole('dialog', { name: t('cart.label'), exact: true })
  const toast = page.locator('[role=status], [role=alert]').filter({ visible: true })

  async function open(path: string) {
    await page.goto(path)
    await ready(page)
  }

  async function add(id: number, times = 1) {
    const { sizedName: name } = await named.product(id)
    const count = card(id).getByRole('status')
    const before = Number(await count.innerText())
    for (let at = before; at < before + times; at += 1) {
      await button(at === 0 ? t('ui.addOf', { name }) : t('ui.increase'), card(id)).click()
      await expect(count).toHaveText(String(at + 1))
    }
  }

  async function openCart() {
    // Its code is loaded with the first item.
    await expect(cart).toBeVisible()
    if ((await expandCart.isVisible()) && !(await cartSheet.isVisible())) await expandCart.click()
    await expect(cart.getByRole('listitem').first()).toBeVisible()
  }

  async function goToCheckout() {
    await openCart()
    await button(t('cart.checkout'), cart).click()
  }

  /** Signs in from the phone step and waits for the next page. */
  const signIn = (phone: string) =>
    alone(phone, async () => {
      const before = await countCodes(page.request, phone)
      await page.getByLabel(t('login.phone')).fill(phone.replace('+973', ''))
      await button(t('login.send')).click()
      const code = page.getByLabel(t('login.code'), { exact: true })
      await expect(code).toBeVisible()
      await code.fill(await codeFor(page.request, phone, before))
      await page.waitForURL((url) => !url.pathname.startsWith('/login'))
    })

  const areaFound = (vendor: string, area: string) =>
    expect(page.getByText(t('checkout.coverage.delivers', { vendor, area }))).toBeVisible()

  async function chooseArea(name: string) {
    await button(t('checkout.areas.open')).click()
    const sheet = page.getByRole('dialog', { name: t('area.title') })
    await sheet.getByLabel(t('area.search')).fill(name)
    await sheet.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  }

  /** The card of a saved address, or its list and then the fields. */
  const addressCard = page.getByRole('region', { name: t('checkout.where') })
  async function editAddress() {
    await button(`${t('checkout.changePlace')}: ${t('checkout.where')}`).click()
    await button(t('checkout.book.edit')).click()
  }

  /** Offset from the map's centre, where the pin is. */
  async function tapMap(x: number, y: number) {
    const map = page.getByRole('application', { name: t('map.label') })
    const box = await map.boundingBox()
    if (!box) throw new Error('The map is not on the page')
    // Setting a pin pans the map; wait until it stops, or the tap lands elsewhere.
    const pin = map.locator('.leaflet-marker-icon')
    const placeOfPin = async () => ((await pin.count()) > 0 ? JSON.stringify(await pin.first().boundingBox()) : '')
    await expect
      .poll(async () => {
        const before = await placeOfPin()
        await page.waitForTimeout(400)
        return before === (await placeOfPin())
      })
      .toBe(true)
    await map.click({ position: { x: box.width / 2 + x, y: box.height / 2 + y } })
  }

  async function fillAddress(parts: { block: string; road: string; building: string; name?: string }) {
    await field(t('checkout.block')).fill(parts.block)
    await road.fill(parts.road)
    await field(t('checkout.building')).fill(parts.building)
    if (parts.name !== undefined) await field(t('checkout.name')).fill(parts.name)
  }

  /** The order button with the total; its label changes while busy. */
  const place = page.locator('form button:has(bdi)')
  const placed = page.getByText(t('success.received'))

  const orderId = () => page.url().split('/').at(-1)?.split('?')[0] ?? ''

  return {
    page,
    named,
    money,
    button,
    link,
    field,
    road,
    card,
    cart,
    expandCart,
    cartSheet,
    toast,
    open,
    add,
    openCart,
    goToCheckout,
    signIn,
    areaFound,
    chooseArea,
    addressCard,
    editAddress,
    tapMap,
    fillAddress,
    place,
    placed,
    orderId,
    isPhone,
  }
}
