import { addDays } from '@qatra/contract/calendar/calendar'
import { addToCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import type { Coordinates } from '@qatra/contract/places/geo'
import type { Role } from '@qatra/contract/users/roles'
import type { TestShop } from './app.ts'

let made = 0
const next = () => (made += 1)

async function idOf(shop: TestShop, text: string, values: unknown[]): Promise<number> {
  const [row] = await shop.query<{ id: number }>(text, values)
  if (!row) throw new Error('Nothing was made')
  return row.id
}

export interface VendorInput {
  /** Fils */
  deliveryFee?: number
  minDeliveryAmount?: number
  cutOff?: string
}

/** A vendor without delivery areas. */
export async function makeVendor(
  shop: TestShop,
  { deliveryFee = 500, minDeliveryAmount = 1000, cutOff }: VendorInput = {},
) {
  const n = next()
  const id = await idOf(
    shop,
    `insert into vendors (name, name_ar, delivery_fee, min_delivery_amount, cut_off) values ($1, $2, $3, $4, $5) returning id`,
    [`Vendor ${n}`, `علامة ${n}`, deliveryFee, minDeliveryAmount, cutOff ?? null],
  )
  await shop.catalogue.reload()
  return id
}

export interface ProductInput {
  /** Fils */
  price?: number
  vatPercentage?: number
  name?: string
}

export async function makeProduct(
  shop: TestShop,
  vendorId: number,
  { price = 1500, vatPercentage = 10, name = `Water ${next()}` }: ProductInput = {},
) {
  const id = await idOf(
    shop,
    `insert into products (vendor_id, name, name_ar, price, size, vat_percentage, duplicate_key)
     values ($1, $2, $3, $4, '500ml', $5, $6) returning id`,
    [vendorId, name, `ماء ${name}`, price, vatPercentage, `${name}|500`],
  )
  await shop.catalogue.reload()
  return id
}

/** A small square outside of Bahrain that these vendors serve; returns its centre. */
export async function makeArea(
  shop: TestShop,
  vendorIds: readonly number[],
): Promise<Coordinates & { areaId: number }> {
  const n = next()
  // A unique name, so that a search finds only this area.
  const [lat, lng] = [Number((10 + (n % 6_000) / 100 + 0.003_71).toFixed(5)), 60]
  const [south, north, west, east] = [lat - 0.002, lat + 0.002, lng - 0.002, lng + 0.002]
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const areaId = await idOf(
    shop,
    `insert into areas (area_id, name, name_ar, geometry, bounds, centre_lat, centre_lng)
     values ($1, $2, $3, $4, $5::box, $6, $7) returning id`,
    [
      `made-${n}`,
      `Area ${n}`,
      `منطقة ${n}`,
      JSON.stringify({ type: 'Polygon', coordinates: [ring] }),
      `((${west},${south}),(${east},${north}))`,
      lat,
      lng,
    ],
  )
  for (const vendorId of vendorIds)
    await shop.query('insert into vendor_delivery_areas (vendor_id, area_id) values ($1, $2)', [vendorId, areaId])
  await shop.catalogue.reload()
  return { lat, lng, areaId }
}

/** An imported block in the ocean; returns its id. */
export async function makeBlock(shop: TestShop): Promise<number> {
  const [south, west] = [-30, -160]
  const ring = [
    [west, south],
    [west + 0.01, south],
    [west + 0.01, south + 0.01],
    [west, south],
  ]
  const id = await idOf(
    shop,
    `insert into blocks (number, geometry, bounds, centre_lat, centre_lng, source, published_on)
     values ($1, $2, $3::box, $4, $5, 'Test', '2026-01-31') returning id`,
    [
      5000 + (next() % 4_000),
      JSON.stringify({ type: 'Polygon', coordinates: [ring] }),
      `((${west},${south}),(${west + 0.01},${south + 0.01}))`,
      south + 0.002,
      west + 0.007,
    ],
  )
  await shop.catalogue.reload()
  return id
}

/** A user with a new phone; a customer by default. */
export async function makeUser(
  shop: TestShop,
  {
    role = 'customer',
    vendorId,
    // Never ends in 9990 to 9994, which the simulator treats differently.
    phone = `+97339${10_000 + next()}5`,
    name,
  }: { role?: Role; vendorId?: number; phone?: string; name?: string } = {},
) {
  const id = await idOf(
    shop,
    `insert into users (phone, role, vendor_id, name, is_verified) values ($1, $2, $3, $4, true) returning id`,
    [phone, role, vendorId ?? null, name ?? null],
  )
  return { id, phone }
}

/** A signed-in user. */
export async function makeVisitor(shop: TestShop, wishes: { role?: Role; vendorId?: number } = {}) {
  const { id, phone } = await makeUser(shop, wishes)
  return Object.assign(await shop.visitor().signInAs(phone), { id, phone })
}

export interface OrderInput {
  userId: number | null
  vendorId: number
  phone?: string
  status?: string
  assignedDriverId?: number | null
  /** The sales agent who took the order by phone. */
  placedBy?: number | null
}

/** The promised day of `makeOrder`. */
export const tomorrow = () => addDays(new Date().toISOString().slice(0, 10), 1)

/** An order of one carton of the vendor's first product, placed now. */
export async function makeOrder(
  shop: TestShop,
  { userId, vendorId, phone = '+97336000006', status = 'new', assignedDriverId = null, placedBy = null }: OrderInput,
): Promise<string> {
  const id = `M${String(next()).padStart(15, 'X')}`
  await shop.query(
    `insert into orders (id, user_id, vendor_id, vendor_name, status, customer_name, phone, address, lat, lng,
       subtotal, delivery_fee, product_vat, total, assigned_driver_id, promised_date, placed_by)
     select $1, $2, id, name, $4, 'Noura', $7, 'Seef', 26.2378, 50.5402, 1500, 500, 150, 2150, $5, current_date + 1, $6
     from vendors where id = $3`,
    [id, userId, vendorId, status, assignedDriverId, placedBy, phone],
  )
  await shop.query(
    `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
     select $1, id, name, size, 1500, 10, 1 from products where vendor_id = $2 and is_active order by id limit 1`,
    [id, vendorId],
  )
  return id
}

/** A vendor with two products, an area, and a customer with an address in it. */
export async function makeHousehold(shop: TestShop) {
  const vendor = await makeVendor(shop, { deliveryFee: 750, minDeliveryAmount: 3000 })
  const water = await makeProduct(shop, vendor, { price: 1505, vatPercentage: 10 })
  const gallon = await makeProduct(shop, vendor, { price: 900, vatPercentage: 0 })
  const { areaId, lat, lng } = await makeArea(shop, [vendor])
  const customer = await makeVisitor(shop)
  const body = {
    customerName: 'Maryam Ali',
    address: 'House 12, Road 34, Block 567',
    mapCoordinates: { lat, lng },
  }
  /** Fills the cart and places the order; returns its id. */
  async function order(quantity = 3) {
    await customer.call(addToCart, { body: { productId: water, quantity } })
    const { status, body: placed } = await customer.call(placeOrder, { body })
    if (status !== 200) throw new Error(`The order was refused: ${JSON.stringify(placed)}`)
    return placed.id
  }
  return { vendor, water, gallon, areaId, customer, body, order }
}
