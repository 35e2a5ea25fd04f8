import {
  type AreaWarning,
  areaCodeInput,
  areaNameArInput,
  areaNameInput,
  type FailedFeature,
  type importAreas as importing,
} from '@qatra/contract/areas-admin'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fieldWords, type ValidationKey } from '@qatra/contract/fields'
import type { AreaGeometry } from '@qatra/contract/geo'
import { readOutline, type Steps } from '@qatra/contract/outline'
import { inArray } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { AppError } from '../lib/errors.ts'
import { translatorFor } from '../lib/translate.ts'
import { type AreaFacts, codeOf, insertArea, rewriteArea } from './admin.commands.ts'
import { warningsBeside } from './admin.queries.ts'
import type { AreaSnapshot, CatalogueArea } from './snapshot.ts'
import { areas } from './tables.ts'
import { runYielding } from './yielding.ts'

type Answer = Output<typeof importing>

interface Accepted {
  row: number
  areaId: string
  /** Null keeps the existing area's name. */
  name: string | null
  nameAr: string | null | undefined
  geometry: AreaGeometry
}
interface Read {
  accepted: Accepted[]
  failed: FailedFeature[]
}

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
  const { accepted, failed } = await runYielding(readFeatures(ctx, known, body.features))
  if (failed.length > 0 && !query.dryRun && !query.partial) throw new AppError('BULK_REFUSED', { failed })
  const counts = query.dryRun ? plannedCounts(known, accepted) : await write(app, ctx, accepted)
  const warnings = await runYielding(warningsOfAll(known, accepted))
  return { ...counts, failed, warnings }
}

function* readFeatures(ctx: Ctx, known: AreaSnapshot, features: readonly unknown[]): Steps<Read> {
  const words = translatorFor(ctx.actor.lang)
  const read: Read = { accepted: [], failed: [] }
  const codes = new Set([...known.areas.values()].map(({ areaId }) => areaId))
  const inFile = new Set<string>()
  for (const [index, feature] of features.entries()) {
    const row = index + 1
    const refuse = (field: string, key: ValidationKey, values?: Record<string, number>) =>
      void read.failed.push({ row, field, reason: words(key, values) })
    if (partOf(feature, 'type') !== 'Feature') {
      refuse('type', 'validation.feature')
      continue
    }
    const named = namesOf(partOf(feature, 'properties'), codes, refuse)
    if (named && inFile.has(named.areaId)) refuse('properties.areaId', 'validation.areaRepeated')
    if (named) inFile.add(named.areaId)
    const outline = yield* readOutline(partOf(feature, 'geometry'))
    if ('problem' in outline) {
      const { path, key } = outline.problem
      refuse(path ? `geometry.${path}` : 'geometry', key)
    } else if (named && read.failed.at(-1)?.row !== row) {
      read.accepted.push({ ...named, row, geometry: outline.geometry })
    }
    yield
  }
  return read
}

type Refuse = (field: string, key: ValidationKey, values?: Record<string, number>) => void

/** Code and names from a feature's properties; null if they are invalid. */
function namesOf(properties: unknown, codes: ReadonlySet<string>, refuse: Refuse) {
  const first = (...keys: string[]) =>
    keys.map((key) => partOf(properties, key) ?? undefined).find((value) => value !== undefined)
  const code = first('areaId', 'code')
  const areaId = code === undefined ? null : checked(areaCodeInput, textOf(code), 'properties.areaId', refuse)
  const sentName = first('name', 'name_en', 'name:en')
  const mayKeep = areaId !== null && codes.has(areaId) && sentName === undefined
  const name = mayKeep ? null : checked(areaNameInput, sentName, 'properties.name', refuse)
  const sentAr = first('nameAr', 'name_ar', 'name:ar')
  const nameAr = sentAr === undefined ? undefined : checked(areaNameArInput, sentAr, 'properties.nameAr', refuse)
  const isRefused = (code !== undefined && areaId === null) || (!mayKeep && name === null) || nameAr === null
  return isRefused
    ? null
    : { areaId: areaId ?? codeOf(name ?? ''), name, nameAr: nameAr === undefined ? undefined : nameAr || null }
}

function checked(schema: z.ZodMiniType<string>, value: unknown, field: string, refuse: Refuse): string | null {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const { key, values } = issue ? fieldWords(issue) : { key: 'validation.invalid' as const, values: undefined }
  refuse(field, value === undefined ? 'validation.required' : key, values)
  return null
}

/** Codes are often written as numbers. */
const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value)

function partOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key] // an own key of an object
}

const byCode = ({ areas: known }: AreaSnapshot) => new Map([...known.values()].map((area) => [area.areaId, area]))

function plannedCounts(known: AreaSnapshot, accepted: readonly Accepted[]) {
  const there = byCode(known)
  const updated = accepted.filter(({ areaId }) => there.has(areaId)).length
  return { created: accepted.length - updated, updated }
}

async function write(app: App, ctx: Ctx, accepted: readonly Accepted[]) {
  if (accepted.length === 0) return { created: 0, updated: 0 }
  const codes = accepted.map(({ areaId }) => areaId)
  return inTransaction(app.pool, async (db) => {
    const inside: Ctx = { ...ctx, db }
    const rows = await db.select().from(areas).where(inArray(areas.areaId, codes)).orderBy(areas.id).for('update')
    const there = new Map(rows.map((row) => [row.areaId, row]))
    for (const { areaId, name, nameAr, geometry } of accepted) {
      const before = there.get(areaId)
      const facts: AreaFacts = {
        areaId,
        geometry,
        name: name ?? before?.name ?? areaId,
        nameAr: nameAr === undefined ? (before?.nameAr ?? null) : nameAr,
      }
      if (before) await rewriteArea(inside, before, facts)
      else await insertArea(inside, facts)
    }
    return { created: accepted.length - rows.length, updated: rows.length }
  })
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
    for (const warning of yield* warningsBeside({ areas: areasAfter }, subject)) {
      const id = warning.id !== null && warning.id < 0 ? null : warning.id
      warnings.push({ ...warning, id, row })
    }
    yield
  }
  return warnings
}
