import { bahrainDate, FRIDAY } from '@qatra/contract/calendar/calendar'
import { fromBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import { sizeKey } from '@qatra/contract/products/sizes'
import { INBOX_SETTINGS } from '@qatra/contract/whatsapp/inbox/settings'
import { type Table, getTableName, sql } from 'drizzle-orm'
import { areas } from '../../server/areas/bahrain/areas.ts'
import { shippedRows } from '../../server/areas/import.commands.ts'
import { areas as areaRows } from '../../server/areas/tables.ts'
import { lockKeys } from '../../server/database/advisory-lock.ts'
import type { Db } from '../../server/database/db.ts'
import { deliveryAttempts } from '../../server/drivers/tables.ts'
import { ledgerEntries } from '../../server/ledger/tables.ts'
import { receipts } from '../../server/orders/receipt/tables.ts'
import { orderAuditHistory, orderItems, orders } from '../../server/orders/tables.ts'
import { products as productRows } from '../../server/products/tables.ts'
import { settings } from '../../server/site/tables.ts'
import { addresses, users } from '../../server/users/tables.ts'
import { vendorDeliveryAreas, vendors as vendorRows } from '../../server/vendors/tables.ts'
import { morningCustomers, morningOrders } from './morning.ts'
import { rowsOf } from './order-rows.ts'
import { pastOrders } from './past-orders.ts'
import { people } from './people.ts'
import { products } from './products.ts'
import { runCustomers, todaysRun } from './todays-run.ts'
import { vendors } from './vendors.ts'

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

const everybody = [...people, ...runCustomers, ...morningCustomers]
/** Those with whom visitors of the demo sign in, one of each role; the others only own past orders. */
export const signIns = people.slice(0, 7)
const CUSTOMER_SINCE_DAYS = 75

/** Writes the demo data in one transaction; does nothing if the database has vendors. */
export async function seedDemo(db: Db, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKeys.seed})`)
    const [known] = await tx.select({ id: vendorRows.id }).from(vendorRows).limit(1)
    if (known) return
    const areaIds = new Map(areas.map(({ areaId }, i) => [areaId, i + 1]))
    await writeCatalogue(tx, areaIds)
    const userIds = await writePeople(tx, now)
    await writeOrders(tx, now, { userIds, areaIds })
    for (const table of [areaRows, vendorRows, productRows]) await countOn(tx, table)
  })
}

async function writeCatalogue(tx: Tx, areaIds: ReadonlyMap<string, number>) {
  await tx.insert(areaRows).values(shippedRows().map((row, i) => ({ id: i + 1, ...row })))
  await tx.insert(vendorRows).values(
    vendors.map(({ areas: _, deliveryFee, minDeliveryAmount, ...facts }) => ({
      ...facts,
      deliveryFee: fromBhd(deliveryFee),
      minDeliveryAmount: fromBhd(minDeliveryAmount),
    })),
  )
  const links = vendors.flatMap(({ id: vendorId, areas: codes }) =>
    codes.map((code) => ({ vendorId, areaId: areaIds.get(code) ?? 0 })),
  )
  await tx.insert(vendorDeliveryAreas).values(links)
  await tx.insert(productRows).values(
    products.map(({ price, ...facts }) => ({
      ...facts,
      price: fromBhd(price),
      duplicateKey: `${fold(facts.name)}|${sizeKey(facts.size)}`,
    })),
  )
  await tx.insert(settings).values(Object.entries(siteFacts).map(([key, value]) => ({ key, value })))
}

async function writePeople(tx: Tx, now: Date): Promise<ReadonlyMap<string, number>> {
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
  tx: Tx,
  now: Date,
  ids: { userIds: ReadonlyMap<string, number>; areaIds: ReadonlyMap<string, number> },
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

/** Sets the sequence after the inserted ids. */
async function countOn(tx: Tx, table: Table) {
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
