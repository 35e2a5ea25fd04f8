import { type Cart, emptyCart } from '@qatra/contract/cart/cart'
import { fromBhd, toBhd } from '@qatra/contract/lib/money'
import type { Order } from '@qatra/contract/orders/orders'
import { areas } from '../areas/bahrain/areas.ts'
import { processMessage } from '../bot/dialogue/dialogue.ts'
import { freshMemory, type Memory, readMemory } from '../bot/dialogue/memory.ts'
import { type Intent, type Outcome, type Person, type Placed, runConversation } from '../bot/dialogue/turn-context.ts'
import type { KnownShop } from '../bot/knowledge/snapshot.queries.ts'
import { cartFrom, type Offers } from '../cart/queries.ts'
import type { ReceivedParts, ReceivedType } from '../conversations/received.ts'
import type { CatalogueProduct } from '../products/snapshot.ts'
import { type Outgoing, wordsOf } from '../providers/message.ts'
import { products } from '../seed/products.ts'
import { vendors } from '../seed/vendors.ts'

/** Noon in Bahrain on a Sunday. */
const START = Date.parse('2026-11-15T09:00:00Z')
const never = new Date(START)

/** Vendors, products and areas of the demo, in memory. */
export function demoCatalogue(): KnownShop {
  const areaIds = new Map(areas.map(({ areaId }, i) => [areaId, i + 1]))
  return {
    vendors: new Map(
      vendors.map((vendor) => [
        vendor.id,
        {
          ...vendor,
          logoUrl: null,
          isActive: true,
          deliveryFee: fromBhd(vendor.deliveryFee),
          minDeliveryAmount: fromBhd(vendor.minDeliveryAmount),
          areaIds: new Set(vendor.areas.flatMap((code) => areaIds.get(code) ?? [])),
          closures: new Set<string>(),
        },
      ]),
    ),
    products: new Map(
      products.map((product): [number, CatalogueProduct] => [
        product.id,
        { ...product, price: fromBhd(product.price), isActive: true, version: 1, createdAt: never, updatedAt: never },
      ]),
    ),
    areas: new Map(
      areas.map(({ areaId, name, nameAr, geometry, centre }, i) => [
        i + 1,
        { id: i + 1, areaId, name, nameAr, geometry, centre },
      ]),
    ),
    blocks: new Map(),
    holidays: new Map(),
    settings: new Map(),
    pictures: new Map(),
    aliases: [],
    answers: new Map(),
  }
}

export const newcomer: Person = { phone: '+97336004444', profileName: null, account: null }
export const regular: Person = {
  phone: '+97336000006',
  profileName: 'Noora',
  account: {
    name: 'نورة الدوسري',
    isActive: true,
    addresses: [
      {
        id: 1,
        label: null,
        point: { lat: 26.2378, lng: 50.5402 },
        address: 'مجمع 428، طريق 2831، مبنى 1172، شقة 34، السيف',
        addressParts: null,
        notes: null,
        receiverName: null,
        receiverPhone: null,
      },
    ],
  },
}

/** A customer with two saved addresses. */
export const settled: Person = {
  ...regular,
  account: regular.account && {
    ...regular.account,
    addresses: [
      ...regular.account.addresses,
      {
        id: 2,
        label: 'بيت الوالد',
        point: { lat: 26.2572, lng: 50.6119 },
        address: 'مجمع 214، طريق 1407، مبنى 22، المحرق',
        addressParts: { block: '214', road: '1407', building: '22' },
        notes: 'الباب الأزرق',
        receiverName: 'أبو سالم',
        receiverPhone: '+97336001234',
      },
    ],
  },
}

interface Sent {
  type?: ReceivedType
  content?: string
  parts?: ReceivedParts
  /** Age of the message in seconds. */
  age?: number
}

const noAbilities: Order['can'] = {
  cancel: false,
  reschedule: false,
  items: false,
  address: false,
  reorder: false,
  changeStatus: [],
}
const emptyAccount: Person['account'] = {
  name: null,
  isActive: true,
  addresses: [],
}

/** An in-memory shop and a customer who writes to its bot. */
export function botWorld(person: Person = newcomer) {
  const catalogue = demoCatalogue()
  const world = {
    catalogue,
    person,
    memory: freshMemory('ar') as Memory,
    now: START,
    placed: [] as (Placed & { lines: [number, number][] })[],
    orders: [] as Order[],
    intents: [] as Intent[],
    calls: [] as string[],
    /** Replies to the last message. */
    replies: [] as readonly Outgoing[],
    intent: '',
    /** Errors for the next intents, by kind. */
    refusals: {} as Partial<Record<Intent['do'], { code: string; details?: Record<string, unknown> }>>,
    lines: new Map<number, number>(),
    cartVersion: 0,
    messages: 0,
    say,
    write: (content: string) => say({ content }),
    pin: (lat: number, lng: number) => say({ type: 'location', content: `${lat},${lng}`, parts: { lat, lng } }),
    tap,
    text: () => world.replies.map(wordsOf).join('\n'),
    cart: readCart,
    deliver,
    raisePrices,
  }

  function readCart(): Cart {
    const offers: Offers = new Map(
      [...catalogue.products].map(([id, product]) => [id, { ...product, isAvailable: product.isActive }]),
    )
    const [first] = world.lines.keys()
    const vendorId = first === undefined ? null : (catalogue.products.get(first)?.vendorId ?? null)
    const items = [...world.lines].map(([productId, quantity]) => ({ id: productId, productId, quantity }))
    const row = { id: 1, vendorId, version: world.cartVersion, items, parkedVendorId: null, parkedItems: 0 }
    const vendor = catalogue.vendors.get(vendorId ?? 0)
    return vendor ? cartFrom(row, offers, vendor.deliveryFee) : { ...emptyCart, version: world.cartVersion }
  }

  async function say({ type = 'text', content = '', parts = {}, age = 0 }: Sent): Promise<string> {
    world.messages += 1
    world.now += 2_000
    world.intents = []
    const incoming = {
      id: world.messages,
      type,
      content,
      parts,
      at: new Date(world.now - age * 1000),
      receivedAt: new Date(world.now),
    }
    const facts = { now: new Date(world.now), catalogue, person: world.person, cart: readCart() }
    const said = await runConversation(processMessage(world.memory, incoming, facts), (intent) =>
      Promise.resolve(perform(intent)),
    )
    // Serialized like in the database.
    world.memory = readMemory(JSON.parse(JSON.stringify(said.memory)), 'ar')
    world.replies = said.replies
    world.intent = said.intent
    return world.text()
  }

  /** A button or row of the last reply, by id, title or part of the title. */
  function tap(wanted: string): Promise<string> {
    const all = world.replies.flatMap(tappable)
    const found =
      all.find(({ id, title }) => id === wanted || title === wanted) ?? all.find(({ title }) => title.includes(wanted))
    if (!found) throw new Error(`Nothing to tap is called ${wanted}: ${all.map(({ title }) => title).join(' | ')}`)
    const { id, title, type } = found
    return say({ type, content: title, parts: { id, title } })
  }

  function perform(intent: Intent): Outcome {
    world.intents.push(intent)
    const refusal = world.refusals[intent.do]
    if (refusal) {
      delete world.refusals[intent.do]
      return { ok: false, details: {}, ...refusal }
    }
    switch (intent.do) {
      case 'add': {
        world.person = { ...world.person, account: world.person.account ?? emptyAccount }
        const product = catalogue.products.get(intent.productId)
        if (!product?.isActive) return { ok: false, code: 'PRODUCT_NOT_FOUND', details: {} }
        const { vendorId } = readCart()
        if (vendorId !== null && vendorId !== product.vendorId)
          return { ok: false, code: 'CART_VENDOR_CONFLICT', details: { vendorId } }
        const quantity = (world.lines.get(product.id) ?? 0) + intent.quantity
        if (quantity > 100) return { ok: false, code: 'QUANTITY_LIMIT', details: {} }
        return changed(product.id, quantity)
      }
      case 'set':
        if (!world.lines.has(intent.itemId)) return { ok: false, code: 'CART_ITEM_NOT_FOUND', details: {} }
        return changed(intent.itemId, intent.quantity)
      case 'switch':
        world.lines.clear()
        return changed(intent.productId, intent.quantity)
      case 'clear':
        world.lines.clear()
        return changed(0, 0)
      case 'place':
        return place(intent)
      case 'orders':
        return { ok: true, orders: world.orders }
      case 'again': {
        const order = world.orders.find(({ id }) => id === intent.orderId)
        world.lines = new Map(order?.items.map(({ productId, quantity }) => [productId ?? 0, quantity]))
        const results = { added: world.lines.size, failed: 0, failedItems: [] }
        return { ok: true, result: { results, message: '', priceChanges: [] }, cart: readCart() }
      }
      case 'cancel': {
        const order = world.orders.find(({ id }) => id === intent.orderId)
        if (!order?.can.cancel) return { ok: false, code: 'CANCELLATION_CLOSED', details: {} }
        Object.assign(order, { status: 'cancelled', can: noAbilities })
        return { ok: true, order }
      }
      case 'reschedule': {
        const order = world.orders.find(({ id }) => id === intent.orderId)
        if (!order?.can.reschedule) return { ok: false, code: 'RESCHEDULE_CLOSED', details: {} }
        Object.assign(order, { promisedDate: intent.date })
        return { ok: true, order }
      }
      case 'edit-items': {
        const order = world.orders.find(({ id }) => id === intent.orderId)
        if (!order?.can.items) return { ok: false, code: 'EDIT_CLOSED', details: {} }
        if (order.version !== intent.version) return { ok: false, code: 'VERSION_CONFLICT', details: {} }
        const items = intent.items.flatMap(({ productId, quantity }) => {
          const item = order.items.find((one) => one.productId === productId)
          const product = catalogue.products.get(productId)
          const [first] = order.items
          if (item) return [{ ...item, quantity }]
          return product && first ? [{ ...first, ...product, productId, quantity, price: toBhd(product.price) }] : []
        })
        Object.assign(order, { items, total: intent.expectedTotal, version: order.version + 1 })
        return { ok: true, order, edit: order.version - 1 }
      }
      case 'edit-address': {
        const order = world.orders.find(({ id }) => id === intent.orderId)
        if (!order?.can.address) return { ok: false, code: 'EDIT_CLOSED', details: {} }
        const { address, addressParts, point: mapCoordinates } = intent
        Object.assign(order, { address, addressParts, mapCoordinates, version: order.version + 1 })
        return { ok: true, order, edit: order.version - 1 }
      }
      case 'receipt':
      case 'request-call':
        return { ok: true }
      case 'call-person':
        world.calls.push(intent.reason)
        return { ok: true }
      case 'opt-out':
      case 'opt-in':
        return { ok: true, isOut: intent.do === 'opt-out' }
      case 'choose-language':
      case 'send-code':
        return { ok: true }
      case 'check-code':
        if (intent.code !== '4321') return { ok: false, code: 'INVALID_CODE', details: {} }
        world.person = { ...world.person, phone: intent.phone }
        return { ok: true, person: world.person, cart: readCart() }
    }
  }

  function changed(productId: number, quantity: number): Outcome {
    world.cartVersion += 1
    if (quantity > 0) world.lines.set(productId, quantity)
    else world.lines.delete(productId)
    return { ok: true, cart: readCart() }
  }

  function place({ token, expectedTotal, input }: Extract<Intent, { do: 'place' }>): Outcome {
    const cart = readCart()
    if (cart.items.length === 0) return { ok: false, code: 'CART_EMPTY', details: {} }
    if (cart.total > expectedTotal) return { ok: false, code: 'PRICE_CHANGED', details: { cart } }
    const id = `BOT${token.padStart(13, 'X')}`
    const promisedDate = '2026-11-16'
    const cancellableUntil = new Date(world.now + 3_600_000).toISOString()
    const placed = { id, total: cart.total, vendorId: cart.vendorId ?? 0, promisedDate, cancellableUntil }
    world.placed.push({ ...placed, lines: [...world.lines] })
    world.orders.unshift(orderOf(placed, cart, input.customerName))
    world.lines.clear()
    world.cartVersion += 1
    return { ok: true, placed, cart: readCart() }
  }

  function orderOf(placed: Placed, cart: Cart, customerName: string): Order {
    const vendor = catalogue.vendors.get(placed.vendorId)
    const at = new Date(world.now).toISOString()
    return {
      ...placed,
      userId: 1,
      vendorName: vendor?.name ?? '',
      vendorNameAr: vendor?.nameAr ?? null,
      vendorLogo: null,
      vendorTint: null,
      vendorEmblem: null,
      vendorWhatsappLink: null,
      vendorContactNumber: null,
      status: 'new',
      customerName,
      phone: world.person.phone ?? '',
      address: '',
      addressParts: null,
      instructions: null,
      receiverName: null,
      receiverPhone: null,
      mapCoordinates: { lat: 26.2, lng: 50.5 },
      areaId: 1,
      areaName: null,
      areaNameAr: null,
      paymentMethod: 'cash',
      paymentStatus: 'pending',
      subtotal: cart.subtotal,
      deliveryFee: cart.deliveryFee,
      productVAT: cart.productVAT,
      placedBy: null,
      assignedDriverId: null,
      createdAt: at,
      updatedAt: at,
      items: cart.items.map((item) => ({ ...item, orderedQuantity: null, priceReason: null, listPrice: null })),
      deliveredAt: null,
      version: 1,
      legacyBagId: null,
      legacyTransactionId: null,
      lastSyncAt: null,
      syncStatus: 'pending',
      syncErrors: null,
      steps: [],
      movedFrom: null,
      movedByClosure: false,
      failedAttempts: 0,
      lastAttemptAt: null,
      can: { ...noAbilities, cancel: true, reschedule: true, items: true, address: true },
    }
  }

  /** Delivers the newest order. */
  function deliver(): void {
    const [order] = world.orders
    if (order) Object.assign(order, { status: 'delivered', can: { ...noAbilities, reorder: true } })
  }

  function raisePrices(bhd: number): void {
    for (const product of catalogue.products.values()) {
      Object.assign(product, { price: fromBhd(Math.round((toBhd(product.price) + bhd) * 1000) / 1000) })
    }
  }

  return world
}

interface Tappable {
  type: 'button' | 'list'
  id: string
  title: string
}

export function tappable(reply: Outgoing): Tappable[] {
  if (reply.type === 'buttons') return reply.buttons.map(({ id, title }) => ({ type: 'button', id, title }))
  if (reply.type !== 'list') return []
  return reply.sections.flatMap(({ rows }) => rows.map(({ id, title }) => ({ type: 'list', id, title })))
}
