import type { AdminOrder, AdminOrderDetail } from '@qatra/contract/orders/admin'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { and, count, eq, inArray, lte } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { users } from '../../users/tables.ts'
import { adminAbilities, managedBy } from '../policy.ts'
import { readOrders, requireOrderRow } from '../queries.ts'
import { orders } from '../tables.ts'

/** Orders as the admin pages show them, in the order of their ids. */
export async function readAdminOrders(ctx: Ctx, ids: string[]): Promise<AdminOrder[]> {
  if (ids.length === 0) return []
  const found = await readOrders(ctx, inArray(orders.id, ids), { limit: ids.length, offset: 0 })
  const people = await readPeople(
    ctx,
    found.flatMap(({ assignedDriverId, placedBy }) => [assignedDriverId, placedBy]),
  )
  const described = new Map(
    found.map((order): [string, AdminOrder] => {
      const driver = people.get(order.assignedDriverId ?? 0)
      const agent = order.placedBy === order.userId ? undefined : people.get(order.placedBy ?? 0)
      return [
        order.id,
        {
          ...order,
          driver: driver ? { id: driver.id, name: driver.name, phone: driver.phone } : null,
          agent: agent ? { id: agent.id, name: agent.name } : null,
          can: adminAbilities(ctx.actor, { ...order, createdAt: new Date(order.createdAt) }, ctx.now),
        },
      ]
    }),
  )
  return ids.flatMap((id) => described.get(id) ?? [])
}

async function readPeople({ db }: Ctx, ids: (number | null)[]) {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map<number, { id: number; name: string | null; phone: string }>()
  const rows = await db
    .select({ id: users.id, name: users.name, phone: users.phone })
    .from(users)
    .where(inArray(users.id, wanted))
  return new Map(rows.map((row) => [row.id, row]))
}

/** @throws ORDER_NOT_FOUND, also for an order out of reach */
export async function requireAdminOrder(ctx: Ctx, typedId: string): Promise<AdminOrderDetail> {
  const row = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const [[order], customerOrder] = await Promise.all([readAdminOrders(ctx, [row.id]), countUntil(ctx, row)])
  if (!order) throw new AppError('ORDER_NOT_FOUND')
  return { ...order, customerOrder, referral: row.referral }
}

async function countUntil({ db, actor }: Ctx, order: { userId: number | null; vendorId: number; createdAt: Date }) {
  const mayKnow = isAuthorized({ allow: 'admin', permissions: ['customers.read'] }, actor.user)
  if (order.userId === null || !mayKnow) return null
  const [row] = await db
    .select({ n: count() })
    .from(orders)
    .where(
      and(eq(orders.userId, order.userId), eq(orders.vendorId, order.vendorId), lte(orders.createdAt, order.createdAt)),
    )
  return row?.n ?? null
}
