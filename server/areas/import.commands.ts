import type { Output, Parsed } from '@qatra/contract/endpoint'
import {
  type AreaWarning,
  areaCodeInput,
  areaNameArInput,
  areaNameInput,
  type importAreas as importing,
} from '@qatra/contract/places/areas-admin'
import type { Steps } from '@qatra/contract/places/outline'
import { inArray } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { checked, type Refuse } from '../import/columns.ts'
import { applyPlan, countKnown } from '../import/import.ts'
import type { Report } from '../import/rows.ts'
import { type AreaFacts, codeOf, emitCreated, insertArea, rewriteArea } from './admin.commands.ts'
import { outlineWarnings } from './admin.queries.ts'
import { areas as shipped } from './bahrain/areas.ts'
import { firstOf, type Outlined, readFeatures, textOf } from './features.ts'
import type { AreaSnapshot, CatalogueArea } from './snapshot.ts'
import { areas, boxText } from './tables.ts'
import { runYielding } from './yielding.ts'

type Answer = Output<typeof importing>

interface Named {
  areaId: string
  /** Null keeps the existing area's name. */
  name: string | null
  nameAr: string | null | undefined
}
type Accepted = Outlined<Named>

/**
 * Checks all features first, without a transaction and yielding to other requests; then writes them in one transaction.
 * @throws BULK_REFUSED with the problem of each invalid feature, unless the import is partial
 */
export async function importAreas(
  app: App,
  ctx: Ctx,
  known: AreaSnapshot,
  { query, body }: Pick<Parsed<typeof importing>, 'query' | 'body'>,
): Promise<Answer> {
  const codes = new Set([...known.areas.values()].map(({ areaId }) => areaId))
  const { accepted, failed } = await runYielding(
    readFeatures(ctx, body.features, {
      read: (properties, refuse) => namesOf(properties, codes, refuse),
      keyOf: ({ areaId }) => areaId,
      repeated: ['properties.areaId', 'validation.areaRepeated'],
    }),
  )
  const counts = countKnown(accepted, ({ areaId }) => codes.has(areaId))
  const write = async (inside: Ctx) => ({ counts: await writeAreas(inside, accepted) })
  const done = await applyPlan(ctx, app, async () => ({ failed, counts, write }), query)
  return { ...done, warnings: await runYielding(warningsOfAll(known, accepted)) }
}

/** Code and names from a feature's properties; null if they are invalid. */
function namesOf(properties: unknown, codes: ReadonlySet<string>, refuse: Report<string>): Named | null {
  const first = (...keys: string[]) => firstOf(properties, keys)
  const at =
    (field: string): Refuse =>
    (key, values) =>
      refuse(`properties.${field}`, key, values)
  const code = first('areaId', 'code')
  const areaId = code === undefined ? null : checked(areaCodeInput, textOf(code), at('areaId'))
  const sentName = first('name', 'name_en', 'name:en')
  const mayKeep = areaId !== null && codes.has(areaId) && sentName === undefined
  const name = mayKeep ? null : checked(areaNameInput, sentName, at('name'))
  const sentAr = first('nameAr', 'name_ar', 'name:ar')
  const nameAr = sentAr === undefined ? undefined : checked(areaNameArInput, sentAr, at('nameAr'))
  const isRefused = (code !== undefined && areaId === null) || (!mayKeep && name === null) || nameAr === null
  return isRefused
    ? null
    : { areaId: areaId ?? codeOf(name ?? ''), name, nameAr: nameAr === undefined ? undefined : nameAr || null }
}

const byCode = ({ areas: known }: AreaSnapshot) => new Map([...known.values()].map((area) => [area.areaId, area]))

async function writeAreas(ctx: Ctx, accepted: readonly Accepted[]) {
  if (accepted.length === 0) return { created: 0, updated: 0 }
  const codes = accepted.map(({ areaId }) => areaId)
  const rows = await ctx.db.select().from(areas).where(inArray(areas.areaId, codes)).orderBy(areas.id).for('update')
  const there = new Map(rows.map((row) => [row.areaId, row]))
  for (const { areaId, name, nameAr, geometry } of accepted) {
    const before = there.get(areaId)
    const facts: AreaFacts = {
      areaId,
      geometry,
      name: name ?? before?.name ?? areaId,
      nameAr: nameAr === undefined ? (before?.nameAr ?? null) : nameAr,
    }
    if (before) await rewriteArea(ctx, before, facts)
    else await insertArea(ctx, facts)
  }
  return { created: accepted.length - rows.length, updated: rows.length }
}

/** Limit of the problems listed for one import. */
const MOST_WARNINGS = 200

/** Compares with the areas as they will be after the import. */
function* warningsOfAll(known: AreaSnapshot, accepted: readonly Accepted[]): Steps<(AreaWarning & { row: number })[]> {
  const there = byCode(known)
  const areasAfter = new Map<number, CatalogueArea>(known.areas)
  const subjects = accepted.map((one, i) => {
    const before = there.get(one.areaId)
    // New areas have no id yet and get a temporary negative one.
    const id = before?.id ?? -1 - i
    const { areaId, geometry } = one
    const name = one.name ?? before?.name ?? areaId
    const nameAr = one.nameAr === undefined ? (before?.nameAr ?? null) : one.nameAr
    areasAfter.set(id, { id, areaId, name, nameAr, geometry, centre: { lat: 0, lng: 0 } })
    return { id, row: one.row, geometry }
  })
  const warnings: (AreaWarning & { row: number })[] = []
  for (const { row, ...subject } of subjects) {
    if (warnings.length >= MOST_WARNINGS) break
    for (const warning of yield* outlineWarnings({ areas: areasAfter }, subject)) {
      const id = warning.id !== null && warning.id < 0 ? null : warning.id
      warnings.push({ ...warning, id, row })
    }
    yield
  }
  return warnings
}

/** Rows of Bahrain's areas as they are shipped. */
export const shippedRows = () =>
  shipped.map(({ areaId, name, nameAr, geometry, centre: { lat, lng } }) => {
    return { areaId, name, nameAr, geometry, bounds: boxText(geometry), centreLat: lat, centreLng: lng }
  })

/** Inserts the areas whose code is missing; concurrent and repeated calls insert each once. */
export async function installAreas(ctx: Ctx): Promise<{ created: number }> {
  const rows = shippedRows()
  const written = await ctx.db
    .insert(areas)
    .values(rows)
    .onConflictDoNothing({ target: areas.areaId })
    .returning({ id: areas.id, areaId: areas.areaId })
  const byCode = new Map(rows.map((row) => [row.areaId, row]))
  for (const { id, areaId } of written) {
    const facts = byCode.get(areaId)
    if (facts) await emitCreated(ctx, id, facts)
  }
  return { created: written.length }
}
