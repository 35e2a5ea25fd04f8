import { parseOrderId } from '@qatra/contract/order-id'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import type { Db } from '../../database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { vendors } from '../../vendors/tables.ts'
import type { OrderRow } from '../queries.ts'
import { orderItems, orders, receipts, type Seller } from '../tables.ts'

export interface ReceiptOrder {
  order: OrderRow
  items: (typeof orderItems.$inferSelect)[]
  receipt: typeof receipts.$inferSelect | null
  /** Seller details required by tax law. */
  seller: Seller
}

/** Without a scope any order, for jobs. @throws ORDER_NOT_FOUND */
export async function requireReceiptOrder(
  { db }: Pick<Ctx, 'db'>,
  catalogue: Pick<Catalogue, 'settings'>,
  typedId: string,
  scope?: SQL,
): Promise<ReceiptOrder> {
  const id = parseOrderId(typedId)
  const [row] =
    id === null
      ? []
      : await db
          .select({ order: orders, vendor: vendors, receipt: receipts })
          .from(orders)
          .innerJoin(vendors, eq(vendors.id, orders.vendorId))
          .leftJoin(receipts, eq(receipts.orderId, orders.id))
          .where(and(eq(orders.id, id), scope))
  if (!row) throw new AppError('ORDER_NOT_FOUND')
  const items = await db
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, row.order.id))
    .orderBy(asc(orderItems.id))
  return { order: row.order, items, receipt: row.receipt, seller: sellerOf(row.vendor, catalogue) }
}

/** All of a vendor's own details or all of the market's: a name must not appear with another company's number. */
function sellerOf(vendor: typeof vendors.$inferSelect, { settings }: Pick<Catalogue, 'settings'>): Seller {
  const { companyName, companyAddress, crNumber, vatNumber } = vendor
  if (companyName || crNumber || vatNumber) {
    return {
      name: companyName ?? vendor.name,
      nameAr: companyName ? null : vendor.nameAr,
      address: companyAddress,
      addressAr: null,
      crNumber,
      vatNumber,
    }
  }
  const fact = (key: string) => {
    const value = settings.get(`company.${key}`)
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  }
  return {
    name: fact('name') ?? vendor.name,
    nameAr: fact('nameAr') ?? vendor.nameAr,
    address: fact('address'),
    addressAr: fact('addressAr'),
    crNumber: fact('crNumber'),
    vatNumber: fact('vatNumber'),
  }
}

export async function findReceipt(db: Db, orderId: string): Promise<ReceiptOrder['receipt']> {
  const [row] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))
  return row ?? null
}
