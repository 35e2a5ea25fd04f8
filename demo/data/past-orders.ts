import { addDays, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { promisedSlot } from '@qatra/contract/calendar/slot'
import { publicHolidays } from '../../server/seed/calendar.ts'
import { customerAddress, customerPhone } from './people.ts'
import type { SeedProduct } from './products.ts'
import type { SeedOrder } from './seed-order.ts'
import { vendors } from './vendors.ts'

interface Habit {
  /** Minimum days before today; an order that would not be delivered yet is placed earlier. */
  daysAgo: number
  time: string
  vendorId: number
  items: [name: string, size: SeedProduct['size'], quantity: number, newBottles?: number][]
  isCancelled?: true
}

const habits: Habit[] = [
  {
    daysAgo: 62,
    time: '20:14',
    vendorId: 1,
    items: [
      ['Hayrat gallon', '5 gallon', 4, 4],
      ['Hayrat water', '330ml', 2],
    ],
  },
  {
    daysAgo: 55,
    time: '08:32',
    vendorId: 1,
    items: [
      ['Hayrat gallon', '5 gallon', 4],
      ['Hayrat water', '1.5L', 2],
    ],
  },
  {
    daysAgo: 48,
    time: '21:47',
    vendorId: 1,
    items: [
      ['Hayrat water', '200ml', 2],
      ['Hayrat water', '500ml', 2],
    ],
  },
  {
    daysAgo: 41,
    time: '13:05',
    vendorId: 2,
    items: [
      ['Ghaima water', '1.5L', 3],
      ['Ghaima sparkling', '330ml', 1],
    ],
  },
  {
    daysAgo: 34,
    time: '19:21',
    vendorId: 1,
    items: [
      ['Hayrat gallon', '5 gallon', 5, 1],
      ['Hayrat kids', '200ml', 1],
    ],
  },
  { daysAgo: 27, time: '10:58', vendorId: 1, items: [['Hayrat water', '330ml', 4]], isCancelled: true },
  {
    daysAgo: 26,
    time: '18:40',
    vendorId: 1,
    items: [
      ['Hayrat gallon', '5 gallon', 4],
      ['Hayrat water', '330ml', 2],
    ],
  },
  {
    daysAgo: 19,
    time: '07:51',
    vendorId: 3,
    items: [
      ['Fayd gallon', '5 gallon', 3, 3],
      ['Fayd water', '330ml', 1],
    ],
  },
  {
    daysAgo: 12,
    time: '22:06',
    vendorId: 1,
    items: [
      ['Hayrat water', '500ml', 2],
      ['Hayrat sparkling', '330ml', 1],
    ],
  },
  {
    daysAgo: 5,
    time: '20:33',
    vendorId: 1,
    items: [
      ['Hayrat water', '330ml', 3],
      ['Hayrat gallon', '5 gallon', 2],
    ],
  },
]

const holidays = new Set(publicHolidays.map(({ day }) => day))
const minute = 60_000

/**
 * Orders of the demo customer in the nine weeks before `today` (a Bahrain date), oldest first. Deterministic per day.
 */
export function pastOrders(products: readonly SeedProduct[], today: string): SeedOrder[] {
  return habits.map((habit) => {
    const items = habit.items.map(([name, size, quantity, newBottles = 0]) => ({
      productId: idOf(products, habit.vendorId, name, size),
      quantity,
      newBottles,
    }))
    const { placedAt, promised } = placementOf(habit, today)
    return {
      ...customerAddress,
      customerPhone,
      vendorId: habit.vendorId,
      items,
      placedAt,
      promisedDate: promised,
      status: habit.isCancelled ? 'cancelled' : 'delivered',
      changes: habit.isCancelled
        ? [{ status: 'cancelled', at: new Date(placedAt.getTime() + 18 * minute) }]
        : deliveryOf(habit, placedAt, promised),
      ...(habit.isCancelled ? {} : { handedOverAt: at(promised, '17:00') }),
    }
  })
}

/** Throws if the product does not exist. */
function idOf(products: readonly SeedProduct[], vendorId: number, name: string, size: string) {
  const found = products.find((p) => p.vendorId === vendorId && p.name === name && p.size === size)
  if (!found) throw new Error(`No product ${name} of ${size} to have been ordered`)
  return found.id
}

function placementOf({ daysAgo, time, vendorId }: Habit, today: string) {
  const cutOff = vendors.find((vendor) => vendor.id === vendorId)?.cutOff ?? null
  for (let day = addDays(today, -daysAgo); ; day = addDays(day, -1)) {
    const placedAt = at(day, time)
    const promised = promisedSlot({ at: placedAt, holidays, closures: new Set(), cutOff }).date
    if (promised < today) return { placedAt, promised }
  }
}

function deliveryOf({ daysAgo }: Habit, placedAt: Date, promised: string): SeedOrder['changes'] {
  const shipped = at(promised, '07:30').getTime()
  return [
    { status: 'in-progress', at: new Date(placedAt.getTime() + 71 * minute) },
    { status: 'shipped', at: new Date(shipped) },
    // Between 08:15 and shortly after 14:00, varying by day.
    { status: 'delivered', at: new Date(shipped + (45 + ((daysAgo * 37) % 360)) * minute) },
  ]
}

/** `time` is HH:MM in Bahrain. */
function at(day: string, time: string) {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return new Date(startOfBahrainDay(day).getTime() + minutes * minute)
}
