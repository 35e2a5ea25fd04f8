import { bahrainDate, FRIDAY } from '@qatra/contract/calendar/calendar'
import { fromBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import { sizeKey } from '@qatra/contract/products/sizes'
import { INBOX_SETTINGS } from '@qatra/contract/whatsapp/inbox/settings'
import { type Table, getTableName, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { areas } from '../../server/areas/bahrain/areas.ts'
import { shippedRows } from '../../server/areas/import.commands.ts'
import { areas as areaRows } from '../../server/areas/tables.ts'
import { type BottleEntry, postBottles } from '../../server/bottles/commands.ts'
import { bottleTypes } from '../../server/bottles/tables.ts'
import { lockKeys } from '../../server/database/advisory-lock.ts'
import type { Db } from '../../server/database/db.ts'
import { inTransaction } from '../../server/database/transaction.ts'
import { deliveryAttempts } from '../../server/drivers/tables.ts'
import { ledgerEntries } from '../../server/ledger/tables.ts'
import { receipts } from '../../server/orders/receipt/tables.ts'
import { orderAuditHistory, orderItems, orders } from '../../server/orders/tables.ts'
import { products as productRows } from '../../server/products/tables.ts'
import { settings } from '../../server/site/tables.ts'
import { addresses, users } from '../../server/users/tables.ts'
import { vendorBusiness, vendorDeliveryAreas, vendors as vendorRows } from '../../server/vendors/tables.ts'
import { morningCustomers, morningOrders } from './morning.ts'
import { type OrderRows, rowsOf } from './order-rows.ts'
import { pastOrders } from './past-orders.ts'
import { people } from './people.ts'
import { products } from './products.ts'
import { runCustomers, todaysRun } from './todays-run.ts'
import { vendors } from './vendors.ts'

const everybody = [...people, ...runCustomers, ...morningCustomers]
/** Those with whom visitors of the demo sign in, one of each role; the others only own past orders. */
export const signIns = people.slice(0, 7)
const CUSTOMER_SINCE_DAYS = 75
/** That a driver loads beside those of the orders. */
const SPARE_BOTTLES = 6

/** Writes the demo data in one transaction; does nothing if the database has vendors. */
export async function seedDemo(pool: Pool, now: Date): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKeys.seed})`)
    const [known] = await tx.select({ id: vendorRows.id }).from(vendorRows).limit(1)
    if (known) return
    const areaIds = new Map(areas.map(({ areaId }, i) => [areaId, i + 1]))
    const typeIds = await writeCatalogue(tx, now, areaIds)
    const userIds = await writePeople(tx, now)
    await writeOrders(tx, now, { userIds, areaIds, typeIds })
    for (const table of [areaRows, vendorRows, productRows]) await countOn(tx, table)
  })
}

/** @returns the ids of the bottle types by vendor */
async function writeCatalogue(tx: Db, now: Date, areaIds: ReadonlyMap<string, number>) {
  await tx.insert(areaRows).values(shippedRows().map((row, i) => ({ id: i + 1, ...row })))
  await tx.insert(vendorRows).values(
    vendors.map(({ areas: _, bottleDeposit: __, deliveryFee, minDeliveryAmount, ...facts }) => ({
      ...facts,
      deliveryFee: fromBhd(deliveryFee),
      minDeliveryAmount: fromBhd(minDeliveryAmount),
    })),
  )
  const links = vendors.flatMap(({ id: vendorId, areas: codes }) =>
    codes.map((code) => ({ vendorId, areaId: areaIds.get(code) ?? 0 })),
  )
  await tx.insert(vendorDeliveryAreas).values(links)
  const exchanging = vendors.flatMap(({ id, bottleDeposit }) =>
    bottleDeposit === null ? [] : [{ vendorId: id, deposit: fromBhd(bottleDeposit), name: 'Gallon', nameAr: 'غالون' }],
  )
  await tx
    .insert(vendorBusiness)
    .values(exchanging.map(({ vendorId }) => ({ vendorId, bottles: true, version: 1, updatedAt: now })))
  const types = await tx
    .insert(bottleTypes)
    .values(exchanging)
    .returning({ id: bottleTypes.id, vendorId: bottleTypes.vendorId })
  const typeIds = new Map(types.map(({ id, vendorId }) => [vendorId, id]))
  await tx.insert(productRows).values(
    products.map(({ price, ...facts }) => ({
      ...facts,
      bottleTypeId: facts.bottleTerms && typeIds.get(facts.vendorId),
      price: fromBhd(price),
      duplicateKey: `${fold(facts.name)}|${sizeKey(facts.size)}`,
    })),
  )
  await tx.insert(settings).values(Object.entries(siteFacts).map(([key, value]) => ({ key, value })))
  return typeIds
}

async function writePeople(tx: Db, now: Date): Promise<ReadonlyMap<string, number>> {
  const since = new Date(now.getTime() - CUSTOMER_SINCE_DAYS * 86_400_000)
  const rows = await tx
    .insert(users)
    .values(
      everybody.map(({ phone, name, role, vendorId }) => ({
        phone,
        name,
        role,
        vendorId,
        isVerified: true,
        createdAt: since,
        updatedAt: since,
      })),
    )
    .returning({ id: users.id, phone: users.phone })
  const ids = new Map(rows.map(({ id, phone }) => [phone, id]))
  await tx.insert(addresses).values(
    everybody.flatMap(({ phone, address: home }) => {
      const userId = ids.get(phone)
      if (!home || userId === undefined) return []
      const { address, addressParts, coordinates, instructions } = home
      return [{ userId, address, addressParts, ...coordinates, instructions, isDefault: true, usedAt: since }]
    }),
  )
  return ids
}

async function writeOrders(
  tx: Db,
  now: Date,
  ids: Record<'userIds' | 'areaIds', ReadonlyMap<string, number>> & { typeIds: ReadonlyMap<number, number> },
) {
  const customers = new Map(everybody.map((person) => [person.phone, person]))
  const known = { vendors, products, areas, customers, ...ids }
  const all = [...pastOrders(products, bahrainDate(now)), ...todaysRun(products, now), ...morningOrders(products, now)]
  const rows = all.map((one) => rowsOf(one, known))
  await tx.insert(orders).values(rows.map(({ order }) => order))
  await tx.insert(orderItems).values(rows.flatMap(({ items }) => items))
  await tx.insert(orderAuditHistory).values(rows.flatMap(({ history }) => history))
  await tx.insert(ledgerEntries).values(rows.flatMap(({ entries }) => entries))
  await tx.insert(deliveryAttempts).values(rows.flatMap(({ attempts }) => attempts))
  await writeBottles(tx, now, rows)
  const given = new Map<number, number>()
  const delivered = rows.flatMap(({ receipt }) => receipt ?? []).sort((a, b) => Number(a.issuedAt) - Number(b.issuedAt))
  await tx.insert(receipts).values(
    delivered.map((receipt) => {
      const number = (given.get(receipt.vendorId) ?? 0) + 1
      given.set(receipt.vendorId, number)
      return { ...receipt, number }
    }),
  )
}

/** What customers held before their first order of the demo, what was exchanged since, and what drivers loaded today. */
async function writeBottles(tx: Db, now: Date, rows: readonly OrderRows[]) {
  const since = new Date(now.getTime() - CUSTOMER_SINCE_DAYS * 86_400_000)
  const homes = await tx.select({ id: addresses.id, userId: addresses.userId }).from(addresses)
  const homeOf = new Map(homes.map(({ id, userId }) => [userId, id]))
  const exchanged = rows.flatMap(({ order, items }) =>
    items.flatMap(({ bottleTypeId: typeId, bottleDeposit: deposit, quantity, empties }) =>
      typeId && deposit ? [{ order, typeId, deposit, quantity, empties: empties ?? 0 }] : [],
    ),
  )
  const openings = exchanged.flatMap(({ order: { vendorId, userId }, typeId, deposit, empties }, i) => {
    // The demo customer's bottles are all from orders. Some people have more at home than they give back.
    if (!userId || homeOf.has(userId) || empties === 0) return []
    const count = empties + (i % 4 === 0 ? 2 : 0)
    const due = count * deposit
    const key = `opening:${vendorId}:${userId}`
    return [{ vendorId, customerId: userId, typeId, kind: 'opening' as const, count, due, key, happenedAt: since }]
  })
  const entries = [...openings, ...rows.flatMap(({ bottles }) => bottles)]
  await postBottles(
    { db: tx },
    entries
      .map((entry): BottleEntry => {
        const day = bahrainDate(entry.happenedAt)
        return { ...entry, day, addressId: homeOf.get(entry.customerId) ?? null }
      })
      .sort((a, b) => Number(a.happenedAt) - Number(b.happenedAt)),
  )
  const day = bahrainDate(now)
  const loads = new Map<string, typeof ledgerEntries.$inferInsert>()
  for (const { order, typeId, quantity } of exchanged) {
    const { assignedDriverId: holderId, vendorId, status, deliveredAt } = order
    if (!holderId || status === 'cancelled' || (deliveredAt && bahrainDate(deliveredAt) < day)) continue
    const key = `van:${holderId}:${typeId}`
    const amount = (loads.get(key)?.amount ?? SPARE_BOTTLES) + quantity
    const load = { ledger: 'van', holder: 'van', kind: 'loaded', means: 'cash' } as const
    loads.set(key, { ...load, vendorId, holderId, bottleTypeId: typeId, amount, day, key, happenedAt: now })
  }
  await tx.insert(ledgerEntries).values([...loads.values()])
}

/** Sets the sequence after the inserted ids. */
async function countOn(tx: Db, table: Table) {
  await tx.execute(
    sql`select setval(pg_get_serial_sequence(${getTableName(table)}, 'id'), (select max(id) from ${table}))`,
  )
}

/** Settings of the demo shop, with reserved values: block 999, the demo phone range, `.example` domains. */
const siteFacts: Readonly<Record<string, string>> = {
  'company.name': 'Qatra Water Marketplace W.L.L.',
  'company.nameAr': 'قطرة لتسويق المياه ذ.م.م',
  'company.address': 'Office 21, Building 100, Road 90, Block 999, Manama, Kingdom of Bahrain',
  'company.addressAr': 'مكتب 21، مبنى 100، طريق 90، مجمع 999، المنامة، مملكة البحرين',
  'company.crNumber': '999000-1',
  'company.vatNumber': '999999999900000',
  'support.phone': '+97336001000',
  'support.whatsapp': '+97336001000',
  'support.email': 'help@qatra.example',
  'support.hours': 'Saturday to Thursday, 8:00 AM to 8:00 PM',
  'support.hoursAr': 'السبت إلى الخميس، من 8:00 ص إلى 8:00 م',
  [INBOX_SETTINGS]: JSON.stringify({
    hours: Array.from({ length: 7 }, (_, day) => (day === FRIDAY ? null : { opensAt: '08:00', closesAt: '20:00' })),
  }),
  'social.instagram': 'https://instagram.example/qatra.bh',
  'apps.ios': 'https://apps.example/ios/qatra',
  'apps.android': 'https://apps.example/android/qatra',
}
