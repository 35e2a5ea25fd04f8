import type { Parsed } from '@qatra/contract/endpoint'
import type { VanLine, writeVan as write } from '@qatra/contract/van'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { isOpenDay, isPosted, post } from '../ledger/commands.ts'
import { driverKey } from '../ledger/rules.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { readVans } from '../orders/run/van.queries.ts'
import { requireHolder } from './drivers.queries.ts'

const goodsSql = statement(
  'van-goods',
  `select where exists (select from bottle_types where id = $2 and vendor_id = $1)
     or exists (select from products where id = $3 and vendor_id = $1)`,
)

/** Books what a driver loads, unloads or counts; a later count of the day replaces an earlier one. @throws CASH_DAY_CLOSED */
export async function writeVan(
  ctx: Ctx,
  driverId: number,
  { date, kind, typeId, productId, full, empty, key }: Parsed<typeof write>['body'],
): Promise<VanLine[]> {
  const driver = await requireHolder(ctx, driverId, { vendorId: undefined, day: date })
  const { vendorId } = driver
  const goods = { bottleTypeId: typeId ?? null, productId: productId ?? null }
  if ((await run(ctx.db, goodsSql, [vendorId, goods.bottleTypeId, goods.productId])).length === 0)
    throw invalidFields(ctx, { [typeId === undefined ? 'productId' : 'typeId']: 'validation.invalid' })
  const isOpen = await isOpenDay(ctx, vendorId, date)
  for (const [amount, isEmpty] of [[full, false] as const, [empty, true] as const]) {
    if (amount === 0 && kind !== 'counted') continue
    const entry = {
      ledger: 'van' as const,
      vendorId,
      holder: 'van' as const,
      holderId: driver.id,
      kind,
      ...goods,
      isEmpty,
      amount,
      day: date,
      happenedAt: ctx.now,
      key: driverKey(driver.id, `${key}:${isEmpty ? 'empty' : 'full'}`),
    }
    if (!isOpen && !(await isPosted(ctx, entry, { namesDay: true }))) throw new AppError('CASH_DAY_CLOSED')
    if (isOpen) await post(ctx, entry, { namesDay: true })
  }
  return readVans(ctx, { vendorId, day: date, driverId: driver.id })
}
