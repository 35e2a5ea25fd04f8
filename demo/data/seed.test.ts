import { addDays, bahrainDate, weekdayOf } from '@qatra/contract/calendar/calendar'
import { fold } from '@qatra/contract/lib/text'
import { blockDoubt } from '@qatra/contract/places/block-hundreds'
import { isChosen, isInBahrainBox } from '@qatra/contract/places/geo'
import { land } from '@qatra/contract/places/places'
import { presetSizes, sizeKey } from '@qatra/contract/products/sizes'
import { emblems } from '@qatra/contract/vendors/emblems'
import { describe, expect, it } from 'vitest'
import { areas } from '../../server/areas/bahrain/areas.ts'
import { isInGeometry } from '../../server/areas/bahrain/rings.ts'
import { gazetteer } from '../../server/geocoding/places.ts'
import { publicHolidays } from '../../server/seed/calendar.ts'
import { morningOrders } from './morning.ts'
import { pastOrders } from './past-orders.ts'
import { customerAddress, customerPhone, people } from './people.ts'
import { products } from './products.ts'
import { todaysRun } from './todays-run.ts'
import { vendors } from './vendors.ts'

const arabic = /\p{Script=Arabic}/u
const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length
const isFils = (bhd: number) => Math.round(bhd * 1000) / 1000 === bhd
const isUnlikely = (block: string, areaCode: string) => blockDoubt(block, { areaCode, pinBlock: null }) !== null
const areaCodes = new Set(areas.map(({ areaId }) => areaId))

/** WCAG contrast of a colour with white. */
function contrastWithWhite(colour: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((i) => Number.parseInt(colour.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

describe('the vendors', () => {
  it('are at least eight, with consecutive ids and unique names, tints and emblems', () => {
    expect(vendors.length).toBeGreaterThanOrEqual(8)
    expect(vendors.map(({ id }) => id)).toEqual(vendors.map((_, i) => i + 1))
    for (const key of ['name', 'nameAr', 'tint', 'emblem', 'contactNumber', 'crNumber', 'vatNumber'] as const)
      expect(isUnique(vendors.map((vendor) => vendor[key]))).toBe(true)
    for (const vendor of vendors) {
      expect(arabic.test(vendor.nameAr) && arabic.test(vendor.descriptionAr)).toBe(true)
      expect(arabic.test(vendor.name + vendor.description)).toBe(false)
      expect(emblems).toContain(vendor.emblem)
      expect(vendor.tint).toMatch(/^#[0-9a-f]{6}$/)
      expect(contrastWithWhite(vendor.tint)).toBeGreaterThanOrEqual(3)
      expect(vendor.contactNumber).toMatch(/^\+97336001\d{3}$/)
      expect(vendor.whatsappLink).toBe(`https://wa.me/${vendor.contactNumber.slice(1)}`)
      expect(vendor.vatNumber).toMatch(/^\d{15}$/)
    }
  })

  it('use every emblem', () => {
    expect(new Set(vendors.map(({ emblem }) => emblem))).toEqual(new Set(emblems))
  })

  it('differ in fee, minimum and areas, and one has a cut-off', () => {
    expect(new Set(vendors.map(({ deliveryFee }) => deliveryFee)).size).toBeGreaterThanOrEqual(5)
    expect(new Set(vendors.map(({ minDeliveryAmount }) => minDeliveryAmount)).size).toBeGreaterThanOrEqual(5)
    expect(isUnique(vendors.map((vendor) => [...vendor.areas].sort().join()))).toBe(true)
    expect(vendors.every((v) => isFils(v.deliveryFee) && isFils(v.minDeliveryAmount))).toBe(true)
    expect(vendors.filter(({ cutOff }) => cutOff !== null).map(({ cutOff }) => cutOff)).toEqual(['14:00'])
  })

  it('serve 1 to 100 known areas, each once; the first serves all of them for at most 5 BHD', () => {
    for (const vendor of vendors) {
      expect(vendor.areas.length).toBeGreaterThanOrEqual(1)
      expect(vendor.areas.length).toBeLessThanOrEqual(100)
      expect(isUnique(vendor.areas)).toBe(true)
      expect(vendor.areas.filter((code) => !areaCodes.has(code))).toEqual([])
    }
    expect(new Set(vendors[0]?.areas)).toEqual(areaCodes)
    expect(vendors[0]).toMatchObject({ id: 1, name: 'Hayrat', deliveryFee: 0 })
    expect(vendors[0]?.minDeliveryAmount).toBeLessThanOrEqual(5)
  })
})

describe('the products', () => {
  it('have consecutive ids and unique names and volumes per vendor', () => {
    expect(products.map(({ id }) => id)).toEqual(products.map((_, i) => i + 1))
    expect(isUnique(products.map((p) => `${p.vendorId} ${fold(p.name)} ${sizeKey(p.size)}`))).toBe(true)
    expect(isUnique(products.map((p) => `${p.vendorId} ${fold(p.nameAr)} ${sizeKey(p.size)}`))).toBe(true)
  })

  it.each(vendors.map((vendor) => [vendor.name, vendor.id] as const))('of %s are 8 to 14 in all sizes', (_, id) => {
    const own = products.filter(({ vendorId }) => vendorId === id)
    expect(own.length).toBeGreaterThanOrEqual(8)
    expect(own.length).toBeLessThanOrEqual(14)
    expect(new Set(own.map(({ size }) => size))).toEqual(new Set(presetSizes))
  })

  it('have plausible prices, units and texts in both languages', () => {
    for (const product of products) {
      expect(product.price).toBeGreaterThanOrEqual(0.35)
      expect(product.price).toBeLessThanOrEqual(4.5)
      expect(isFils(product.price)).toBe(true)
      expect(product.unitsPerInventoryUnit).toBeGreaterThanOrEqual(1)
      for (const key of ['nameAr', 'descriptionAr', 'inventoryUnitAr'] as const) expect(product[key]).toMatch(arabic)
      expect(product.name + product.description + product.inventoryUnit).not.toMatch(arabic)
    }
    expect(products.some(({ vatPercentage }) => vatPercentage === 10)).toBe(true)
    expect(products.filter(({ name }) => /sparkling|lemon|mint/.test(name)).every((p) => p.vatPercentage === 10)).toBe(
      true,
    )
  })
})

describe('the bottles of the gallons', () => {
  it('come back for a deposit at every vendor that keeps account of them, and one vendor sells bottles, too', () => {
    const gallons = products.filter(({ size }) => size === '5 gallon')
    for (const { id, bottleDeposit } of vendors) {
      const own = gallons.filter(({ vendorId }) => vendorId === id)
      expect(own.some(({ bottleTerms }) => bottleTerms === 'exchange')).toBe(bottleDeposit !== null)
      expect(own.every(({ bottleTerms }) => (bottleTerms === null) === (bottleDeposit === null))).toBe(true)
    }
    expect(vendors.some(({ bottleDeposit }) => bottleDeposit === null)).toBe(true)
    expect(products.filter(({ bottleTerms }) => bottleTerms === 'sold')).toHaveLength(1)
    expect(products.filter(({ bottleTerms, size }) => bottleTerms !== null && size !== '5 gallon')).toEqual([])
  })
})

describe('the public holidays', () => {
  it('have every day once, with both names, and mark the fixed ones as certain', () => {
    expect(isUnique(publicHolidays.map(({ day }) => day))).toBe(true)
    expect(publicHolidays.length).toBe(3 * 15)
    expect(publicHolidays.every(({ name, nameAr }) => !arabic.test(name) && arabic.test(nameAr))).toBe(true)
    const certain = publicHolidays.filter(({ isEstimated }) => !isEstimated).map(({ day }) => day)
    const days = ['01-01', '05-01', '12-16', '12-17']
    expect(certain).toEqual(['2026', '2027', '2028'].flatMap((year) => days.map((day) => `${year}-${day}`)))
  })

  it('have the Hijri holidays on the days of the Umm al-Qura calendar', () => {
    const hijri = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
      day: 'numeric',
      month: 'numeric',
      timeZone: 'UTC',
    })
    const names = new Map([
      ...['10/1', '10/2', '10/3'].map((day) => [day, 'Eid al-Fitr'] as const),
      ...['12/10', '12/11', '12/12'].map((day) => [day, 'Eid al-Adha'] as const),
      ...['1/9', '1/10'].map((day) => [day, 'Ashura'] as const),
      ['12/9', 'Arafat Day'],
      ['1/1', 'Islamic New Year'],
      ['3/12', "The Prophet's Birthday"],
    ])
    const expected: string[] = []
    for (let day = '2026-01-01'; day < '2029-01-01'; day = addDays(day, 1)) {
      const parts = hijri.formatToParts(new Date(day))
      const part = (type: string) => parts.find((p) => p.type === type)?.value ?? ''
      const name = names.get(`${part('month')}/${part('day')}`)
      if (name) expected.push(`${day} ${name}`)
    }
    const estimated = publicHolidays.filter(({ isEstimated }) => isEstimated).map(({ day, name }) => `${day} ${name}`)
    expect(estimated).toEqual(expected)
  })
})

describe('the demo people', () => {
  it('have the roles that are published with their numbers', () => {
    const published = people.slice(0, 7).map(({ phone, role, vendorId }) => [phone, role, vendorId])
    expect(published).toEqual([
      ['+97336000001', 'super_admin', null],
      ['+97336000002', 'vendor_admin', 1],
      ['+97336000003', 'vendor_staff', 1],
      ['+97336000004', 'vendor_sales', 1],
      ['+97336000005', 'driver', 1],
      ['+97336000006', 'customer', null],
      ['+97336000012', 'vendor_admin', 2],
    ])
    expect(isUnique(people.map(({ phone }) => phone))).toBe(true)
    expect(people.every(({ phone, name }) => /^\+973360000\d\d$/.test(phone) && arabic.test(name))).toBe(true)
    expect(people.filter(({ role }) => role !== 'customer' && role !== 'super_admin').every((p) => p.vendorId)).toBe(
      true,
    )
  })

  it('include a customer with an address in Seef', () => {
    expect(people.find(({ phone }) => phone === customerPhone)?.address).toBe(customerAddress)
    const { lat, lng } = customerAddress.coordinates
    const home = areas.find((area) => isInGeometry([lng, lat], area.geometry))
    expect(home?.areaId).toBe('seef')
    expect(isUnlikely(customerAddress.addressParts.block ?? '', 'seef')).toBe(false)
    expect(isChosen(customerAddress.coordinates)).toBe(true)
  })
})

describe('the past orders', () => {
  const days = Array.from({ length: 800 }, (_, i) => addDays('2026-01-05', i))
  const holidays = new Set(publicHolidays.map(({ day }) => day))

  it('are the same for the same date', () => {
    expect(pastOrders(products, '2026-11-19')).toEqual(pastOrders(products, '2026-11-19'))
  })

  it('are eight to ten: one cancelled, some of other vendors, the last delivered by the first vendor', () => {
    const orders = pastOrders(products, '2026-11-19')
    expect(orders.length).toBeGreaterThanOrEqual(8)
    expect(orders.length).toBeLessThanOrEqual(10)
    expect(orders.filter(({ status }) => status === 'cancelled').length).toBe(1)
    expect(new Set(orders.map(({ vendorId }) => vendorId)).size).toBeGreaterThanOrEqual(2)
    expect(orders.at(-1)).toMatchObject({ status: 'delivered', vendorId: 1 })
    expect(isUnique(orders.map(({ placedAt }) => bahrainDate(placedAt)))).toBe(true)
  })

  it('satisfy the rules of placing: one vendor, an area it serves, its minimum', () => {
    for (const order of pastOrders(products, '2026-11-19')) {
      const vendor = vendors.find(({ id }) => id === order.vendorId)
      const lines = order.items.map(({ productId, quantity }) => {
        const product = products.find(({ id }) => id === productId)
        expect(product?.vendorId).toBe(order.vendorId)
        return Math.round((product?.price ?? 0) * 1000) * quantity
      })
      expect(lines.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual((vendor?.minDeliveryAmount ?? 0) * 1000)
      expect(vendor?.areas).toContain(order.areaId)
    }
  })

  it('are in order, before today, promised and delivered on working days, for any date of today', () => {
    for (const today of days) {
      const orders = pastOrders(products, today)
      expect(orders.every((order, i) => i === 0 || order.placedAt > (orders[i - 1]?.placedAt ?? 0))).toBe(true)
      for (const { placedAt, promisedDate, status, changes } of orders) {
        expect(bahrainDate(placedAt) < promisedDate && promisedDate < today).toBe(true)
        expect(weekdayOf(promisedDate) !== 5 && !holidays.has(promisedDate)).toBe(true)
        expect(changes.at(-1)?.status).toBe(status)
        expect(changes.every((change, i) => change.at > (changes[i - 1]?.at ?? placedAt))).toBe(true)
        const isOnTime = bahrainDate(changes.at(-1)?.at ?? placedAt) === promisedDate
        expect(status === 'cancelled' || isOnTime).toBe(true)
      }
    }
  })
})

describe('the seeded gazetteer', () => {
  const of = (kind: string) => gazetteer.filter((place) => place.kind === kind)

  it('contains every area and 40 to 80 landmarks once, in both languages, and no block', () => {
    expect(of('area').length).toBe(areas.length)
    expect(of('landmark').length).toBeGreaterThanOrEqual(40)
    expect(of('landmark').length).toBeLessThanOrEqual(80)
    expect(of('area').length + of('landmark').length).toBe(gazetteer.length)
    for (const kind of ['area', 'landmark'])
      for (const key of ['name', 'nameAr'] as const) expect(isUnique(of(kind).map((place) => place[key]))).toBe(true)
    expect(gazetteer.every(({ name, nameAr }) => !arabic.test(name) && arabic.test(nameAr))).toBe(true)
    expect(gazetteer.every(({ name, nameAr, block }) => block === null && !/\d{3}/.test(name + nameAr))).toBe(true)
  })

  it('places them on land', () => {
    for (const { lat, lng, name } of gazetteer) {
      expect(isInBahrainBox({ lat, lng })).toBe(true)
      expect(isInGeometry([lng, lat], land), name).toBe(true)
    }
  })
})

describe('seeded open orders of drivers', () => {
  it.each(['2026-11-21', '2026-11-20', '2026-12-16', '2026-11-19'])(
    'of %s are promised for the next day of delivery',
    (day) => {
      const now = new Date(`${day}T06:00:00+03:00`)
      const run = todaysRun(products, now)
      const [first] = run
      expect(run.map(({ driverPhone }) => driverPhone)).toContain('+97336000005')
      for (const { promisedDate: promised, placedAt, coordinates, areaId, addressParts, changes } of run) {
        expect(promised >= day).toBe(true)
        expect(promised).toBe(first?.promisedDate)
        expect(new Date(`${promised}T00:00:00Z`).getUTCDay()).not.toBe(5)
        expect(placedAt < now && changes.every(({ at }) => at < now)).toBe(true)
        const area = areas.find((one) => isInGeometry([coordinates.lng, coordinates.lat], one.geometry))
        expect(area?.areaId).toBe(areaId)
        expect(isUnlikely(addressParts.block ?? '', areaId)).toBe(false)
      }
    },
  )
})

describe("seeded orders of the first vendor's current day", () => {
  const at = (text: string) => new Date(`2026-11-${text}:00+03:00`)

  it.each(['21T12:00', '21T08:30', '21T00:40', '20T10:00', '22T23:30'])(
    'of %s are complete and lie in the past',
    (text) => {
      const now = at(text)
      const morning = morningOrders(products, now)
      expect(morningOrders(products, now)).toEqual(morning)
      for (const { placedAt, changes, assignedAt, notes = [], attempt, coordinates, areaId, ...order } of morning) {
        const moments = [assignedAt, ...notes.map((note) => note.at), attempt?.at].filter((one) => !!one)
        for (const moment of moments) expect(moment > placedAt && moment < now).toBe(true)
        const steps = [placedAt, ...changes.map((change) => change.at)]
        expect(steps.toSorted((a, b) => Number(a) - Number(b))).toEqual(steps)
        expect(steps.every((step) => step < now)).toBe(true)
        expect(changes.at(-1)?.status ?? 'new').toBe(order.status)
        const area = areas.find((one) => isInGeometry([coordinates.lng, coordinates.lat], one.geometry))
        expect(area?.areaId).toBe(areaId)
        const vendor = vendors.find(({ id }) => id === order.vendorId)
        expect(vendor?.areas).toContain(areaId)
        const sum = order.items.reduce((fils, { productId, quantity }) => {
          const product = products.find(({ id }) => id === productId)
          return fils + Math.round((product?.price ?? 0) * 1000) * quantity
        }, 0)
        expect(sum).toBeGreaterThanOrEqual((vendor?.minDeliveryAmount ?? 0) * 1000)
      }
    },
  )

  it('number about sixty, in every status, for three drivers', () => {
    const now = at('21T12:00')
    const own = [...todaysRun(products, now), ...morningOrders(products, now)].filter(({ vendorId }) => vendorId === 1)
    const forToday = own.filter(({ promisedDate: day }) => day === '2026-11-21')
    expect(forToday).toHaveLength(60)
    expect(new Set(forToday.map(({ status }) => status)).size).toBe(5)
    expect(new Set(own.map(({ driverPhone }) => driverPhone ?? null)).size).toBe(4)
    expect(new Set(own.map(({ customerPhone }) => customerPhone)).size).toBe(own.length)
  })
})
