import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { takeNumberLock } from '../../database/advisory-lock.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { OrderRow } from '../queries.ts'
import { receipts, type Seller } from '../tables.ts'
import { findReceipt, type ReceiptOrder } from './queries.ts'

type Receipt = NonNullable<ReceiptOrder['receipt']>

interface NewReceipt {
  orderId: string
  vendorId: number
  seller: Seller
  buyerVatNumber: string | null
}

/** A cancelled order that has no number was no sale; a test order never is one. */
export const getsNumber = ({ status, isTest }: Pick<OrderRow, 'status' | 'isTest'>): boolean =>
  status !== 'cancelled' && !isTest

/** Gives an order the vendor's next number once; repeated and concurrent calls return the same one. */
export function issueReceipt(
  pool: pg.Pool,
  { orderId, vendorId, seller, buyerVatNumber }: NewReceipt,
): Promise<Receipt> {
  return inTransaction(pool, async (db: Db) => {
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
  })
}
