import type { Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/lib/text'
import type {
  AreaWarning,
  updateArea as change,
  createArea as create,
  ManagedArea,
} from '@qatra/contract/places/areas-admin'
import { pointInside } from '@qatra/contract/places/coverage'
import type { AreaGeometry } from '@qatra/contract/places/geo'
import { outlineProblem } from '@qatra/contract/places/outline'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { type Change, emit } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { requireManagedArea, outlineWarnings } from './admin.queries.ts'
import type { AreaSnapshot } from './snapshot.ts'
import { areas, boxText } from './tables.ts'
import { runYielding } from './yielding.ts'

type Warned = ManagedArea & { warnings: AreaWarning[] }
export type AreaRow = typeof areas.$inferSelect

/** Fields of an area as they are written. Bounds and centre are computed from the outline by `placed` only. */
export interface AreaFacts {
  areaId: string
  name: string
  nameAr: string | null
  geometry: AreaGeometry
}

export async function createArea(ctx: Ctx, known: AreaSnapshot, body: Parsed<typeof create>['body']): Promise<Warned> {
  await requireSound(ctx, body.geometry)
  const code = body.areaId ?? freeCode(known, body.name)
  const id = await insertArea(ctx, { ...body, nameAr: body.nameAr || null, areaId: code })
  return warned(ctx, known, id)
}

export async function updateArea(
  ctx: Ctx,
  known: AreaSnapshot,
  id: number,
  body: Parsed<typeof change>['body'],
): Promise<Warned> {
  if (body.geometry) await requireSound(ctx, body.geometry)
  const [before] = await ctx.db.select().from(areas).where(eq(areas.id, id)).for('update')
  if (!before) throw new AppError('AREA_NOT_FOUND')
  const { name = before.name, areaId = before.areaId, geometry = before.geometry } = body
  const nameAr = body.nameAr === undefined ? before.nameAr : body.nameAr || null
  if (areaId !== before.areaId && (await codeOwner(ctx, areaId)) !== null)
    throw invalidFields(ctx, { areaId: 'validation.areaCodeTaken' })
  await rewriteArea(ctx, before, { areaId, name, nameAr, geometry })
  return warned(ctx, known, id)
}

/** Links of vendors are deleted too; orders keep their copy of the name. */
export async function deleteArea(ctx: Ctx, id: number): Promise<{ success: true }> {
  const [gone] = await ctx.db.delete(areas).where(eq(areas.id, id)).returning()
  if (!gone) throw new AppError('AREA_NOT_FOUND')
  await record(ctx, 'deleted', id, differences(gone, null))
  return { success: true }
}

/** @throws INVALID_BODY if another area has the code */
export async function insertArea(ctx: Ctx, facts: AreaFacts): Promise<number> {
  const [row] = await ctx.db
    .insert(areas)
    .values({ ...facts, ...placed(facts.geometry) })
    .onConflictDoNothing({ target: areas.areaId })
    .returning({ id: areas.id })
  if (!row) throw invalidFields(ctx, { areaId: 'validation.areaCodeTaken' })
  await emitCreated(ctx, row.id, facts)
  return row.id
}

export const emitCreated = (ctx: Ctx, id: number, facts: AreaFacts) =>
  record(ctx, 'created', id, differences(null, facts))

export async function rewriteArea(ctx: Ctx, before: AreaRow, facts: AreaFacts): Promise<void> {
  const changes = differences(before, facts)
  if (changes.length === 0) return
  const hasMoved = changes.some(({ field }) => field === 'geometry')
  await ctx.db
    .update(areas)
    .set({ ...facts, ...(hasMoved ? placed(facts.geometry) : {}) })
    .where(eq(areas.id, before.id))
  await record(ctx, 'updated', before.id, changes)
}

/** The bounding box for lookups by point, and the pin of an area that is chosen from a list. */
function placed(geometry: AreaGeometry) {
  const { lat, lng } = pointInside(geometry)
  return { geometry, bounds: boxText(geometry), centreLat: lat, centreLng: lng }
}

const fields = ['areaId', 'name', 'nameAr', 'geometry'] as const

function differences(before: AreaFacts | null, after: AreaFacts | null): Change[] {
  return fields.flatMap((field) => {
    const [from, to] = [before?.[field] ?? null, after?.[field] ?? null]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }]
  })
}

const record = (ctx: Ctx, action: ActionOf<'area'>, id: number, changes: Change[]) =>
  emit(ctx, { name: `area.${action}`, action, resource: 'area', id, changes })

async function requireSound(ctx: Ctx, geometry: AreaGeometry) {
  const problem = await runYielding(outlineProblem(geometry))
  if (problem) throw invalidFields(ctx, { [`geometry.${problem.path}`]: problem.key })
}

async function codeOwner(ctx: Ctx, areaId: string): Promise<number | null> {
  const [row] = await ctx.db.select({ id: areas.id }).from(areas).where(eq(areas.areaId, areaId))
  return row?.id ?? null
}

/** A code made from a name: letters and digits separated by dashes. */
export const codeOf = (name: string): string =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 50) || 'area'

function freeCode({ areas: known }: AreaSnapshot, name: string): string {
  const taken = new Set([...known.values()].map(({ areaId }) => areaId))
  const code = codeOf(name)
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? code : `${code}-${n}`
    if (!taken.has(candidate)) return candidate
  }
}

async function warned(ctx: Ctx, known: AreaSnapshot, id: number): Promise<Warned> {
  const area = await requireManagedArea(ctx, id)
  return { ...area, warnings: await runYielding(outlineWarnings(known, area)) }
}
