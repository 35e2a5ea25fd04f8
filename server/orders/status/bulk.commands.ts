import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { ErrorCode } from '@qatra/contract/errors'
import type { AdminOrderDetail, changeManyOrders as change } from '@qatra/contract/orders/admin'
import { parseOrderId } from '@qatra/contract/orders/order-id'
import type pg from 'pg'
import type { Ctx } from '../../database/context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { AppError } from '../../lib/errors.ts'
import { setDriver } from '../admin/commands.ts'
import type { OrderLookup } from '../lookup-limit.ts'
import { changePromisedDate } from '../promise/commands.ts'
import { changeStatus, type GiveNumber } from './commands.ts'

interface BulkParts {
  pool: pg.Pool
  limited: OrderLookup
  giveNumber: GiveNumber
}
type BulkInput = Parsed<typeof change>['body']

/**
 * Changes each order in its own transaction, so that a refused order does not affect the others. One order is locked at
 * a time, so that two bulk changes cannot deadlock.
 */
export async function changeMany(
  ctx: Ctx,
  { pool, limited, giveNumber }: BulkParts,
  { ids: typedIds, status, driverId, promisedDate, cashHeldBy, notes }: BulkInput,
): Promise<Output<typeof change>> {
  const ids = [...new Map(typedIds.map((id) => [parseOrderId(id) ?? id, id])).values()]
  const results: Output<typeof change>['results'] = []
  for (const id of ids) {
    const result = await limited(ctx, () => inTransaction(pool, (db) => changeOne({ ...ctx, db }, id))).catch(
      errorCodeOf,
    )
    results.push(
      typeof result === 'string'
        ? { id, code: result, status: null, driverId: null, version: null }
        : { id, code: null, status: result.status, driverId: result.assignedDriverId, version: result.version },
    )
  }
  return { changed: results.filter(({ code }) => code === null).length, results }

  /** A driver and a status together are one transaction: an order that cannot be shipped keeps its driver. */
  async function changeOne(orderCtx: Ctx, id: string): Promise<AdminOrderDetail> {
    if (promisedDate !== undefined) return changePromisedDate(orderCtx, id, { date: promisedDate, reason: notes })
    if (status === undefined) return setDriver(orderCtx, id, { driverId: driverId ?? null, notes })
    if (driverId !== undefined) await setDriver(orderCtx, id, { driverId, notes })
    return changeStatus(orderCtx, id, { status, cashHeldBy, notes }, giveNumber)
  }
}

function errorCodeOf(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code
  throw error
}
