import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { promisedSlot } from '@qatra/contract/calendar/slot'
import { areas } from '../../server/areas/bahrain/areas.ts'
import { publicHolidays } from '../../server/seed/calendar.ts'
import { demoBlock } from './demo-block.ts'
import type { SeedPerson } from './people.ts'
import type { SeedProduct } from './products.ts'
import type { SeedOrder } from './seed-order.ts'

type Item = [name: string, size: SeedProduct['size'], quantity: number]
interface Stop {
  name: string
  areaId: string
  road: string
  building: string
  instructions?: string
  items: Item[]
  driver: string
}

const [rashid, ali] = ['+97336000005', '+97336000013']
const gallons = (quantity: number): Item => ['Hayrat gallon', '5 gallon', quantity]
const small = (quantity: number): Item => ['Hayrat water', '330ml', quantity]
const large = (quantity: number): Item => ['Hayrat water', '1.5L', quantity]

const stops: Stop[] = [
  stop('مريم الكعبي', 'budaiya', '5518', '27', [small(3), gallons(2)], 'اتركوا الغالون عند باب المجلس.'),
  stop('زينب المرزوق', 'janabiya', '7505', '112', [large(4), small(4)]),
  stop('علي الحداد', 'saar', '2715', '458', [gallons(8)], 'الاتصال قبل الوصول بعشر دقائق.'),
  stop('هدى القصاب', 'jidhafs', '2547', '33', [gallons(4), small(1)]),
  stop('فاطمة السيد', 'janabiya', '7121', '86', [small(6), large(5)]),
  stop('عبدالله الذوادي', 'sanabis', '539', '1204', [gallons(3)]),
  stop('منى الحايكي', 'seef', '2825', '2011', [small(2), large(2)], 'الطابق الأرضي، مكتب الاستقبال.'),
  stop('إبراهيم النعيمي', 'saar', '2337', '904', [gallons(5), large(1)]),
  stop('ليلى العريض', 'adliya', '3821', '215', [gallons(4)], undefined, ali),
  stop('سلمان الجودر', 'muharraq', '1019', '67', [small(5)], undefined, ali),
  stop('نجلاء فخرو', 'juffair', '4033', '1390', [large(6)], 'موقف الزوار في الخلف.', ali),
]

function stop(
  name: string,
  areaId: string,
  road: string,
  building: string,
  items: Item[],
  instructions?: string,
  driver = rashid,
): Stop {
  return { name, areaId, road, building, items, driver, ...(instructions !== undefined && { instructions }) }
}

const phoneOf = (i: number) => `+973360000${i + 21}`

/** Invented customers along the route. */
export const runCustomers: readonly SeedPerson[] = stops.map((one, i) => ({
  phone: phoneOf(i),
  name: one.name,
  role: 'customer',
  vendorId: null,
  address: null,
}))

const holidays = new Set(publicHolidays.map(({ day }) => day))
const minute = 60_000

/** The latest evening whose orders are delivered today or on the next delivery day. */
export function placementOf(today: string) {
  for (let day = addDays(today, -1); ; day = addDays(day, -1)) {
    const begin = new Date(startOfBahrainDay(day).getTime() + 17 * 60 * minute)
    const promised = promisedSlot({ at: begin, holidays, closures: new Set(), cutOff: null }).date
    if (promised >= today) return { begin, promised }
  }
}

/** Orders in the drivers' cars, so that their pages show a morning's work. Deterministic per day. */
export function todaysRun(products: readonly SeedProduct[], now: Date): SeedOrder[] {
  const { begin, promised } = placementOf(bahrainDate(now))
  return stops.map((one, i) => {
    const area = areas.find(({ areaId }) => areaId === one.areaId)
    const block = demoBlock(one.areaId, i)
    const placedAt = new Date(begin.getTime() + i * 13 * minute)
    return {
      customerPhone: phoneOf(i),
      driverPhone: one.driver,
      vendorId: 1,
      address: `مجمع ${block}، طريق ${one.road}، منزل ${one.building}، ${area?.nameAr ?? ''}`,
      addressParts: { block, road: one.road, building: one.building, flat: '' },
      coordinates: placedNear(area?.centre, i),
      areaId: one.areaId,
      instructions: one.instructions ?? '',
      items: one.items.map(([name, size, quantity]) => ({ productId: idOf(products, name, size), quantity })),
      placedAt,
      promisedDate: promised,
      status: 'shipped' as const,
      changes: [
        { status: 'in-progress' as const, at: new Date(placedAt.getTime() + 4 * minute) },
        { status: 'shipped' as const, at: new Date(placedAt.getTime() + 5 * minute) },
      ],
    }
  })
}

/** Moves a point about eighty metres, so that neighbours differ; that is still within the area. */
export function placedNear(centre: { lat: number; lng: number } | undefined, i: number) {
  const [lat, lng] = [centre?.lat ?? 26.2, centre?.lng ?? 50.55]
  return { lat: lat + ((i % 3) - 1) * 0.0007, lng: lng + ((i % 2) - 0.5) * 0.0012 }
}

function idOf(products: readonly SeedProduct[], name: string, size: string) {
  const found = products.find((p) => p.vendorId === 1 && p.name === name && p.size === size)
  if (!found) throw new Error(`No product ${name} of ${size} to be on its way`)
  return found.id
}
