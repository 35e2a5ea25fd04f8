import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { ErrorCode } from '@qatra/contract/errors'
import { parseOrderId } from '@qatra/contract/order-id'
import type { AdminOrderDetail, changeManyOrders as change } from '@qatra/contract/orders-admin'
import type pg from 'pg'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { AppError } from '../lib/errors.ts'
import { setDriver } from '../orders/admin/driver.commands.ts'
import { changeStatus } from './status.commands.ts'

type Input = Parsed<typeof change>['body']

/** Changes each order in its own transaction, so that a refused order does not affect the others. */
export async function changeMany(ctx: Ctx, pool: pg.Pool, input: Input): Promise<Output<typeof change>> {
  const ids = [...new Map(input.ids.map((id) => [parseOrderId(id) ?? id, id])).values()]
  const results: Output<typeof change>['results'] = []
  for (const id of ids) {
    const result = await inTransaction(pool, (db) => changeOne({ ...ctx, db }, id, input)).catch(refusalOf)
    results.push(
      typeof result === 'string'
        ? { id, code: result, status: null, driverId: null, version: null }
        : { id, code: null, status: result.status, driverId: result.assignedDriverId, version: result.version },
    )
  }
  return { changed: results.filter(({ code }) => code === null).length, results }
}

function changeOne(ctx: Ctx, id: string, { status, driverId, cashHeldBy, notes }: Input): Promise<AdminOrderDetail> {
  if (status !== undefined) return changeStatus(ctx, id, { status, cashHeldBy, notes })
  return setDriver(ctx, id, { driverId: driverId ?? null, notes })
}

function refusalOf(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code
  throw error
}
