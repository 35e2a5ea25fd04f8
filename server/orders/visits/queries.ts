import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fils, toBhd } from '@qatra/contract/lib/money'
import type { listVisits as list, Visit } from '@qatra/contract/visits'
import { and, asc, eq, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { onTheWayTo } from '../../bottles/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { users } from '../../users/tables.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { visits } from './tables.ts'

export type VisitRow = typeof visits.$inferSelect

/** Visits that the person may see and report: of the own vendor, a driver the own ones. */
export function visitsOf({ user }: Ctx['actor']): SQL {
  if (user?.role === 'super_admin') return sql`true`
  if (!user || user.vendorId === null) return sql`false`
  const ofVendor = eq(visits.vendorId, user.vendorId)
  switch (user.role) {
    case 'vendor_admin':
    case 'vendor_staff':
      return ofVendor
    case 'driver':
      return and(ofVendor, eq(visits.driverId, user.id)) ?? sql`false`
    default:
      return sql`false`
  }
}

/** Collections of the customer, also those that the office planned. */
export const ownVisits = ({ user }: Ctx['actor']): SQL =>
  and(eq(visits.customerId, user?.id ?? 0), eq(visits.kind, 'collect-bottles')) ?? sql`false`

/** @throws VISIT_NOT_FOUND, the same for a foreign and an unknown visit */
export async function lockVisit(ctx: Ctx, id: number, scope = visitsOf(ctx.actor)): Promise<VisitRow> {
  const [row] = await ctx.db
    .select()
    .from(visits)
    .where(and(eq(visits.id, id), scope))
    .for('no key update')
  if (!row) throw new AppError('VISIT_NOT_FOUND')
  return row
}

const onTheWaySql = statement('visit-on-the-way', `select ${onTheWayTo} as "isGone" from visits v where v.id = $1`)

/** Whether the driver has left for it. */
export const isOnTheWay = async ({ db }: Pick<Ctx, 'db'>, id: number) =>
  (await run<{ isGone: boolean }>(db, onTheWaySql, [id])).some(({ isGone }) => isGone)

export async function readVisits({ db }: Pick<Ctx, 'db'>, where: SQL | undefined, limit = 1000): Promise<Visit[]> {
  const rows = await db
    .select({ visit: visits, driverName: users.name })
    .from(visits)
    .leftJoin(users, eq(users.id, visits.driverId))
    .where(where)
    .orderBy(asc(visits.day), asc(visits.id))
    .limit(limit)
  return rows.map(({ visit, driverName }) => describe(visit, driverName))
}

const bhdOf = (amount: number | null) => (amount === null ? null : toBhd(fils(amount)))

function describe(row: VisitRow, driverName: string | null): Visit {
  const { day: date, driverId, amount, paid, happenedAt, lat, lng, ...visit } = row
  return {
    ...visit,
    date,
    driver: driverId === null ? null : { id: driverId, name: driverName },
    mapCoordinates: { lat, lng },
    amount: bhdOf(amount),
    paid: toBhd(fils(paid)),
    at: happenedAt?.toISOString() ?? null,
  }
}

export async function requireVisit(ctx: Ctx, id: number): Promise<Visit> {
  const [found] = await readVisits(ctx, and(eq(visits.id, id), visitsOf(ctx.actor)))
  if (!found) throw new AppError('VISIT_NOT_FOUND')
  return found
}

export async function listVisits(
  ctx: Ctx,
  { vendorId: requested, date, customerId }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const vendorId = vendorInReach(ctx.actor, requested || null)
  const today = bahrainDate(ctx.now)
  const day = date ?? today
  const late = day === today ? and(lt(visits.day, today), eq(visits.status, 'open')) : undefined
  const ofDay =
    date === undefined && customerId !== undefined ? eq(visits.status, 'open') : or(eq(visits.day, day), late)
  const items = await readVisits(
    ctx,
    and(
      vendorId === null ? undefined : eq(visits.vendorId, vendorId),
      customerId === undefined ? undefined : eq(visits.customerId, customerId),
      ne(visits.status, 'cancelled'),
      ofDay,
    ),
  )
  return { date: day, items }
}

/** Stops of runs by their ids, as `stopIdOf` makes them. */
export async function readVisitStops(ctx: Pick<Ctx, 'db'>, stopIds: readonly string[]): Promise<Map<string, Visit>> {
  const ids = stopIds.flatMap((id) => visitIdOf(id) ?? [])
  if (ids.length === 0) return new Map()
  const found = await readVisits(ctx, inArray(visits.id, ids))
  return new Map(found.map((visit) => [stopIdOf(visit.id), visit]))
}

const PREFIX = 'visit-'
/** In a run, among ids of orders. */
export const stopIdOf = (id: number) => `${PREFIX}${id}`
const visitIdOf = (stopId: string) => (stopId.startsWith(PREFIX) ? Number(stopId.slice(PREFIX.length)) : null)

/** What a vendor knows about the customer and the places at which bottles can be; $3 an address that was named, or null. */
const placesSql = statement(
  'visit-places',
  `with last as (
     select o.* from orders o where o.user_id = $2 and o.vendor_id = $1 and o.phone <> '—'
     order by o.status = 'cancelled', o.created_at desc limit 1
   ), place as (
     select a.*, b.count as bottles, exists (select from bottle_balances k where k.vendor_id = $1 and k.customer_id = $2
         and k.address_id = a.id)
       or exists (select from orders o where o.vendor_id = $1 and o.user_id = $2 and o.address = a.address) as is_known
     from addresses a left join lateral (select sum(b.count)::int as count from bottle_balances b
       where b.vendor_id = $1 and b.customer_id = $2 and b.address_id = a.id) b on true
     where a.user_id = $2 and ($3::integer is null or a.id = $3)
   ), chosen as (
     select * from place where address is not null and not (lat = 0 and lng = 0)
     order by coalesce(bottles, 0) > 0 desc, coalesce(bottles, 0) desc, address is not distinct from (select address from last) desc,
       is_default desc, used_at desc limit 1
   )
   select u.phone, coalesce(last.customer_name, u.name, u.phone) as "customerName",
     last.id is not null or exists (select from customer_totals where user_id = u.id and vendor_id = $1)
       or exists (select from bottle_balances where customer_id = u.id and vendor_id = $1) as "isCustomer",
     (select coalesce(sum(count), 0)::int from bottle_balances where customer_id = u.id and vendor_id = $1) as held,
     case when chosen.id is not null then json_build_object('addressId', chosen.id, 'address', chosen.address,
       'addressParts', chosen.address_parts, 'lat', chosen.lat, 'lng', chosen.lng, 'pinSource', chosen.pin_source,
       'instructions', chosen.instructions, 'isKnown', chosen.is_known, 'bottles', chosen.bottles) end as place,
     case when last.id is not null then json_build_object('addressId', null, 'address', last.address,
       'addressParts', last.address_parts, 'lat', last.lat, 'lng', last.lng, 'pinSource', last.pin_source,
       'instructions', last.instructions, 'isKnown', true, 'bottles', null) end as "lastPlace"
   from users u left join last on true left join chosen on true where u.id = $2 and u.erased_at is null`,
)

export interface Place
  extends Pick<VisitRow, 'addressId' | 'address' | 'addressParts' | 'lat' | 'lng' | 'pinSource' | 'instructions'> {
  /** The vendor has delivered there, or there are bottles of its. */
  isKnown: boolean
  bottles: number | null
}

interface Places {
  phone: string
  customerName: string
  isCustomer: boolean
  /** Bottles of all types at all addresses. */
  held: number
  place: Place | null
  lastPlace: Place | null
}

/** Null for an unknown or erased account. */
export async function findPlaces(
  { db }: Pick<Ctx, 'db'>,
  {
    vendorId,
    customerId,
    addressId = null,
  }: { vendorId: number; customerId: number; addressId?: number | null | undefined },
): Promise<Places | null> {
  const [found] = await run<Places>(db, placesSql, [vendorId, customerId, addressId])
  return found ?? null
}
