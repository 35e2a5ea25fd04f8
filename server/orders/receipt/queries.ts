import { type Fils, fils, toBhd, vatOfLine } from '@qatra/contract/lib/money'
import type { DoorCount } from '@qatra/contract/my-bottles'
import { parseOrderId } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { creditNoteNumber, invoiceNumber } from '@qatra/contract/orders/receipts'
import { mapKeys, type OrderTotals, totalsKeys } from '@qatra/contract/orders/totals'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { type Db, run, statement } from '../../database/db.ts'
import { type MeansSum, sumsByMeans } from '../../ledger/queries.ts'
import { AppError } from '../../lib/errors.ts'
import { readFacts } from '../../site/queries.ts'
import { users } from '../../users/tables.ts'
import { vendors } from '../../vendors/tables.ts'
import { readDoorCounts } from '../status/bottles.queries.ts'
import { orderItems, orders } from '../tables.ts'
import { type Bill, type BillLine, type Buyer, creditNotes, receipts, type Seller } from './tables.ts'

type OrderRow = typeof orders.$inferSelect

export interface ReceiptOrder {
  /** As the paper has it: sums, customer and delivery are those of its copy. */
  order: OrderRow
  items: BillLine[]
  bottles: DoorCount[]
  /** Null on a delivery note. */
  receipt: typeof receipts.$inferSelect | null
  /** Credits the receipt. */
  creditNote: typeof creditNotes.$inferSelect | null
  /** Whether the paper is the credit note itself. */
  isCreditNote: boolean
  /** Seller details required by tax law. */
  seller: Seller
  /** VAT number of the order, else of the customer's account; after the number was issued, the one of that day. */
  buyerVatNumber: string | null
  /** What was received for the order less what was paid back, by means; without those that come to nothing. */
  paid: MeansSum[]
}

interface PaperQuery {
  /** Without it any order, for jobs. */
  scope?: SQL | undefined
  /** Of an invoice or credit note of the order. Default: its valid invoice, else a delivery note. */
  number?: string | undefined
}

/** @throws ORDER_NOT_FOUND, also for a number that is not one of the order's */
export async function requireReceiptOrder(
  ctx: Pick<Ctx, 'db'>,
  catalogue: Pick<Catalogue, 'settings'>,
  typedId: string,
  query: PaperQuery,
): Promise<ReceiptOrder> {
  const found = await findReceiptOrder(ctx, catalogue, typedId, query)
  if (!found) throw new AppError('ORDER_NOT_FOUND')
  return found
}

export async function findReceiptOrder(
  { db }: Pick<Ctx, 'db'>,
  catalogue: Pick<Catalogue, 'settings'>,
  typedId: string,
  { scope, number }: PaperQuery = {},
): Promise<ReceiptOrder | null> {
  const id = parseOrderId(typedId)
  const [row] =
    id === null
      ? []
      : await db
          .select({ order: orders, vendor: vendors, vatNumber: users.vatNumber })
          .from(orders)
          .innerJoin(vendors, eq(vendors.id, orders.vendorId))
          .leftJoin(users, eq(users.id, orders.userId))
          .where(and(eq(orders.id, id), scope))
  if (!row) return null
  const issued = await listReceipts(db, row.order.id)
  const { receipt, creditNote } = (number === undefined ? issued.find(isValid) : issued.find(hasNumber(number))) ?? {
    receipt: null,
    creditNote: null,
  }
  if (number !== undefined && receipt === null) return null
  const isCreditNote = creditNote !== null && number === creditNoteNumber(creditNote)
  const { bill, buyer } = copyOf(receipt, creditNote)
  const items = bill ? null : await listItems(db, row.order.id)
  return {
    order: { ...row.order, ...buyer, ...(bill && billedColumns(bill)) },
    items: bill?.lines ?? linesOf(items ?? []),
    bottles: bill ? (bill.bottles ?? []) : await readDoorCounts({ db }, row.order.id),
    receipt,
    creditNote,
    isCreditNote,
    seller: sellerOf(row.vendor, catalogue),
    buyerVatNumber: receipt ? receipt.buyerVatNumber : (row.order.vatNumber ?? row.vatNumber),
    paid: ((await sumsByMeans({ db }, [row.order.id]))(row.order.id) ?? []).filter(({ amount }) => amount !== 0),
  }
}

export const listItems = (db: Db, orderId: string) =>
  db.select().from(orderItems).where(eq(orderItems.orderId, orderId)).orderBy(asc(orderItems.id))

type Issued = Pick<ReceiptOrder, 'creditNote'> & { receipt: NonNullable<ReceiptOrder['receipt']> }

/** All receipts of an order with their credit notes, oldest first. */
const listReceipts = (db: Db, orderId: string): Promise<Issued[]> =>
  db
    .select({ receipt: receipts, creditNote: creditNotes })
    .from(receipts)
    .leftJoin(
      creditNotes,
      and(eq(creditNotes.vendorId, receipts.vendorId), eq(creditNotes.invoiceNumber, receipts.number)),
    )
    .where(eq(receipts.orderId, orderId))
    .orderBy(asc(receipts.number))

const isValid = ({ creditNote }: Issued) => creditNote === null
const hasNumber =
  (number: string) =>
  ({ receipt, creditNote }: Issued) =>
    number === invoiceNumber(receipt) || (creditNote !== null && number === creditNoteNumber(creditNote))

/** The receipt of an order that no credit note has cancelled. */
export const findReceipt = async (db: Db, orderId: string): Promise<ReceiptOrder['receipt']> =>
  (await listReceipts(db, orderId)).find(isValid)?.receipt ?? null

/** A receipt from before it kept a copy has that of the note that credits it. */
const copyOf = (receipt: ReceiptOrder['receipt'], creditNote: ReceiptOrder['creditNote']) => ({
  bill: receipt?.bill ?? creditNote?.bill ?? null,
  buyer: receipt?.buyer ?? creditNote?.buyer ?? null,
})

/** Charges and deposits that came after the copy are 0 in it. */
const billedColumns = ({ totals, deliveredAt }: Bill) => ({
  ...mapKeys(totalsKeys, (key) => totals[key] ?? 0),
  deliveredAt: deliveredAt === null ? null : new Date(deliveredAt),
})

const linesOf = (items: readonly Omit<BillLine, 'vat'>[]): BillLine[] =>
  items.map((item) => ({
    name: item.name,
    nameAr: item.nameAr,
    size: item.size,
    price: item.price,
    vatPercentage: item.vatPercentage,
    quantity: item.quantity,
    inventoryUnit: item.inventoryUnit,
    inventoryUnitAr: item.inventoryUnitAr,
    unitsPerInventoryUnit: item.unitsPerInventoryUnit,
    bottleTerms: item.bottleTerms ?? null,
    vat: vatOfLine(fils(item.price), item.quantity, item.vatPercentage),
  }))

type BilledOrder = Buyer & OrderTotals<number> & { deliveredAt: Date | null }

interface InvoiceRow {
  orderId: string
  vendorId: number
  number: number
  /** The note that credits it; null if it is valid. */
  credit: { number: number; amount: Fils; at: string } | null
}

const invoicesSql = statement(
  'orders-invoices',
  `select r.order_id as "orderId", r.vendor_id as "vendorId", r.number,
     case when c.number is not null then
       jsonb_build_object('number', c.number, 'amount', c.bill #> '{totals,total}', 'at', c.issued_at) end as credit
   from receipts r left join credit_notes c on c.vendor_id = r.vendor_id and c.invoice_number = r.number
   where r.order_id = any($1::text[]) order by r.number`,
)

/** All invoices of the orders with their credit notes, oldest first. */
export const readInvoices = ({ db }: Pick<Ctx, 'db'>, ids: readonly string[]) => run<InvoiceRow>(db, invoicesSql, [ids])

export function invoicesOf(
  invoices: readonly InvoiceRow[],
  orderId: string,
): Pick<Order, 'invoiceNumber' | 'creditNotes'> {
  const own = invoices.filter((invoice) => invoice.orderId === orderId)
  const valid = own.find(({ credit }) => credit === null)
  return {
    invoiceNumber: valid ? invoiceNumber(valid) : null,
    creditNotes: own.flatMap(({ vendorId, number, credit }) =>
      credit === null
        ? []
        : [
            {
              number: creditNoteNumber({ vendorId, number: credit.number }),
              amount: toBhd(credit.amount),
              at: new Date(credit.at).toISOString(),
              invoiceNumber: invoiceNumber({ vendorId, number }),
            },
          ],
    ),
  }
}

/** What a paper keeps of a delivered order. */
export const paperCopy = (
  order: BilledOrder,
  items: readonly Omit<BillLine, 'vat'>[],
  bottles: readonly DoorCount[] = [],
): { bill: Bill; buyer: Buyer } => ({
  bill: {
    lines: linesOf(items.filter(({ quantity }) => quantity > 0)),
    totals: mapKeys(totalsKeys, (key) => order[key]),
    deliveredAt: order.deliveredAt?.toISOString() ?? null,
    ...(bottles.length > 0 && {
      bottles: bottles.map((count) => ({ ...count, by: count.by && { ...count.by, firstName: null } })),
    }),
  },
  buyer: {
    customerName: order.customerName,
    phone: order.phone,
    address: order.address,
    receiverName: order.receiverName,
    receiverPhone: order.receiverPhone,
    companyName: order.companyName,
    crNumber: order.crNumber,
    poNumber: order.poNumber,
    branch: order.branch,
  },
})

type Legal = Omit<Seller, 'name'> & { name: string | null }
type SellingVendor = Pick<
  typeof vendors.$inferSelect,
  'name' | 'nameAr' | 'companyName' | 'companyNameAr' | 'companyAddress' | 'companyAddressAr' | 'crNumber' | 'vatNumber'
>
const noFacts: Legal = { name: null, nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null }

/** Whose name and VAT number the vendor's receipts have today. */
export async function readSeller({ db }: Pick<Ctx, 'db'>, catalogue: Pick<Catalogue, 'settings'>, vendorId: number) {
  const [vendor] = await db.select().from(vendors).where(eq(vendors.id, vendorId))
  if (!vendor) throw new Error('A vendor is never deleted while it has entries')
  return sellerOf(vendor, catalogue)
}

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
