import { sql } from 'drizzle-orm'
import type { Catalogue } from '../../catalogue/queries.ts'
import { takeNumberLock } from '../../database/advisory-lock.ts'
import type { Ctx } from '../../database/context.ts'
import type { Db } from '../../database/db.ts'
import { receipts, type Seller } from '../tables.ts'
import { findReceipt, findReceiptOrder, type ReceiptOrder } from './queries.ts'

type Receipt = NonNullable<ReceiptOrder['receipt']>

interface NewReceipt {
  orderId: string
  vendorId: number
  seller: Seller
  buyerVatNumber: string | null
}

/**
 * Gives a delivered order its number, in the transaction of the delivery. A test order gets none; an order that was
 * delivered before keeps its own.
 */
export async function numberDelivered(ctx: Pick<Ctx, 'db'>, catalogue: Pick<Catalogue, 'settings'>, orderId: string) {
  const found = await findReceiptOrder(ctx, catalogue, orderId)
  if (!found || found.order.isTest) return
  const { order, seller, buyerVatNumber } = found
  await issueReceipt(ctx.db, { orderId, vendorId: order.vendorId, seller, buyerVatNumber })
}

/** Gives an order the vendor's next number once; repeated and concurrent calls return the same one. Takes the last lock. */
export async function issueReceipt(
  db: Db,
  { orderId, vendorId, seller, buyerVatNumber }: NewReceipt,
): Promise<Receipt> {
  // Serializes the vendor's numbers until the commit.
  await takeNumberLock(db, 'receipt-numbers', vendorId)
  const known = await findReceipt(db, orderId)
  if (known) return known
  const [issued] = await db
    .insert(receipts)
    .values({
      orderId,
      vendorId,
      number: sql`(select coalesce(max(number), 0) + 1 from receipts where vendor_id = ${vendorId})`,
      seller,
      buyerVatNumber,
      issuedAt: sql`now()`,
    })
    .returning()
  if (!issued) throw new Error('An insert answers its row')
  return issued
}
