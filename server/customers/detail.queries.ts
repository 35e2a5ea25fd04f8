import { fils, toBhd } from '@qatra/contract/lib/money'
import type { CustomerDetail } from '@qatra/contract/users/customers'
import { holds } from '@qatra/contract/users/permissions'
import { and, desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Ctx, userOf } from '../database/context.ts'
import { orders } from '../orders/tables.ts'
import { users } from '../users/tables.ts'
import { readRhythms } from './due.queries.ts'
import { readImported } from './import/queries.ts'
import { scopeOf } from './policy.ts'
import { describe, requireCustomerRow } from './queries.ts'
import { customerAnswers, customerNotes, MARKET } from './tables.ts'

const byWhom = alias(users, 'by_whom')
const removedByWhom = alias(users, 'removed_by_whom')

async function readNotes({ db }: Ctx, id: number, scope: number): Promise<CustomerDetail['notes']> {
  const rows = await db
    .select({ note: customerNotes, by: byWhom, removedBy: removedByWhom })
    .from(customerNotes)
    .leftJoin(byWhom, eq(byWhom.id, customerNotes.createdBy))
    .leftJoin(removedByWhom, eq(removedByWhom.id, customerNotes.removedBy))
    // Staff of the market also read the vendors' notes.
    .where(and(eq(customerNotes.userId, id), scope === MARKET ? undefined : eq(customerNotes.vendorId, scope)))
    .orderBy(desc(customerNotes.id))
    .limit(200)
  return rows.map(({ note, by, removedBy }) => ({
    id: note.id,
    vendorId: note.vendorId === MARKET ? null : note.vendorId,
    body: note.body,
    by: by && { id: by.id, name: by.name },
    createdAt: note.createdAt.toISOString(),
    removedAt: note.removedAt?.toISOString() ?? null,
    removedBy: removedBy && { id: removedBy.id, name: removedBy.name },
  }))
}

const RECENT = 10

async function readRecentOrders({ db }: Ctx, id: number, scope: number) {
  return db
    .select({
      id: orders.id,
      vendorId: orders.vendorId,
      vendorName: orders.vendorName,
      vendorNameAr: orders.vendorNameAr,
      status: orders.status,
      total: orders.total,
      itemCount: sql<number>`(select coalesce(sum(i.quantity), 0)::integer from order_items i where i.order_id = orders.id)`,
      createdAt: orders.createdAt,
      address: orders.address,
      areaName: orders.areaName,
      areaNameAr: orders.areaNameAr,
    })
    .from(orders)
    .where(and(eq(orders.userId, id), scope === MARKET ? undefined : eq(orders.vendorId, scope)))
    .orderBy(sql`${orders.createdAt} desc nulls last`)
    .limit(RECENT)
}

export async function requireCustomer(ctx: Ctx, id: number): Promise<CustomerDetail> {
  const scope = scopeOf(ctx.actor)
  const row = await requireCustomerRow(ctx, id)
  const [notes, recent, imported, rhythms, [said]] = await Promise.all([
    readNotes(ctx, id, scope),
    readRecentOrders(ctx, id, scope),
    readImported(ctx, id, scope),
    readRhythms(ctx, scope, [id]),
    ctx.db
      .select({ answer: customerAnswers, by: byWhom.name })
      .from(customerAnswers)
      .leftJoin(byWhom, eq(byWhom.id, customerAnswers.createdBy))
      .where(and(eq(customerAnswers.userId, id), eq(customerAnswers.vendorId, scope))),
  ])
  const { address, areaName, areaNameAr } = recent[0] ?? imported
  return {
    ...describe(row, rhythms.get(id)),
    consentAt: row.consentAt?.toISOString() ?? null,
    consentSource: row.consentSource,
    consentWords: imported.consentWords,
    address,
    areaName,
    areaNameAr,
    orders: recent.map(({ address: _, areaName: __, areaNameAr: ___, ...order }) => ({
      ...order,
      total: toBhd(fils(order.total)),
      createdAt: order.createdAt.toISOString(),
    })),
    notes,
    answer: said
      ? {
          answer: said.answer.answer,
          until: said.answer.quietUntil,
          by: said.by,
          at: said.answer.createdAt.toISOString(),
        }
      : null,
    can: { write: holds(['customers.write'], userOf(ctx).permissions) },
  }
}
