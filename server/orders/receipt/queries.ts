import { parseOrderId } from '@qatra/contract/orders/order-id'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import type { Db } from '../../database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { readFacts } from '../../site/queries.ts'
import { users } from '../../users/tables.ts'
import { vendors } from '../../vendors/tables.ts'
import type { OrderRow } from '../queries.ts'
import { orderItems, orders, receipts, type Seller } from '../tables.ts'

export interface ReceiptOrder {
  order: OrderRow
  items: (typeof orderItems.$inferSelect)[]
  receipt: typeof receipts.$inferSelect | null
  /** Seller details required by tax law. */
  seller: Seller
  /** VAT number of the customer's account; after the number was issued, the one of that day. */
  buyerVatNumber: string | null
}

/** @throws ORDER_NOT_FOUND */
export async function requireReceiptOrder(
  ctx: Pick<Ctx, 'db'>,
  catalogue: Pick<Catalogue, 'settings'>,
  typedId: string,
  scope: SQL,
): Promise<ReceiptOrder> {
  const found = await findReceiptOrder(ctx, catalogue, typedId, scope)
  if (!found) throw new AppError('ORDER_NOT_FOUND')
  return found
}

/** Without a scope any order, for jobs. */
export async function findReceiptOrder(
  { db }: Pick<Ctx, 'db'>,
  catalogue: Pick<Catalogue, 'settings'>,
  typedId: string,
  scope?: SQL,
): Promise<ReceiptOrder | null> {
  const id = parseOrderId(typedId)
  const [row] =
    id === null
      ? []
      : await db
          .select({ order: orders, vendor: vendors, receipt: receipts, vatNumber: users.vatNumber })
          .from(orders)
          .innerJoin(vendors, eq(vendors.id, orders.vendorId))
          .leftJoin(users, eq(users.id, orders.userId))
          .leftJoin(receipts, eq(receipts.orderId, orders.id))
          .where(and(eq(orders.id, id), scope))
  if (!row) return null
  const items = await db
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, row.order.id))
    .orderBy(asc(orderItems.id))
  const { order, receipt } = row
  const buyerVatNumber = receipt ? receipt.buyerVatNumber : row.vatNumber
  return { order, items, receipt, seller: sellerOf(row.vendor, catalogue), buyerVatNumber }
}

type Legal = Omit<Seller, 'name'> & { name: string | null }
type SellingVendor = Pick<
  typeof vendors.$inferSelect,
  'name' | 'nameAr' | 'companyName' | 'companyNameAr' | 'companyAddress' | 'companyAddressAr' | 'crNumber' | 'vatNumber'
>
const noFacts: Legal = { name: null, nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null }

/** All of a vendor's own details or all of the market's: a name must not appear with another company's number. */
function sellerOf(vendor: SellingVendor, catalogue: Pick<Catalogue, 'settings'>): Seller {
  const own: Legal = {
    name: vendor.companyName,
    nameAr: vendor.companyNameAr,
    address: vendor.companyAddress,
    addressAr: vendor.companyAddressAr,
    crNumber: vendor.crNumber,
    vatNumber: vendor.vatNumber,
  }
  const market: Legal = readFacts(catalogue).company
  const legal =
    own.name || own.nameAr || own.crNumber || own.vatNumber ? own : market.name || market.nameAr ? market : noFacts
  const { name, nameAr } = legal.name || legal.nameAr ? legal : vendor
  // A text in one language is printed in both.
  return { ...legal, name: name || nameAr || vendor.name, nameAr, address: legal.address || legal.addressAr }
}

export async function findReceipt(db: Db, orderId: string): Promise<ReceiptOrder['receipt']> {
  const [row] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))
  return row ?? null
}
