import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { isTriedOn, type Run, type RunStop, type listStops as stops, untriedFirst } from '@qatra/contract/drivers'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { givenName } from '@qatra/contract/lib/given-name'
import { addFils, toBhd } from '@qatra/contract/lib/money'
import { allowsAction, isClosed } from '@qatra/contract/orders/order-status'
import type { StopsLeft } from '@qatra/contract/orders/orders'
import { isOfAccount } from '@qatra/contract/orders/payments'
import { charges, mapKeys, noTotals } from '@qatra/contract/orders/totals'
import { isAuthorized } from '@qatra/contract/users/permissions'
import type { Visit } from '@qatra/contract/visits'
import { eq, inArray } from 'drizzle-orm'
import { type HeldType, readHeld } from '../bottles/queries.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { type MeansSum, sumsByMeans } from '../ledger/queries.ts'
import { cashOf } from '../ledger/rules.ts'
import { ownedBy } from '../orders/policy.ts'
import { readRefundLimit } from '../orders/payment/queries.ts'
import { type OrderWithBalance, readOrders, requireOrderRow } from '../orders/queries.ts'
import { boundsOf, planRun } from '../orders/run/queries.ts'
import { readVans } from '../orders/run/van.queries.ts'
import { orders } from '../orders/tables.ts'
import { readVisitStops, stopIdOf } from '../orders/visits/queries.ts'
import { users } from '../users/tables.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { readBusiness } from '../vendors/queries.ts'
import { readCashSums, readOtherMeans } from './cash.queries.ts'
import { type DriverRow, listDriverRows } from './drivers.queries.ts'
import { canViewDriver } from './policy.ts'

/** The runs of these drivers as stop numbers only; drivers out of reach and empty runs are left out. */
export async function listStops(
  ctx: Ctx,
  { date = bahrainDate(ctx.now), driverId: wanted = [] }: Parsed<typeof stops>['query'],
): Promise<Output<typeof stops>> {
  const drivers = await listDriverRows(ctx, vendorInReach(ctx.actor))
  const ids = drivers.filter((one) => wanted.includes(one.id) && canViewDriver(ctx.actor, one)).map(({ id }) => id)
  const runs = await Promise.all(
    ids.map(async (driverId) => {
      const { ids: orderIds, last } = await planRun(ctx, driverId, date)
      return { driverId, orderIds, last }
    }),
  )
  return runs.filter(({ orderIds }) => orderIds.length > 0)
}

const nextSql = statement(
  'driver-next-day',
  `select least((select min(o.promised_date)
     from orders o join users u on u.id = o.assigned_driver_id and u.vendor_id = o.vendor_id
     where o.assigned_driver_id = $1 and o.created_at >= $3::timestamptz and o.promised_date > $2
       and o.status in ('new', 'in-progress', 'shipped')),
     (select min(v.day) from visits v join users u on u.id = v.driver_id and u.vendor_id = v.vendor_id
     where v.driver_id = $1 and v.day > $2 and v.status = 'open'))::text as day`,
)

interface AttemptRow {
  order_id: string
  reason: string
  notes: string | null
  at: Date
}
const attemptsSql = statement(
  'driver-attempts',
  `select order_id, new_value as reason, notes, changed_at as at from order_audit_history
   where order_id = any($1::text[]) and action = 'attempted' and changed_at >= $2::timestamptz - interval '1 day' order by id`,
)

/** Attempts at these orders, oldest first; a time of their placing bounds the months that are read. */
export async function readAttempts({ db }: Ctx, orderIds: readonly string[], placedSince = new Date(0)) {
  const rows = await run<AttemptRow>(db, attemptsSql, [orderIds, placedSince])
  return (id: string): RunStop['attempts'] =>
    rows
      .filter(({ order_id: of }) => of === id)
      .map(({ reason, notes, at }) => ({ reason, notes, at: at.toISOString() }))
}

export async function readRun(
  ctx: Ctx,
  driver: DriverRow,
  requestedDay: string | undefined,
): Promise<Omit<Run, 'products'>> {
  const today = bahrainDate(ctx.now)
  const date = requestedDay ?? today
  const { ids, isByHand, metresLeft } = await planRun(ctx, driver.id, date)
  const [found, collected, attempts, sums, otherMeans, business, [next], van, visits] = await Promise.all([
    ids.length === 0 ? [] : readOrders(ctx, inArray(orders.id, ids), { limit: ids.length, offset: 0 }),
    sumsByMeans(ctx, ids, 'driver'),
    readAttempts(ctx, ids, boundsOf(date).oldest),
    readCashSums(ctx, [driver.id], date),
    readOtherMeans(ctx, driver, date),
    readBusiness(ctx, driver.vendorId),
    run<{ day: string | null }>(ctx.db, nextSql, [driver.id, date, boundsOf(date).oldest]),
    readVans(ctx, { vendorId: driver.vendorId, day: date, driverId: driver.id }),
    readVisitStops(ctx, ids),
  ])
  const byId = new Map(found.map((order) => [order.id, order]))
  const customers = [
    ...found.map(({ userId }) => userId ?? 0),
    ...[...visits.values()].map((visit) => visit.customerId),
  ]
  const held = await readHeld(ctx, driver.vendorId, [...new Set(customers)])
  const { means, bottleDifference, refundChoice } = business
  const { id, name, phone, vendorId } = driver
  return {
    driver: { id, name, phone, vendorId },
    date,
    today,
    now: ctx.now.toISOString(),
    isByHand,
    metresLeft: Math.round(metresLeft),
    stops: ids
      .flatMap((stopId) => byId.get(stopId) ?? visits.get(stopId) ?? [])
      .map((stop, i) =>
        'kind' in stop
          ? visitStopOf(ctx, stop, { number: i + 1, held })
          : stopOf(ctx, stop, { number: i + 1, attempts: attempts(stop.id), collected: collected(stop.id), held }),
      ),
    nextDate: next?.day ?? null,
    cash: sums.get(driver.id) ?? cashOf([]),
    otherMeans,
    means: means.filter((one) => !isOfAccount(one)),
    bottleDifference,
    refundChoice,
    refundLimit: await readRefundLimit(ctx, vendorId, business),
    van,
  }
}

interface StopDetails {
  number: number
  attempts: RunStop['attempts']
  /** What drivers took by means; null before the first. */
  collected: MeansSum[] | null
  held: readonly HeldType[]
}

function stopOf(ctx: Ctx, order: OrderWithBalance, { number, attempts, collected, held }: StopDetails): RunStop {
  return {
    id: order.id,
    customerId: order.userId,
    number,
    status: order.status,
    customerName: order.customerName,
    phone: order.phone,
    receiverName: order.receiverName,
    receiverPhone: order.receiverPhone,
    address: order.address,
    addressParts: order.addressParts,
    mapCoordinates: order.mapCoordinates,
    pinSource: order.pinSource,
    areaName: order.areaName,
    areaNameAr: order.areaNameAr,
    instructions: order.instructions,
    vendorTint: order.vendorTint,
    visit: null,
    items: order.items,
    bottles: bottlesOf(held, order.userId ?? 0, ({ typeId }) =>
      order.items.some((item) => item.bottleTypeId === typeId && item.empties !== null),
    ),
    paymentMethod: order.paymentMethod,
    paymentStatus: order.paymentStatus,
    ...mapKeys(charges, (charge) => order[charge]),
    total: order.total,
    amountPaid: order.amountPaid,
    cashToCollect: isClosed(order.status) ? 0 : order.cashDue,
    payingWith: order.payingWith,
    due: order.due,
    cashCollected: collected && toBhd(addFils(...collected.map(({ amount }) => amount))),
    collectedMeans: Object.fromEntries(
      (collected ?? []).filter(({ amount }) => amount !== 0).map(({ means, amount }) => [means, toBhd(amount)]),
    ),
    promisedDate: order.promisedDate,
    deliveredAt: order.deliveredAt,
    version: order.version,
    attempts,
    can: {
      deliver: order.can.changeStatus.includes('delivered') && allowsAction(order.status, 'driver', 'deliver'),
      attempt:
        allowsAction(order.status, 'driver', 'attempt') &&
        isAuthorized({ allow: 'staff', permissions: ['orders.status'] }, ctx.actor.user),
    },
  }
}

/** Those that the customer has, and those of the stop. */
const bottlesOf = (held: readonly HeldType[], customer: number, isOfStop: (type: HeldType) => boolean) =>
  held.flatMap((type): RunStop['bottles'] => {
    const { customerId, deposit, depositHeld } = type
    return customerId === customer && (isOfStop(type) || type.held > 0)
      ? [{ ...type, deposit: toBhd(deposit), depositHeld: toBhd(depositHeld) }]
      : []
  })

/** A stop without an order has no items and costs nothing. */
function visitStopOf(ctx: Ctx, visit: Visit, { number, held }: { number: number; held: StopDetails['held'] }): RunStop {
  const { kind, status, bottles, amount, note, paid, customerId, reason, at, date, returned, ...of } = visit
  const isDone = status === 'done'
  const mayReport = !isDone && isAuthorized({ allow: 'staff', permissions: ['orders.status'] }, ctx.actor.user)
  const own = bottlesOf(held, customerId, () => false)
  const hasBottles = kind === 'collect-bottles' || own.length > 0
  return {
    ...of,
    id: stopIdOf(visit.id),
    customerId,
    visit: {
      id: visit.id,
      kind,
      bottles,
      amount,
      note,
      returned: isDone ? returned.reduce((sum, count) => sum + count.returned, 0) : null,
      paid,
    },
    number,
    status: isDone ? 'delivered' : 'shipped',
    receiverName: null,
    receiverPhone: null,
    vendorTint: null,
    items: [],
    bottles: own.length > 0 || !hasBottles ? own : bottlesOf(held, customerId, ({ isActive }) => isActive),
    paymentMethod: 'cash',
    paymentStatus: 'paid',
    ...noTotals,
    total: 0,
    amountPaid: 0,
    cashToCollect: 0,
    payingWith: null,
    due: 0,
    cashCollected: paid === 0 ? null : -paid,
    collectedMeans: {},
    promisedDate: date,
    deliveredAt: isDone ? at : null,
    attempts: status === 'failed' && reason && at ? [{ reason, notes: visit.reasonNote, at }] : [],
    can: { deliver: mayReport, attempt: mayReport },
  }
}

/** For the order's customer: numbers and the driver's given name, nothing else of the driver or of other orders. */
export async function readStopsLeft(ctx: Ctx, typedId: string): Promise<StopsLeft | null> {
  const { id, status, assignedDriverId } = await requireOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (status !== 'shipped' || assignedDriverId === null) return null
  const today = bahrainDate(ctx.now)
  const [{ ids, openIds }, [driver]] = await Promise.all([
    planRun(ctx, assignedDriverId, today),
    ctx.db.select({ name: users.name }).from(users).where(eq(users.id, assignedDriverId)),
  ])
  if (!openIds.includes(id)) return null
  const [attempts, visits] = [await readAttempts(ctx, openIds), await readVisitStops(ctx, openIds)]
  const isTried = (one: string) => isTriedOn(today, attempts(one)) || visits.get(one)?.status === 'failed'
  // As on the driver's page; closed stops keep their places.
  const stops = untriedFirst(ids, (one) => openIds.includes(one) && isTried(one))
  const before = stops.slice(0, stops.indexOf(id))
  const left = before.filter((one) => openIds.includes(one)).length
  const driverFirstName = givenName(driver?.name ?? '') || null
  return { left, done: before.length - left, driverFirstName }
}
