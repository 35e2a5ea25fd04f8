import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { changeVisit, createVisit } from '@qatra/contract/visits'
import { beforeAll, describe, expect, it } from 'vitest'
import { postBottles } from '../../bottles/commands.ts'
import { inTransaction } from '../../database/transaction.ts'
import { startShop, type TestShop } from '../../test/app.ts'
import { bottlesOf } from '../../test/fixtures/bottles.ts'
import { makeBottleType, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { randomFrom, repeated, sampleSeed } from '../../test/sample.ts'

/** Moments at which several phones send requests: about a thousand requests in a full run. */
const MOMENTS = repeated(170, 12)
const DEPOSIT = 2000
const totalOf = (quantity: number, empties: number) => 1650 * quantity + 500 + (quantity - empties) * DEPOSIT

interface Order {
  id: string
  customer: number
  driver: number
  ordered: number
  expected: number
  now: { quantity: number; empties: number; returned: number }
  isDelivered: boolean
  received: number
}
type Request =
  | { kind: 'deliver'; by: 'driver' | 'office'; quantity?: number; returned?: number }
  | { kind: 'take-back'; by: 'office' }

/** What a request changes, computed without the product. @returns whether it is accepted */
function act(order: Order, request: Request): boolean {
  const { ordered, expected } = order
  if (request.kind === 'take-back') {
    order.isDelivered = false
    order.now = { quantity: ordered, empties: expected, returned: 0 }
    return true
  }
  const { quantity = ordered, returned = Math.min(expected, quantity) } = request
  if (order.isDelivered) return order.now.quantity === quantity && order.now.returned === returned
  // A difference is owed for an order that was paid before.
  const isPaid = order.received >= totalOf(ordered, expected)
  const empties = Math.min(quantity, isPaid ? expected : returned)
  order.isDelivered = true
  order.now = { quantity, empties, returned }
  if (request.by === 'driver') order.received = Math.max(order.received, totalOf(quantity, empties))
  return true
}
const moved = ({ isDelivered, now: { quantity, empties, returned } }: Order) =>
  isDelivered ? { count: quantity - returned, deposit: (quantity - empties) * DEPOSIT } : { count: 0, deposit: 0 }

interface Visit {
  id: number
  customer: number
  driver: number
  isDone: boolean
  returned: number
  paid: number
  keys: readonly string[]
}
type VisitRequest = { kind: 'undo' } | { kind: 'done'; key: string; returned: number; paid: number }

/** The same of a visit: a key counts once, also after its report was taken back. */
function actOn(visit: Visit, request: VisitRequest): boolean {
  if (request.kind === 'undo') {
    Object.assign(visit, { isDone: false, returned: 0, paid: 0 })
    return true
  }
  const { key, returned, paid } = request
  if (visit.keys.includes(key)) return true
  if (visit.isDone) return visit.returned === returned && visit.paid === paid
  Object.assign(visit, { isDone: true, returned, paid, keys: [...visit.keys, key] })
  return true
}

interface Correction {
  customerId: number
  addressId: number | null
  count: number
  due: number
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]]
  return list.flatMap((one, i) => permutations(list.toSpliced(i, 1)).map((rest) => [one, ...rest]))
}

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
})

async function company(below: (count: number) => number) {
  const vendor = await makeVendor(shop)
  await makeProduct(shop, vendor)
  const typeId = await makeBottleType(shop, vendor, { deposit: DEPOSIT })
  const people = (count: number, role: 'driver' | 'vendor_admin') =>
    Promise.all(Array.from({ length: count }, () => makeVisitor(shop, { role, vendorId: vendor })))
  const [drivers, offices] = [await people(12, 'driver'), await people(8, 'vendor_admin')]
  const customers = await Promise.all(Array.from({ length: 4 }, () => makeUser(shop)))
  const orders: Order[] = []
  for (let i = 0; i < 14; i += 1) {
    const [ordered, customer] = [1 + below(5), customers[i % customers.length]]
    const [expected, driver] = [below(ordered + 1), i % drivers.length]
    const id = await makeOrder(shop, {
      userId: customer?.id ?? null,
      vendorId: vendor,
      status: 'shipped',
      assignedDriverId: drivers[driver]?.id ?? null,
      bottles: { typeId, deposit: DEPOSIT, quantity: ordered, empties: expected },
    })
    const now = { quantity: ordered, empties: expected, returned: 0 }
    orders.push({ id, customer: customer?.id ?? 0, driver, ordered, expected, now, isDelivered: false, received: 0 })
  }
  const visits: Visit[] = []
  for (const [i, { id: customer }] of customers.entries()) {
    const date = bahrainDate(new Date())
    const body = { kind: 'service' as const, customerId: customer, date, driverId: drivers[i]?.id ?? null }
    const made = await offices[0]?.call(createVisit, { body })
    visits.push({ id: made?.body.id ?? 0, customer, driver: i, isDone: false, returned: 0, paid: 0, keys: [] })
  }
  return { vendor, typeId, drivers, offices, customers, orders, visits }
}

describe(`the bottles of twenty phones at once (seed ${sampleSeed})`, () => {
  it(
    'balances, deposits and orders equal a model after deliveries, repeats, corrections and closings',
    async () => {
      const random = randomFrom(sampleSeed)
      const below = (count: number) => Math.floor(random() * count)
      const { vendor, typeId, drivers, offices, customers, orders, visits } = await company(below)
      const reported = new Map<number, VisitRequest[]>()
      const corrections = new Map<string, Correction>()
      const earlier = new Map<string, Request[]>()
      const today = bahrainDate(new Date())
      let isClosed = false
      let seen = 0
      let sent = 0

      const send = async (order: Order, request: Request) => {
        const by = request.by === 'driver' ? drivers[order.driver] : offices[below(offices.length)]
        const [item] = await shop.query<{ id: number }>('select id from order_items where order_id = $1', [order.id])
        if (request.kind === 'take-back')
          return by?.call(changeOrderStatus, {
            params: { id: order.id },
            body: { status: 'shipped', notes: 'Wrong house' },
          })
        const { quantity, returned } = request
        return by?.call(changeOrderStatus, {
          params: { id: order.id },
          body: {
            status: 'delivered',
            ...(quantity !== undefined && { delivered: [{ itemId: item?.id ?? 0, quantity }] }),
            ...(returned !== undefined && { bottles: [{ typeId, returned }] }),
          },
        })
      }
      function requestFor(order: Order): Request {
        const own = earlier.get(order.id) ?? []
        const repeat = own[below(own.length)]
        // An answer that was lost is asked for again, also long afterwards.
        if (repeat && random() < 0.3) return repeat
        if (order.isDelivered && random() < 0.6) return { kind: 'take-back', by: 'office' }
        const request: Request = {
          kind: 'deliver',
          by: random() < 0.7 ? 'driver' : 'office',
          ...(random() < 0.4 && { quantity: 1 + below(6) }),
          ...(random() < 0.7 && { returned: below(8) }),
        }
        earlier.set(order.id, [...own, request])
        return request
      }
      const sendVisit = async ({ id, driver }: Visit, request: VisitRequest) => {
        const params = { id: String(id) }
        if (request.kind === 'undo')
          return offices[0]?.call(changeVisit, { params, body: { status: 'open', notes: 'Wrong house' } })
        const { key, returned, paid } = request
        const payments = paid > 0 ? [{ means: 'cash' as const, amount: -paid, key: `${key}-money` }] : []
        const body = { status: 'done' as const, key, bottles: [{ typeId, returned }], payments }
        return drivers[driver]?.call(changeVisit, { params, body })
      }
      function visitRequest(visit: Visit): VisitRequest {
        const own = reported.get(visit.id) ?? []
        const repeat = own[below(own.length)]
        if (repeat && random() < 0.4) return repeat
        if (random() < 0.3) return { kind: 'undo' }
        const returned = below(5)
        const key = `visit-${visit.id}-${own.length}-key`
        const request = { kind: 'done' as const, key, returned, paid: below(returned + 1) * 2 }
        reported.set(visit.id, [...own, request])
        return request
      }
      const visitState = async ({ id }: Visit) => {
        const [state] = await shop.query(
          `select v.status = 'done' as "isDone",
             (select coalesce(-sum(amount), 0)::int from ledger_entries where visit_id = $1 and ledger = 'bottles') as returned,
             (select coalesce(-sum(due), 0)::int from ledger_entries where visit_id = $1 and ledger = 'bottles') as held,
             (select coalesce(-sum(amount), 0)::int from ledger_entries where visit_id = $1 and ledger = 'money') as paid
           from visits v where v.id = $1`,
          [id],
        )
        return state
      }
      const correct = (key: string, entry: Correction) =>
        inTransaction(shop.app.pool, (db) =>
          postBottles({ db, authors: { changedBy: null, onBehalfOf: null } }, [
            {
              ...entry,
              vendorId: vendor,
              typeId,
              kind: 'correction',
              key,
              day: addDays(today, 2),
              happenedAt: new Date(),
            },
          ]),
        )

      async function turnDay() {
        if (!isClosed)
          await shop.query(
            'insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, $3, now())',
            [vendor, today, offices[0]?.id],
          )
        else
          await shop.query(
            `update cash_closings set reopened_at = now(), reopened_by = $2, reopen_reason = 'Late' where vendor_id = $1 and reopened_at is null`,
            [vendor, offices[0]?.id],
          )
        isClosed = !isClosed
      }
      const stateOf = async (id: string) => {
        const [state] = await shop.query(
          `select o.status = 'delivered' as "isDelivered", i.quantity, i.empties, o.total::int, o.deposit::int,
             (select coalesce(sum(amount), 0)::int from ledger_entries where order_id = $1 and ledger = 'money') as received,
             (select coalesce(sum(amount), 0)::int from ledger_entries where order_id = $1 and ledger = 'bottles') as count,
             (select coalesce(sum(due), 0)::int from ledger_entries where order_id = $1 and ledger = 'bottles') as charged
           from orders o join order_items i on i.order_id = o.id where o.id = $1`,
          [id],
        )
        return state
      }
      const modelled = (order: Order) => {
        const { quantity, empties } = order.now
        const { count, deposit: charged } = moved(order)
        const deposit = (quantity - empties) * DEPOSIT
        const { isDelivered, received } = order
        return { isDelivered, quantity, empties, total: totalOf(quantity, empties), deposit, received, count, charged }
      }

      for (let moment = 0; moment < MOMENTS; moment += 1) {
        const isTurn = random() < 0.15
        const wasClosed = isClosed
        const touched = orders
          .filter(() => random() < 0.25)
          .map((order) => {
            const first = requestFor(order)
            const others = Array.from({ length: below(3) }, () => (random() < 0.5 ? first : requestFor(order)))
            return { order, requests: [first, ...others] }
          })
        const customerId = customers[below(customers.length)]?.id ?? 0
        const corrected = Array.from({ length: 4 }, () => {
          const key = `correction-${sampleSeed}-${below(200)}`
          const addressId = below(3) || null
          const made = { customerId, addressId, count: below(7) - 3, due: (below(3) - 1) * DEPOSIT }
          const entry = corrections.get(key) ?? made
          corrections.set(key, entry)
          return [correct(key, entry), correct(key, entry)]
        })
        const visited = visits
          .filter(() => random() < 0.4)
          .map((visit) => {
            const first = visitRequest(visit)
            return { visit, requests: [first, random() < 0.5 ? first : visitRequest(visit)] }
          })
        const [answers, visitAnswers] = await Promise.all([
          Promise.all(
            touched.map(({ order, requests }) => Promise.all(requests.map((request) => send(order, request)))),
          ),
          Promise.all(
            visited.map(({ visit, requests }) => Promise.all(requests.map((request) => sendVisit(visit, request)))),
          ),
          ...corrected.flat(),
          isTurn ? turnDay() : null,
        ])
        for (const [i, { order, requests }] of touched.entries()) {
          sent += requests.length
          const accepted = answers[i]?.map((answer) => answer?.status === 200) ?? []
          const stored = await stateOf(order.id)
          const ways = permutations(requests.map((request, at) => ({ request, at }))).map((steps) => {
            const next = { ...order }
            const isAccepted: boolean[] = []
            for (const { request, at } of steps) isAccepted[at] = act(next, request)
            return { next, isAccepted }
          })
          const way =
            ways.find(
              ({ next, isAccepted }) => String(isAccepted) === String(accepted) && sameAs(modelled(next), stored),
            ) ?? ways[0]
          expect({ ...stored, accepted }, JSON.stringify({ moment, requests })).toEqual({
            ...(way && modelled(way.next)),
            accepted: way?.isAccepted,
          })
          Object.assign(order, way?.next)
        }
        for (const [i, { visit, requests }] of visited.entries()) {
          const accepted = visitAnswers[i]?.map((answer) => answer?.status === 200) ?? []
          const stored = await visitState(visit)
          const ways = permutations(requests.map((request, at) => ({ request, at }))).map((steps) => {
            const next = { ...visit }
            const isAccepted: boolean[] = []
            for (const { request, at } of steps) isAccepted[at] = actOn(next, request)
            const { isDone, returned, paid } = next
            return { next, isAccepted, state: { isDone, returned, held: paid * 1000, paid: paid * 1000 } }
          })
          const way =
            ways.find(({ isAccepted, state }) => String(isAccepted) === String(accepted) && sameAs(state, stored)) ??
            ways[0]
          expect({ ...stored, accepted }, JSON.stringify({ moment, requests })).toEqual({
            ...way?.state,
            accepted: way?.isAccepted,
          })
          Object.assign(visit, way?.next)
        }
        for (const { id } of customers) {
          const own = [
            ...visits.flatMap(({ customer, returned, paid }) =>
              customer === id ? [{ count: 0 - returned, deposit: 0 - paid * 1000 }] : [],
            ),
            ...orders.filter(({ customer }) => customer === id).map(moved),
            ...[...corrections.values()].flatMap(({ customerId: of, count, due: deposit }) =>
              of === id ? [{ count, deposit }] : [],
            ),
          ]
          const sum = (key: 'count' | 'deposit') => own.reduce((all, one) => all + one[key], 0)
          const { balances, entries } = await bottlesOf(shop, id)
          expect(balances).toEqual(entries)
          expect(balances[0] ?? { count: 0, deposit: 0 }, `after moment ${moment}`).toMatchObject({
            count: sum('count'),
            deposit: sum('deposit'),
          })
        }
        const written = await shop.query<{ id: number; day: string }>(
          `select id, day::text from ledger_entries where ledger = 'bottles' and kind <> 'correction' and vendor_id = $1 and id > $2`,
          [vendor, seen],
        )
        seen = Math.max(seen, ...written.map(({ id }) => id))
        const days = new Set(written.map(({ day }) => day))
        if (!isTurn) expect([...days].every((day) => day === addDays(today, wasClosed ? 1 : 0))).toBe(true)
      }
      expect(sent).toBeGreaterThan(MOMENTS * 3)
    },
    Math.max(60_000, MOMENTS * 2_000),
  )
})
const sameAs = (model: object, stored: object | undefined) =>
  Object.entries(model).every(([key, value]) => value === (stored as Record<string, unknown> | undefined)?.[key])
