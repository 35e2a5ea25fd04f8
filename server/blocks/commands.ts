import type { Output, Parsed } from '@qatra/contract/endpoint'
import { blockNumberIn } from '@qatra/contract/places/block-hundreds'
import { blockNumber, type importBlocks as importing } from '@qatra/contract/places/blocks-admin'
import { pointInside } from '@qatra/contract/places/coverage'
import type { Steps } from '@qatra/contract/places/outline'
import { eq, sql } from 'drizzle-orm'
import { firstOf, type Outlined, readFeatures, textOf } from '../areas/features.ts'
import { areaAt } from '../areas/queries.ts'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { boxText } from '../areas/tables.ts'
import { runYielding } from '../areas/yielding.ts'
import type { Ctx } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { checked } from '../import/columns.ts'
import { applyPlan, countKnown } from '../import/import.ts'
import type { Report } from '../import/rows.ts'
import { emit } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import type { BlockSnapshot } from './snapshot.ts'
import { blocks } from './tables.ts'

type Body = Parsed<typeof importing>['body']
interface Numbered {
  number: number
  /** The named area; null if the outline decides. */
  areaId: number | null
}
type Row = typeof blocks.$inferInsert & Numbered

/**
 * Checks all features first, without a transaction and yielding to other requests; then writes them in one statement.
 * @throws BULK_REFUSED with the problem of each invalid feature, unless the import is partial
 */
export async function importBlocks(
  app: App,
  ctx: Ctx,
  known: AreaSnapshot & BlockSnapshot,
  { query, body }: Pick<Parsed<typeof importing>, 'query' | 'body'>,
): Promise<Output<typeof importing>> {
  const areaIds = new Map([...known.areas.values()].map(({ id, areaId }) => [areaId, id]))
  const { accepted, failed } = await runYielding(
    readFeatures(ctx, body.features, {
      read: (properties, refuse) => numberedOf(properties, areaIds, refuse),
      keyOf: ({ number }) => number,
      repeated: ['properties.number', 'validation.blockRepeated'],
    }),
  )
  const rows = await runYielding(rowsOf(known, accepted, body))
  const outside = rows.filter(({ areaId }) => areaId === null).length
  const counts = countKnown(rows, ({ number }) => known.blocks.has(number))
  const write = async (inside: Ctx) => ({ counts: await writeBlocks(inside, rows, body) })
  return { ...(await applyPlan(ctx, app, async () => ({ failed, counts, write }), query)), outside }
}

/** Number and area from a feature's properties; null if they are invalid. */
function numberedOf(
  properties: unknown,
  areaIds: ReadonlyMap<string, number>,
  refuse: Report<string>,
): Numbered | null {
  const sent = firstOf(properties, ['number', 'block', 'blockNumber', 'block_no', 'BLOCK_NO', 'BLOCK'])
  const read = typeof sent === 'string' ? (blockNumberIn(sent) ?? sent) : sent
  const number = checked(blockNumber, read, (...problem) => refuse('properties.number', ...problem))
  const code = firstOf(properties, ['areaId'])
  const areaId = areaIds.get(String(textOf(code)))
  if (code !== undefined && areaId === undefined) refuse('properties.areaId', 'validation.blockArea')
  return number === null ? null : { number, areaId: areaId ?? null }
}

/** Sorted by number, so that two imports lock their rows in one order. */
function* rowsOf(known: AreaSnapshot, accepted: readonly Outlined<Numbered>[], { source, date }: Body): Steps<Row[]> {
  const rows: Row[] = []
  for (const { number, areaId, geometry } of accepted.toSorted((a, b) => a.number - b.number)) {
    const centre = pointInside(geometry)
    rows.push({
      number,
      geometry,
      source,
      areaId: areaId ?? areaAt(known, centre)?.id ?? null,
      bounds: boxText(geometry),
      centreLat: centre.lat,
      centreLng: centre.lng,
      publishedOn: date,
    })
    yield
  }
  return rows
}

async function writeBlocks(ctx: Ctx, rows: Row[], { source, date }: Body) {
  if (rows.length === 0) return { created: 0, updated: 0 }
  const written = await ctx.db
    .insert(blocks)
    .values(rows)
    .onConflictDoUpdate({
      target: blocks.number,
      set: {
        areaId: sql`excluded.area_id`,
        geometry: sql`excluded.geometry`,
        bounds: sql`excluded.bounds`,
        centreLat: sql`excluded.centre_lat`,
        centreLng: sql`excluded.centre_lng`,
        source: sql`excluded.source`,
        publishedOn: sql`excluded.published_on`,
        updatedAt: sql`now()`,
      },
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  const created = written.filter(({ isNew }) => isNew).length
  await record(ctx, 'imported', null, { count: rows.length, source, date })
  return { created, updated: rows.length - created }
}

export async function deleteBlock(ctx: Ctx, id: number): Promise<{ success: true }> {
  const [gone] = await ctx.db.delete(blocks).where(eq(blocks.id, id)).returning({ number: blocks.number })
  if (!gone) throw new AppError('BLOCK_NOT_FOUND')
  await record(ctx, 'deleted', gone.number)
  return { success: true }
}

export async function deleteBlocks(ctx: Ctx): Promise<{ removed: number }> {
  const { rowCount } = await ctx.db.delete(blocks)
  const removed = rowCount ?? 0
  if (removed > 0) await record(ctx, 'deleted', null, { count: removed })
  return { removed }
}

/** @param number null for many blocks */
const record = (
  ctx: Ctx,
  action: ActionOf<'block'>,
  number: number | null,
  facts: Record<string, string | number> = {},
) =>
  emit(ctx, {
    name: `block.${action}`,
    action,
    resource: number === null ? 'blocks' : 'block',
    id: number ?? '',
    changes: Object.entries(facts).map(([field, to]) => ({ field, from: null, to })),
  })
