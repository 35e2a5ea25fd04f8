import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { paymentStatusOf } from '@qatra/contract/orders/order-status'
import { totalsInBhd } from '@qatra/contract/orders/totals'
import { and, asc, eq, gt } from 'drizzle-orm'
import { areas } from '../areas/tables.ts'
import type { Ctx } from '../database/context.ts'
import { orderItems, orders } from '../orders/tables.ts'

const bhd = (stored: number) => toBhd(stored as Fils) // money columns hold fils

/** The complete order in the format of the older system, with known ids. */
export async function readOrderBody({ db }: Pick<Ctx, 'db'>, id: string, event: string): Promise<object | null> {
  const [row] = await db
    .select({ order: orders, areaCode: areas.areaId, areaOldId: areas.oldDbId })
    .from(orders)
    .leftJoin(areas, eq(areas.id, orders.areaId))
    .where(eq(orders.id, id))
  if (!row) return null
  // Items of which nothing was delivered are no part of the order there.
  const items = await db
    .select()
    .from(orderItems)
    .where(and(eq(orderItems.orderId, id), gt(orderItems.quantity, 0)))
    .orderBy(asc(orderItems.id))
  const { order } = row
  return {
    event,
    orderId: order.id,
    version: order.version,
    legacyBagId: order.legacyBagId,
    legacyTransactionId: order.legacyTransactionId,
    status: order.status,
    vendorId: order.vendorId,
    vendorName: order.vendorName,
    customerName: order.customerName,
    phone: order.phone,
    address: order.address,
    mapCoordinates: { lat: order.lat, lng: order.lng },
    area: { code: row.areaCode, oldDbId: row.areaOldId, name: order.areaName, nameAr: order.areaNameAr },
    instructions: order.instructions,
    paymentMethod: order.paymentMethod,
    paymentStatus: paymentStatusOf(order.paymentStatus),
    ...totalsInBhd(order),
    currency: 'BHD',
    promisedDate: order.promisedDate,
    createdAt: order.createdAt.toISOString(),
    deliveredAt: order.deliveredAt?.toISOString() ?? null,
    items: items.map((item) => ({
      productId: item.productId,
      name: item.name,
      nameAr: item.nameAr,
      size: item.size,
      price: bhd(item.price),
      vatPercentage: item.vatPercentage,
      quantity: item.quantity,
    })),
  }
}
