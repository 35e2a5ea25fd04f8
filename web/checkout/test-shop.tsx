import { initiateCheckout } from '@qatra/contract/analytics'
import { type Cart, getCart } from '@qatra/contract/cart/cart'
import type { AnyEndpoint, Output } from '@qatra/contract/endpoint'
import { type ErrorCode, messageOf, statusOf } from '@qatra/contract/errors'
import type { Lang } from '@qatra/contract/lib/lang'
import { listMyOrders } from '@qatra/contract/orders/orders'
import { noTotals } from '@qatra/contract/orders/totals'
import { type AreaSummary, findAreaAt, getArea, listAreas } from '@qatra/contract/places/areas'
import { reversePlace } from '@qatra/contract/places/geocode'
import { listProducts } from '@qatra/contract/products/products'
import { getSite, type Site } from '@qatra/contract/settings/site'
import { listAddresses } from '@qatra/contract/users/addresses'
import { getMe, type User } from '@qatra/contract/users/auth'
import {
  type DeliveryDay,
  getDeliveryDays,
  listVendors,
  type UnavailableDay,
  type Vendor,
} from '@qatra/contract/vendors/vendors'
import { createMemoryHistory } from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import { vi } from 'vitest'
import { App } from '../app/App.tsx'
import { createQueries } from '../app/queries.ts'
import { createAppRouter } from '../app/routes/router.ts'
import { isSignedOut } from '../app/session/session.ts'
import { fetchKey } from '../lib/api-client.ts'
import { loadUsedMessages } from '../lib/language/messages.ts'

export interface FakeRequest {
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body: unknown
}

type Answer<E extends AnyEndpoint> = (request: FakeRequest) => Output<E> | Response | Promise<Output<E> | Response>
interface Route {
  method: string
  pattern: RegExp
  isExact: boolean
  answer: (request: FakeRequest) => unknown
}

/** Error response with the status and message of the code. */
export const refusal = (code: ErrorCode, details: Record<string, unknown> = {}) =>
  new Response(JSON.stringify({ code, message: messageOf(code), details }), { status: statusOf(code) })

/** For tests: a fake server behind `fetch`, typed by the contract. Routes without a handler return NOT_FOUND. */
export function fakeShop() {
  const routes: Route[] = []
  const requests: (FakeRequest & { method: string })[] = []
  function on<E extends AnyEndpoint>({ method, path }: E, answer: Answer<E>) {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
    routes.unshift({ method, pattern, isExact: !path.includes('{'), answer })
  }
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const url = new URL(address, 'http://shop.test')
    const one = {
      path: url.pathname,
      query: url.searchParams,
      // `call` passes headers as a plain object of strings.
      headers: { ...(headers as Record<string, string>) },
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
    }
    requests.push({ ...one, method })
    const fitting = routes.filter((known) => known.method === method && known.pattern.test(url.pathname))
    // As on the server, an exact path takes precedence over one with parameters.
    const route = fitting.find(({ isExact }) => isExact) ?? fitting[0]
    const result = route ? await route.answer(one) : refusal('NOT_FOUND')
    return result instanceof Response ? result : new Response(JSON.stringify(result))
  })
  const to = ({ method, path }: AnyEndpoint) => requests.filter((one) => one.method === method && one.path === path)
  return { on, to }
}

export type FakeShop = ReturnType<typeof fakeShop>

const noFacts = { name: null, nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null }
export const site: Site = {
  origin: 'http://shop.test',
  company: noFacts,
  support: { phone: null, whatsapp: null, email: null, hours: null, hoursAr: null },
  social: { instagram: null, x: null, tiktok: null },
  apps: { ios: null, android: null },
  tileUrl: null,
  simulator: false,
  analytics: { ga: null, meta: null, snap: null },
  today: '2026-11-21',
  promisedDate: '2026-11-22',
}

export const vendorOf = (id: number, name: string, nameAr: string): Vendor => ({
  id,
  name,
  nameAr,
  logoUrl: null,
  description: null,
  descriptionAr: null,
  deliveryFee: 0.5,
  minDeliveryAmount: 5,
  whatsappLink: null,
  contactNumber: null,
  isActive: true,
  tint: null,
  emblem: null,
  cutOff: null,
  promisedDate: '2026-11-22',
})

export const seef: AreaSummary = {
  id: 20,
  areaId: 'seef',
  name: 'Seef',
  nameAr: 'السيف',
  centre: { lat: 26.239, lng: 50.5385 },
  vendorIds: [1, 2],
}
export const hidd: AreaSummary = {
  id: 30,
  areaId: 'hidd',
  name: 'Hidd',
  nameAr: 'الحد',
  centre: { lat: 26.2455, lng: 50.6545 },
  vendorIds: [2],
}

export const noora: User = {
  id: 6,
  phone: '+97336000006',
  name: 'نورة الدوسري',
  role: 'customer',
  preset: null,
  vendorId: null,
  permissions: [],
  isVerified: true,
  language: 'ar',
  address: 'السيف، مجمع 428، طريق 2831، مبنى 1172',
  instructions: null,
  addressParts: { block: '428', road: '2831', building: '1172' },
  mapCoordinates: { lat: 26.2378, lng: 50.5402 },
  notificationEnabled: true,
  notificationTypes: [],
  companyName: null,
  crNumber: null,
  vatNumber: null,
  marketingConsent: false,
  reminders: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  impersonatedBy: null,
}

export const cartOf = (price: number, version = 3): Cart => ({
  id: 9,
  vendorId: 1,
  version,
  free: {},
  parked: null,
  ...noTotals,
  subtotal: price * 4,
  deliveryFee: 0.5,
  total: price * 4 + 0.5,
  items: [
    {
      id: 1,
      cartId: 9,
      productId: 11,
      quantity: 4,
      name: 'Hayrat water',
      nameAr: 'مياه هيرات',
      size: '330ml',
      price,
      imageUrl: null,
      vendorId: 1,
      vatPercentage: 0,
      inventoryUnit: 'Carton',
      inventoryUnitAr: 'كرتون',
      unitsPerInventoryUnit: 24,
      bottle: null,
      empties: 0,
      held: 0,
      isAnswered: false,
      deposit: 0,
      isAvailable: true,
    },
  ],
})

const friday: UnavailableDay = { date: '2026-11-27', reason: 'friday', name: null, nameAr: null }

/** Open days; 27 November is a Friday. */
export const openDays: DeliveryDay[] = [22, 23, 24, 25, 26, 28, 29].map((day) => ({
  date: `2026-11-${day}`,
  windows: [],
  closedBefore: day === 28 ? [friday] : [],
}))

/** A shop in which vendor 1 delivers to Seef, with a cart of BHD 6.500. */
export function openShop(user: User = noora): FakeShop {
  const shop = fakeShop()
  shop.on(listAddresses, () => [])
  shop.on(getMe, () => user)
  shop.on(getSite, () => site)
  shop.on(getCart, () => cartOf(1.5))
  shop.on(listVendors, () => [vendorOf(1, 'Hayrat', 'هيرات'), vendorOf(2, 'Ghaima', 'غيمة')])
  shop.on(getDeliveryDays, () => openDays)
  shop.on(listProducts, () => [])
  shop.on(listAreas, () => [seef, hidd])
  shop.on(findAreaAt, () => seef)
  shop.on(getArea, () => refusal('AREA_NOT_FOUND'))
  shop.on(reversePlace, () => [])
  shop.on(listMyOrders, () => ({ items: [], page: 1, limit: 10, total: 0 }))
  shop.on(initiateCheckout, () => new Response(null, { status: 204 }))
  return shop
}

/** Renders the whole app at an address. */
export async function visit(address: string, lang: Lang = 'en') {
  document.documentElement.lang = lang
  const queries = createQueries((context) =>
    fetchKey(context).catch((error: unknown) => {
      if (isSignedOut(String(context.queryKey[0]), error)) return null
      throw error
    }),
  )
  const router = createAppRouter({ queries, history: createMemoryHistory({ initialEntries: [address] }) })
  // Loads only the messages of the pages in use, so that a missing one shows its key.
  await router.load()
  const i18n = await loadUsedMessages(lang)
  await act(async () => {
    render(<App router={router} queries={queries} i18n={i18n} />)
  })
  return { router, queries, path: () => router.state.location.pathname }
}

/** For tests: the layout functions that jsdom lacks. */
export function stubScreen() {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  vi.stubGlobal('scrollTo', () => undefined)
}
