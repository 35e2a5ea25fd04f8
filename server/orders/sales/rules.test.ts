import { type Fils, fils } from '@qatra/contract/lib/money'
import { noWater } from '@qatra/contract/products/water'
import type { ActorUser } from '@qatra/contract/users/actor'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredOffer } from '../../cart/queries.ts'
import { AppError } from '../../lib/errors.ts'
import { requireCoverage, requireLines, requireSensible, type SalesInputs } from './rules.ts'

function errorOf(work: () => unknown): AppError | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
/** Code of the error with the names of the refused fields; null without an error. */
function refusalOf(work: () => unknown): string | null {
  const error = errorOf(work)
  return error && [error.code, ...Object.keys(error.details.fields ?? {})].join(' ')
}

function contextOf(changes: Partial<ActorUser> = {}) {
  const user: ActorUser = {
    id: 7,
    phone: '+97336000007',
    name: null,
    role: 'vendor_sales',
    vendorId: 1,
    permissions: ['sales.place', 'sales.custom-price', 'sales.ignore-coverage'],
    language: 'en',
    isVerified: true,
    ...changes,
  }
  return { actor: { user, guestSession: null, impersonator: null, lang: 'en' as const } }
}
const agent = contextOf()
const superAdmin = contextOf({ role: 'super_admin', vendorId: null })
const without = (permission: string) =>
  contextOf({ permissions: agent.actor.user.permissions.filter((held) => held !== permission) })

type Item = Parameters<typeof requireLines>[2]['items'][number]
const item = (productId: number, changes: Partial<Item> = {}): Item => ({ productId, quantity: 1, ...changes })

describe('the input of a sales order', () => {
  type Input = Parameters<typeof requireSensible>[1]
  const input = (changes: Partial<Input> = {}): Input => ({ items: [item(1)], ignoreCoverage: false, ...changes })
  const overridden = { ignoreCoverage: true, reason: 'Agreed by phone' }

  it.each<[string, typeof agent, Input, string | null]>([
    ['one line', agent, input(), null],
    ['the own vendor', agent, input({ vendorId: 1 }), null],
    ['another vendor', agent, input({ vendorId: 2, items: [] }), 'FORBIDDEN'],
    ['any vendor for a super admin', superAdmin, input({ vendorId: 2 }), null],
    ['no lines', agent, input({ items: [], ignoreCoverage: true }), 'ORDER_EMPTY items'],
    ['an agreed price', agent, input({ items: [item(1, { customPrice: 0 })] }), null],
    [
      'an agreed price of 0 without its permission',
      without('sales.custom-price'),
      input({ items: [item(1), item(2, { customPrice: 0 })] }),
      'FORBIDDEN',
    ],
    [
      'the stored price without the permission for another one',
      without('sales.custom-price'),
      input({ items: [item(1, { customPrice: null })] }),
      null,
    ],
    ['an override of the coverage', agent, input(overridden), null],
    ['an override without its permission', without('sales.ignore-coverage'), input(overridden), 'FORBIDDEN'],
    ['an override without a reason', agent, input({ ignoreCoverage: true }), 'INVALID_BODY reason'],
    ['an override with an empty reason', agent, input({ ignoreCoverage: true, reason: '' }), 'INVALID_BODY reason'],
    [
      'a product in several lines',
      agent,
      input({ items: [item(1), item(2), item(1), item(1)] }),
      'INVALID_BODY items.2.productId items.3.productId',
    ],
  ])('is checked with %s', (_, context, given, refusal) => {
    expect(refusalOf(() => requireSensible(context, given))).toBe(refusal)
  })
})

const stored = new Date('2026-03-01T12:00:00Z')
const offer = (id: number, changes: Partial<StoredOffer> = {}): StoredOffer => ({
  ...noWater,
  id,
  vendorId: 1,
  name: `Water ${id}`,
  nameAr: null,
  size: '19 L',
  price: fils(2_000),
  imageUrl: null,
  vatPercentage: 10,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
  bottleTypeId: null,
  bottleTerms: null,
  isAvailable: true,
  isActive: true,
  isVendorActive: true,
  deletedAt: null,
  version: 1,
  createdAt: stored,
  updatedAt: stored,
  ...changes,
})

describe('the lines of a sales order', () => {
  const lines = (items: Item[], inputs: Partial<SalesInputs> = {}, context = agent, vendorId?: number) =>
    requireLines(context, { offers: [offer(1), offer(2)], floors: [], free: {}, ...inputs }, { items, vendorId })
  const mixed = { offers: [offer(1), offer(2, { vendorId: 2 }), offer(3, { isAvailable: false })] }

  it.each<[string, () => unknown, string | null]>([
    ['two products of the vendor', () => lines([item(1), item(2)]), null],
    ['unknown products', () => lines([item(9), item(1), item(8)]), 'INVALID_BODY items.0.productId items.2.productId'],
    ['another vendor’s product', () => lines([item(1), item(2)], mixed), 'VENDOR_MISMATCH items.1.productId'],
    ['only another vendor’s product', () => lines([item(2)], mixed), 'VENDOR_MISMATCH items.0.productId'],
    ['an unavailable product', () => lines([item(1), item(3)], mixed), 'PRODUCT_UNAVAILABLE'],
    ['another vendor for an agent', () => lines([item(2)], mixed, agent, 2), 'FORBIDDEN'],
    ['another vendor for a super admin', () => lines([item(2)], mixed, superAdmin, 2), null],
    [
      'a vendor that does not offer the product',
      () => lines([item(1)], mixed, superAdmin, 2),
      'VENDOR_MISMATCH items.0.productId',
    ],
    [
      'two vendors for a super admin',
      () => lines([item(2), item(1)], mixed, superAdmin),
      'VENDOR_MISMATCH items.1.productId',
    ],
  ])('are checked: %s', (_, work, refusal) => {
    expect(refusalOf(work)).toBe(refusal)
  })

  it('belong to the vendor of the first line for a super admin', () => {
    expect(lines([item(2)], mixed, superAdmin).vendorId).toBe(2)
  })

  it('have the stored price, or the agreed one with the list price and the reason', () => {
    const items = [
      item(1, { customPrice: 1.5, reason: 'Ten gallons a week' }),
      item(2, { customPrice: 2, reason: 'x' }),
    ]
    expect(lines(items).lines).toMatchObject([
      { productId: 1, price: 1_500, listPrice: 2_000, priceReason: 'Ten gallons a week' },
      { productId: 2, price: 2_000 },
    ])
    expect(lines(items).lines[1]).not.toHaveProperty('listPrice')
  })

  it('below the floor are refused with the lowest price of each', () => {
    const floors = [{ vendorId: 1, percent: 80 }]
    const items = [item(1, { customPrice: 1.599 }), item(2, { customPrice: 1.6 })]
    const error = errorOf(() => lines(items, { floors }))
    expect([error?.code, error?.details]).toEqual([
      'PRICE_BELOW_FLOOR',
      {
        fields: { 'items.0.customPrice': expect.stringContaining('1.600') },
        products: [{ id: 1, name: 'Water 1', nameAr: null, floorPrice: 1.6 }],
      },
    ])
  })

  it('ignore the floor of another vendor', () => {
    const floors = [{ vendorId: 2, percent: 80 }]
    expect(refusalOf(() => lines([item(1, { customPrice: 0 })], { floors }))).toBeNull()
  })

  const money = fc.integer({ min: 0, max: 1_000_000 }).map((n): Fils => fils(n))

  it('are refused exactly below the floor, which is rounded half up to the fils', () => {
    fc.assert(
      fc.property(money, money, fc.integer({ min: 0, max: 100 }), (price, agreed, percent) => {
        const inputs = { offers: [offer(1, { price })], floors: [{ vendorId: 1, percent }] }
        const refusal = refusalOf(() => lines([item(1, { customPrice: agreed / 1000 })], inputs))
        // The floor in hundredths of a fils; half a fils is 50.
        const isBelow = agreed * 100 + 50 <= price * percent
        expect(refusal).toBe(isBelow ? 'PRICE_BELOW_FLOOR items.0.customPrice' : null)
      }),
    )
  })
})

describe('the area of a point', () => {
  const corners: [number, number][] = [
    [50.5, 26.2],
    [50.6, 26.2],
    [50.6, 26.3],
    [50.5, 26.3],
    [50.5, 26.2],
  ]
  const area = {
    id: 5,
    areaId: 'seef',
    name: 'Seef',
    nameAr: 'السيف',
    geometry: { type: 'Polygon' as const, coordinates: [corners] },
    centre: { lat: 26.25, lng: 50.55 },
  }
  const vendor = (id: number, areaIds: number[]) => ({
    id,
    name: `Vendor ${id}`,
    nameAr: null,
    isActive: true,
    areaIds: new Set(areaIds),
  })
  const [serving, other] = [vendor(1, [5]), vendor(2, [])]
  const catalogue = {
    areas: new Map([[5, area]]),
    vendors: new Map([
      [1, serving],
      [2, other],
    ]),
  }
  const [inside, outside, unset] = [area.centre, { lat: 25.9, lng: 50.55 }, { lat: 0, lng: 0 }]

  it.each([
    ['of a served area is the area', serving, inside, false, 'Seef'],
    ['of an area that the vendor does not serve is refused', other, inside, false, 'VENDOR_DOES_NOT_DELIVER'],
    ['of an area that the vendor does not serve is the area if overridden', other, inside, true, 'Seef'],
    ['outside all areas is refused', serving, outside, false, 'OUTSIDE_SERVICE_AREA'],
    ['outside all areas is null if overridden', serving, outside, true, null],
    ['at 0, 0 is refused', serving, unset, false, 'ADDRESS_REQUIRED'],
    ['at 0, 0 is refused even if overridden', serving, unset, true, 'ADDRESS_REQUIRED'],
  ])('%s', (_, by, mapCoordinates, ignoreCoverage, result) => {
    let name: string | null = null
    const refusal = refusalOf(() => {
      name = requireCoverage(catalogue, by, { mapCoordinates, ignoreCoverage })?.name ?? null
    })
    expect(refusal ?? name).toBe(result)
  })
})
