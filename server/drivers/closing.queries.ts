import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { bottleCounts, type CashClosing, type Equation } from '@qatra/contract/cash-closing'
import { type Lang, nameIn } from '@qatra/contract/lib/lang'
import { addFils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { listBottleTypes } from '../bottles/queries.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { ClosedDriverDay } from '../ledger/tables.ts'
import { AppError } from '../lib/errors.ts'
import { dayCell, moneyCell, type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { readVans } from '../orders/run/van.queries.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { meansColumns } from './corrections.queries.ts'
import { readDriverDays } from './days.queries.ts'
import { listDriversOfDay } from './drivers.queries.ts'
import { readEquation } from './equation.queries.ts'

const vendorSql = statement('closing-vendor', 'select id from vendors where id = $1')

/** The vendor whose day is closed. @throws VENDOR_NOT_FOUND if a super admin names none or an unknown one */
export async function requireVendorId(ctx: Ctx, requested: number | undefined): Promise<number> {
  const vendorId = vendorInReach(ctx.actor, requested ?? null)
  const [vendor] = vendorId === null ? [] : await run<{ id: number }>(ctx.db, vendorSql, [vendorId])
  if (!vendor) throw new AppError('VENDOR_NOT_FOUND')
  return vendor.id
}

const closedSql = statement(
  'closing-of-day',
  `select c.closed_at as at, u.name as by, c.driver_days as "driverDays",
     '{"withoutEntry": 0, "paidBeyond": 0, "paidBack": 0}' || c.equation || jsonb_build_object('inOfficeBy', (
     select coalesce(jsonb_agg(h.held || jsonb_build_object('name', p.name) order by h.place), '[]')
     from jsonb_array_elements(c.equation -> 'inOfficeBy') with ordinality h(held, place)
     left join users p on p.id = (h.held ->> 'id')::int
   )) as equation from cash_closings c left join users u on u.id = c.closed_by
   where c.vendor_id = $1 and c.day = $2 and c.reopened_at is null`,
)
const reopenedSql = statement(
  'closing-reopened',
  `select c.reopened_at as at, u.name as by, c.reopen_reason as reason
   from cash_closings c left join users u on u.id = c.reopened_by
   where c.vendor_id = $1 and c.day = $2 and c.reopened_at is not null order by c.reopened_at desc limit 1`,
)
const nameSql = statement('closing-vendor-name', 'select name, name_ar as "nameAr" from vendors where id = $1')
const openOrdersSql = statement(
  'closing-open-orders',
  `select count(*)::int as count from orders
   where vendor_id = $1 and promised_date = $2 and status in ('new', 'in-progress', 'shipped')`,
)
const handoversSql = statement(
  'closing-handovers',
  `select e.holder_id as "driverId", e.kind, e.notes, e.happened_at as at, u.name as by
   from ledger_entries e left join users u on u.id = e.created_by
   where e.ledger = 'money' and e.vendor_id = $1 and e.day = $2 and e.kind in ('handed-over', 'correction', 'written-off')
   order by e.happened_at, e.id`,
)

interface Handover {
  driverId: number
  kind: 'handed-over' | 'correction' | 'written-off'
  notes: string | null
  at: Date
  by: string | null
}

interface Closed {
  at: Date
  by: string | null
  equation: Equation | null
  driverDays: ClosedDriverDay[] | null
}

/** The drivers of the day; of a closed one as they were then. */
async function readDrivers(ctx: Ctx, vendorId: number, date: string, closed: readonly ClosedDriverDay[] | null) {
  const kept = new Map(closed?.map((one) => [one.id, one]))
  const people = await listDriversOfDay(ctx, { vendorId, day: date, others: [...kept.keys()] })
  const days = await readDriverDays(ctx, people, { date, vendorId, kept })
  if (!closed) return days
  const drivers = days.drivers.flatMap((day) => {
    const { stops, cash } = kept.get(day.driver.id) ?? {}
    return stops && cash ? [{ ...day, stops, cash: { ...cash, shortage: day.cash.shortage } }] : []
  })
  return { ...days, drivers }
}

export async function readClosing(ctx: Ctx, vendorId: number, date: string): Promise<CashClosing> {
  const [closed] = await run<Closed>(ctx.db, closedSql, [vendorId, date])
  const { drivers, today } = await readDrivers(ctx, vendorId, date, closed?.driverDays ?? null)
  const [[reopened], [vendor], [open], handovers, vans] = await Promise.all([
    run<{ at: Date; by: string | null; reason: string }>(ctx.db, reopenedSql, [vendorId, date]),
    run<{ name: string; nameAr: string | null }>(ctx.db, nameSql, [vendorId]),
    run<{ count: number }>(ctx.db, openOrdersSql, [vendorId, date]),
    run<Handover>(ctx.db, handoversSql, [vendorId, date]),
    readVans(ctx, { vendorId, day: date }),
  ])
  const bottles = vans.flatMap(({ typeId, counted, left, empties, countedBy: by, reason, ...van }) => {
    if (typeId === null) return []
    const { driverId, loaded, delivered, returned, difference } = van
    const expected = { full: Math.max(0, left ?? 0), empty: Math.max(0, empties) }
    const count = counted && { ...counted, by, reason }
    return [
      { driverId, typeId, loaded, delivered, returned, counted: count && count.empty, difference, expected, count },
    ]
  })
  const types = bottles.length === 0 ? [] : await listBottleTypes(ctx, vendorId)
  const total = (amountOf: (day: (typeof drivers)[number]) => number) =>
    toBhd(addFils(...drivers.map((day) => fromBhd(amountOf(day)))))
  const count = (countOf: (day: (typeof drivers)[number]) => number) =>
    drivers.reduce((sum, day) => sum + countOf(day), 0)
  const difference = total(({ cash }) => cash.difference ?? 0)
  const isCounted = drivers.every(({ cash }) => cash.difference !== null || (cash.collected === 0 && cash.inHand === 0))
  return {
    vendorId,
    date,
    today,
    closed: closed ? { at: closed.at.toISOString(), by: closed.by } : null,
    reopened: reopened ? { ...reopened, at: reopened.at.toISOString() } : null,
    vendorName: vendor?.name ?? '',
    vendorNameAr: vendor?.nameAr ?? null,
    drivers: drivers.map((day) => {
      const own = handovers.filter(({ driverId }) => driverId === day.driver.id)
      const last = own.findLast(({ kind }) => kind === 'handed-over')
      return {
        ...day,
        received: last ? { at: last.at.toISOString(), by: last.by } : null,
        reasons: own.flatMap(({ notes }) => notes ?? []),
      }
    }),
    sums: {
      stops: count(({ stops }) => stops.all),
      delivered: count(({ stops }) => stops.delivered),
      attempted: count(({ stops }) => stops.attempted),
      expected: total(({ cash }) => cash.expected),
      handedOver: total(({ cash }) => cash.handedOver),
      difference: difference === 0 && !isCounted ? null : difference,
      inHand: total(({ cash }) => cash.inHand),
    },
    equation: closed?.equation ?? (await readEquation(ctx, vendorId, date)),
    bottles,
    bottleTypes: types.filter(({ id }) => bottles.some(({ typeId }) => typeId === id)),
    missing: {
      begun: date <= bahrainDate(ctx.now),
      openOrders: open?.count ?? 0,
      cash: drivers.flatMap(({ driver, cash }) =>
        cash.inHand === 0 ? [] : [{ driverId: driver.id, amount: cash.inHand }],
      ),
    },
  }
}

interface FileLine {
  /** Null: the office. */
  day: CashClosing['drivers'][number] | null
  holder: Equation['byHolder'][number] | undefined
}

/** One line a driver and one of the office; their sums are the terms of the equation, and the bottles of the vendor. */
export function exportClosing({ date, drivers, equation, bottles, bottleTypes }: CashClosing, lang: Lang): Table {
  const t = translatorFor(lang)
  const holderOf = (driverId: number | null) => equation.byHolder.find((row) => row.driverId === driverId)
  const ofDrivers = drivers.map((day) => ({ day, holder: holderOf(day.driver.id) }))
  const office = holderOf(null)
  const isOffice = office !== undefined || bottles.some(({ driverId }) => driverId === null)
  const rows = [...ofDrivers, ...(isOffice ? [{ day: null, holder: office }] : [])]
  // The name keeps columns apart from the others, and types of one name from each other.
  const bottleColumns = bottleTypes.flatMap((type) =>
    bottleCounts.map((count) => ({
      column: `${count}:${type.id}`,
      title: t(`orderFile.cash.bottles.${count}`, { type: nameIn(lang, type) }),
      of: ({ day }: FileLine) =>
        bottles.find(({ driverId, typeId }) => driverId === (day?.driver.id ?? null) && typeId === type.id)?.[count] ??
        null,
    })),
  )
  const amount = (bhd: number | null | undefined) => (bhd === null || bhd === undefined ? null : moneyCell(bhd))
  return tableOf<FileLine>({
    lang,
    rows,
    columns: {
      day: () => dayCell(date),
      driver: ({ day }) => (day ? (day.driver.name ?? day.driver.phone) : t('orderFile.cash.office')),
      stops: ({ day }) => day?.stops.all ?? null,
      delivered: ({ day }) => day?.stops.delivered ?? null,
      attempted: ({ day }) => day?.stops.attempted ?? null,
      expected: ({ day }) => amount(day?.cash.expected),
      collected: ({ day }) => amount(day?.cash.collected),
      handedOver: ({ day }) => amount(day?.cash.handedOver),
      difference: ({ day }) => amount(day?.cash.difference),
      receivedBy: ({ day }) => day?.received?.by ?? null,
      reasons: ({ day }) => day?.reasons.join('; ') ?? null,
      ...meansColumns(({ holder }: FileLine) => holder?.means),
      paidBack: ({ holder }) => moneyCell(holder?.paidBack ?? 0),
      notCollected: ({ holder }) => moneyCell(holder?.notCollected ?? 0),
      ...Object.fromEntries(bottleColumns.map(({ column, of }) => [column, of])),
    },
    titleOf: (column) => bottleColumns.find((one) => one.column === column)?.title ?? t(`orderFile.cash.${column}`),
  })
}
