import { bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { promisedSlot } from '@qatra/contract/calendar/slot'
import type { AddressParts } from '@qatra/contract/users/auth'
import { areas } from '../../server/areas/bahrain/areas.ts'
import { publicHolidays } from '../../server/seed/calendar.ts'
import { demoBlock } from './demo-block.ts'
import { type MorningLine, morningLines } from './morning-lines.ts'
import type { SeedPerson } from './people.ts'
import type { SeedProduct } from './products.ts'
import type { SeedOrder } from './seed-order.ts'
import { placedNear, placementOf } from './todays-run.ts'

type Step = SeedOrder['changes'][number]

const minute = 60_000
/** Start and length of the morning's work, in minutes. */
const BEGINS = 6 * 60 + 30
const LASTS = 5.5 * 60

const goods: Record<string, [kind: string, size: SeedProduct['size']]> = {
  g: ['gallon', '5 gallon'],
  t: ['water', '200ml'],
  s: ['water', '330ml'],
  m: ['water', '500ml'],
  l: ['water', '1.5L'],
  w: ['low sodium', '500ml'],
  a: ['alkaline', '500ml'],
  k: ['kids', '200ml'],
  z: ['sparkling', '330ml'],
}
const brands = { 1: 'Hayrat', 2: 'Ghaima' }

const phoneOf = (i: number) => `+97336100${String(i + 1).padStart(3, '0')}`

/** Invented customers: each ordered once. */
export const morningCustomers: readonly SeedPerson[] = morningLines.map(({ name }, i) => ({
  phone: phoneOf(i),
  name,
  role: 'customer',
  vendorId: null,
  address: null,
}))

/** Today's orders of the first two vendors, with the work done on them by now. Deterministic per instant. */
export function morningOrders(products: readonly SeedProduct[], now: Date): SeedOrder[] {
  const today = bahrainDate(now)
  const dayOfOrders = bahrainDate(placementOf(today).begin)
  return morningLines.map((line, i) => {
    const placedAt = placedBefore(now, line.isToday ? today : dayOfOrders, line.time)
    const promised = promisedSlot({ at: placedAt, holidays, closures: new Set(), cutOff: null }).date
    const area = areas.find(({ areaId }) => areaId === line.areaId)
    const block = demoBlock(line.areaId, i)
    const parts = { block, road: `${block}${(i * 7) % 10}`, building: String(12 + ((i * 137) % 900)), flat: '' }
    return {
      customerPhone: phoneOf(i),
      vendorId: line.vendorId,
      address: addressOf(line, parts),
      addressParts: parts,
      coordinates: placedNear(area?.centre, i),
      areaId: line.areaId,
      instructions: line.instructions ?? '',
      items: line.items.split(' ').map((text) => itemOf(products, line.vendorId, text)),
      placedAt,
      promisedDate: promised,
      ...(line.agent && { agentPhone: line.agent }),
      ...changesOf(line, placedAt, { now, spread: (i * 29) % 100 }),
    }
  })
}

const holidays = new Set(publicHolidays.map(({ day }) => day))

/** Orders with a time in the future are placed a day earlier. */
function placedBefore(now: Date, day: string, time: string): Date {
  const at = startOfBahrainDay(day).getTime() + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * minute
  return new Date(at < now.getTime() - 5 * minute ? at : at - 24 * 60 * minute)
}

function addressOf({ name, areaId }: MorningLine, { block, road, building }: AddressParts) {
  const { name: en = '', nameAr = '' } = areas.find((one) => one.areaId === areaId) ?? {}
  return /[A-Za-z]/.test(name)
    ? `Block ${block}, Road ${road}, House ${building}, ${en}`
    : `مجمع ${block}، طريق ${road}، منزل ${building}، ${nameAr}`
}

function itemOf(products: readonly SeedProduct[], vendorId: 1 | 2, text: string) {
  const [, letter = '', quantity, newBottles = 0] = /^([a-z])(\d+)(?:n(\d+))?$/.exec(text) ?? []
  const [kind, size] = goods[letter] ?? []
  const found = products.find(
    (p) => p.vendorId === vendorId && p.size === size && p.name === `${brands[vendorId]} ${kind}`,
  )
  if (!found) throw new Error(`No product of vendor ${vendorId} for ${text}`)
  return { productId: found.id, quantity: Number(quantity), newBottles: Number(newBottles) }
}

/** All changes of an order until now, in order. */
function changesOf(
  line: MorningLine,
  placedAt: Date,
  { now, spread }: { now: Date; spread: number },
): Pick<SeedOrder, 'status' | 'changes'> & Partial<SeedOrder> {
  const { status, driver, note, paidBy, isAttempted, cancelled } = line
  const usual = startOfBahrainDay(bahrainDate(now)).getTime() + BEGINS * minute
  // If it is earlier than the end of the morning, the work is moved to the hours before now.
  const begins = Math.max(placedAt.getTime() + minute, Math.min(usual, now.getTime() - LASTS * minute))
  const lasts = Math.min(LASTS * minute, now.getTime() - begins - minute)
  const at = (share: number) => new Date(begins + lasts * share)
  const work = { driverPhone: driver, notes: note ? [{ at: at(0.08 + spread / 2_000), text: note }] : [] }
  if (status === 'new') return { ...work, status, changes: [] }
  if (cancelled) {
    const { by, reason } = cancelled
    const closed = by === 'customer' ? new Date(placedAt.getTime() + 24 * minute) : at(0.2)
    return { ...work, status, cancelledBy: by, changes: [{ status, at: closed, notes: reason }] }
  }
  const began: Step = { status: 'in-progress', at: at(0.02 + spread / 2_000) }
  const assignedAt = driver ? at(0.1 + spread / 2_000) : null
  if (status === 'in-progress') return { ...work, assignedAt, status, changes: [began] }
  const left: Step = { status: 'shipped', at: at(0.2 + spread / 2_000) }
  const attempt: Pick<SeedOrder, 'attempt'> = isAttempted ? { attempt: { at: at(0.5), reason: 'absent' } } : {}
  if (status === 'shipped') return { ...work, ...attempt, assignedAt, status, changes: [began, left] }
  const arrived: Step = { status, at: at(0.35 + spread / 160) }
  return { ...work, assignedAt, status, changes: [began, left, arrived], ...(paidBy && { paidBy }) }
}
