import { nearestFils, toBhd } from '@qatra/contract/lib/money'
import type { EventName, Tracked, TrackedItem } from './events.ts'
import { pagePath } from './paths.ts'

/** An analytics receiver. Its stub queues calls until its script is loaded. */
export interface Adapter {
  script: string
  begin(): void
  /** SHA-256 of the phone; null clears the person. */
  identify(hash: string | null): void
  send(event: Tracked, id: string): void
  /** Globals to remove, and a pattern of cookies to remove, when consent is withdrawn. */
  globals: readonly (keyof Window & string)[]
  cookies: RegExp
}

type Queue = ((...call: unknown[]) => void) & { queue?: unknown[]; callMethod?: (...call: unknown[]) => void }
interface Pixel extends Queue {
  handleRequest?: (...call: unknown[]) => void
  push?: unknown
  loaded?: boolean
  version?: string
}

declare global {
  interface Window {
    dataLayer?: unknown[] | undefined
    gtag?: ((...call: unknown[]) => void) | undefined
    fbq?: Pixel | undefined
    _fbq?: Pixel | undefined
    snaptr?: Pixel | undefined
  }
}

const CURRENCY = 'BHD'
const sumOf = (items: readonly TrackedItem[]) =>
  toBhd(nearestFils(items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)))
const productsOf = ({ payload }: Tracked): TrackedItem[] =>
  'products' in payload ? payload.products : 'item' in payload ? [payload.item] : []
const valueOf = (event: Tracked) => {
  if (event.name === 'purchase') return event.payload.revenue
  return 'totalValue' in event.payload ? event.payload.totalValue : sumOf(productsOf(event))
}

const gaNames: Partial<Record<EventName, string>> = { view_content: 'view_item', cart_viewed: 'view_cart' }

export function googleAdapter(id: string): Adapter {
  const gtag = (...call: unknown[]) => window.gtag?.(...call)
  return {
    script: `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`,
    globals: ['dataLayer', 'gtag'],
    cookies: /^_ga/,
    begin() {
      window.dataLayer = []
      // gtag distinguishes commands from data by the `arguments` object.
      window.gtag = function gtag() {
        window.dataLayer?.push(arguments)
      }
      gtag('js', new Date())
      gtag('config', id, { send_page_view: false, allow_google_signals: false })
    },
    identify: (hash) => gtag('set', { user_id: hash }),
    send(event, eventId) {
      const address = { page_location: location.origin + pagePath(location.pathname) }
      gtag('event', gaNames[event.name] ?? event.name, { ...address, event_id: eventId, ...googleDetails(event) })
    },
  }
}

function googleDetails(event: Tracked): object {
  const products = productsOf(event)
  if (products.length === 0 && event.name !== 'cart_viewed') return event.payload
  return {
    ...(event.name === 'purchase' ? { transaction_id: event.payload.orderId, shipping_tier: 'delivery' } : {}),
    currency: CURRENCY,
    value: valueOf(event),
    items: products.map((item) => ({
      item_id: String(item.productId),
      item_name: item.name,
      item_category: item.category,
      item_brand: String(item.vendorId),
      price: item.price,
      quantity: item.quantity,
    })),
  }
}

const metaNames: Partial<Record<EventName, string>> = {
  page_view: 'PageView',
  view_content: 'ViewContent',
  add_to_cart: 'AddToCart',
  begin_checkout: 'InitiateCheckout',
  purchase: 'Purchase',
  sign_up: 'CompleteRegistration',
}

/** Stub of both pixels: queues calls until the script sets its own method. */
function pixelStub(method: 'callMethod' | 'handleRequest'): Pixel {
  const queue: unknown[] = []
  const stub: Pixel = (...call) => {
    const handle = stub[method]
    if (handle) handle.apply(stub, call)
    else queue.push(call)
  }
  stub.queue = queue
  return stub
}

export function metaAdapter(id: string): Adapter {
  const fbq = (...call: unknown[]) => window.fbq?.(...call)
  return {
    script: 'https://connect.facebook.net/en_US/fbevents.js',
    globals: ['fbq', '_fbq'],
    cookies: /^_fb[pc]$/,
    begin() {
      const stub = pixelStub('callMethod')
      Object.assign(stub, { push: stub, loaded: true, version: '2.0' })
      window.fbq = stub
      window._fbq = stub
      // Disables automatic events: otherwise the pixel reads forms and buttons of the page.
      fbq('set', 'autoConfig', false, id)
      fbq('init', id)
    },
    identify: (hash) => fbq('init', id, hash ? { ph: hash, external_id: hash } : {}),
    send(event, eventID) {
      const name = metaNames[event.name]
      fbq(name ? 'track' : 'trackCustom', name ?? event.name, pixelDetails(event), { eventID })
    },
  }
}

function pixelDetails(event: Tracked): object {
  const products = productsOf(event)
  if (products.length === 0) return event.name === 'page_view' ? {} : event.payload
  return {
    currency: CURRENCY,
    value: valueOf(event),
    content_type: 'product',
    content_ids: products.map(({ productId }) => String(productId)),
    num_items: products.reduce((count, { quantity }) => count + quantity, 0),
  }
}

const snapNames: Record<EventName, string> = {
  page_view: 'PAGE_VIEW',
  view_content: 'VIEW_CONTENT',
  add_to_cart: 'ADD_CART',
  begin_checkout: 'START_CHECKOUT',
  purchase: 'PURCHASE',
  sign_up: 'SIGN_UP',
  login: 'LOGIN',
  vendor_selected: 'CUSTOM_EVENT_1',
  filter_applied: 'CUSTOM_EVENT_2',
  cart_viewed: 'CUSTOM_EVENT_3',
}

export function snapAdapter(id: string): Adapter {
  const snaptr = (...call: unknown[]) => window.snaptr?.(...call)
  return {
    script: 'https://sc-static.net/scevent.min.js',
    globals: ['snaptr'],
    cookies: /^_sc/,
    begin() {
      window.snaptr = pixelStub('handleRequest')
      snaptr('init', id)
    },
    identify: (hash) => snaptr('init', id, hash ? { user_hashed_phone_number: hash } : {}),
    send(event, eventId) {
      const products = productsOf(event)
      const details =
        products.length === 0
          ? {}
          : {
              price: valueOf(event),
              currency: CURRENCY,
              item_ids: products.map(({ productId }) => String(productId)),
              number_items: products.reduce((count, { quantity }) => count + quantity, 0),
              ...(event.name === 'purchase' ? { transaction_id: event.payload.orderId } : {}),
            }
      snaptr('track', snapNames[event.name], { client_dedup_id: eventId, ...details })
    },
  }
}
