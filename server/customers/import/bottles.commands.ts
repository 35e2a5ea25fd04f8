import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { CustomerColumn } from '@qatra/contract/users/customers-import'
import { type BottleEntry, postBottles } from '../../bottles/commands.ts'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { inBatches } from '../../import/import.ts'
import type { RowFailure } from '../../import/problem.ts'
import { reporter } from '../../import/rows.ts'
import { firstOpenDay } from '../../ledger/commands.ts'
import { translatorFor } from '../../lib/translate.ts'
import type { OpeningBottles } from './check.ts'
import type { ImportedRow } from './undo-plan.ts'

interface ImportOf {
  id: number
  vendorId: number
  fileName: string | null
}

/** Of an entry's key. Those of an import that was undone come to nothing. */
const prefixOf = (importId: number) => `import:${importId}:`

/** The row's address, or the only one that the customer has. */
const addressesSql = statement(
  'import-bottle-addresses',
  `select coalesce((select min(a.id) from addresses a where a.user_id = w.user_id and lower(a.address) = lower(w.address)),
     (select min(a.id) from addresses a where a.user_id = w.user_id having count(*) = 1)) as id
   from unnest($1::integer[], $2::text[]) with ordinality w (user_id, address, place) order by w.place`,
)

/** Posts what a file says that customers hold, at their saved addresses. */
export async function postOpening(
  ctx: Ctx,
  { id: importId, vendorId, fileName }: ImportOf,
  opened: readonly (OpeningBottles & { userId: number })[],
): Promise<void> {
  if (opened.length === 0) return
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(ctx.now))
  const fixed = { vendorId, kind: 'opening', day, happenedAt: ctx.now, notes: fileName } as const
  await inBatches(opened, async (batch) => {
    const places = await run<{ id: number | null }>(ctx.db, addressesSql, [
      batch.map(({ userId }) => userId),
      batch.map(({ address }) => address),
    ])
    const entries = batch.map(({ userId, typeId, row, count, deposit }, i) => ({
      ...fixed,
      customerId: userId,
      typeId,
      count,
      due: deposit,
      addressId: places[i]?.id ?? null,
      key: `${prefixOf(importId)}${userId}:${typeId}:${row}`,
    }))
    await postBottles(ctx, entries)
  })
}

const openedSql = statement(
  'import-bottles-opened',
  `select e.holder_id as "customerId", e.bottle_type_id as "typeId", e.address_id as "addressId", e.amount::int as count,
     e.due::float8 as due, e.key, exists (select from ledger_entries o where o.ledger = 'bottles' and o.vendor_id = $1
       and o.holder_id = e.holder_id and o.bottle_type_id = e.bottle_type_id and o.id > e.id and not starts_with(o.key, $3)) as "hasMoved"
   from ledger_entries e where e.ledger = 'bottles' and e.vendor_id = $1 and e.holder_id = any($2::integer[])
     and starts_with(e.key, $3) order by e.id`,
)
type Opened = Pick<BottleEntry, 'typeId' | 'addressId' | 'count' | 'due' | 'key'> & {
  customerId: number
  hasMoved: boolean
}

/** Takes back by opposite entries what an import has opened, but for types of which the customer's bottles have moved since. */
export async function takeBackOpening(
  ctx: Ctx,
  { id: importId, vendorId, fileName }: ImportOf,
  rows: readonly ImportedRow[],
): Promise<RowFailure[]> {
  const kept: RowFailure[] = []
  const users = rows.flatMap(({ userId, hasBottles }) => (hasBottles ? [userId] : []))
  if (users.length === 0) return kept
  const opened = await run<Opened>(ctx.db, openedSql, [vendorId, users, prefixOf(importId)])
  const rowOf = new Map(rows.map((row) => [row.userId, row]))
  for (const { customerId, hasMoved } of opened) {
    const row = rowOf.get(customerId)
    if (hasMoved && row)
      reporter<CustomerColumn>(kept, row, translatorFor(ctx.actor.lang))('bottles', 'customerFile.undo.bottles')
  }
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(ctx.now))
  const fixed = { vendorId, kind: 'opening', day, happenedAt: ctx.now, notes: fileName } as const
  const back = opened.filter(({ hasMoved }) => !hasMoved)
  await inBatches(back, async (batch) => {
    const entries = batch.map(({ hasMoved: _, count, due, key, ...one }) => {
      const undone = { ...fixed, ...one, count: -count, due: -due, key: `${key}:undone` }
      return undone
    })
    await postBottles(ctx, entries)
  })
  return kept
}
