import type { AreaGeometry } from '@qatra/contract/places/geo'
import { readOutline, type Steps } from '@qatra/contract/places/outline'
import type { Ctx } from '../database/context.ts'
import type { RowFailure } from '../import/problem.ts'
import { type Report, reporter } from '../import/rows.ts'
import { translatorFor } from '../lib/translate.ts'

/** A valid feature: its number from 1, the facts of its properties, and its outline. */
export type Outlined<Facts> = Facts & { row: number; geometry: AreaGeometry }

interface Rules<Facts> {
  /** Facts from untrusted properties; null if they were refused. */
  read(properties: unknown, refuse: Report<string>): Facts | null
  /** Two features of one file must differ in it. */
  keyOf(facts: Facts): string | number
  repeated: readonly [field: string, key: string]
}

/** Reads untrusted GeoJSON features: at most one file's worth, without trusting any shape, yielding between steps. */
export function* readFeatures<Facts>(
  ctx: Ctx,
  features: readonly unknown[],
  { read, keyOf, repeated }: Rules<Facts>,
): Steps<{ accepted: Outlined<Facts>[]; failed: RowFailure[] }> {
  const words = translatorFor(ctx.actor.lang)
  const accepted: Outlined<Facts>[] = []
  const failed: RowFailure[] = []
  const inFile = new Set<string | number>()
  for (const [index, feature] of features.entries()) {
    const row = index + 1
    const refuse = reporter<string>(failed, { row }, words)
    if (partOf(feature, 'type') !== 'Feature') {
      refuse('type', 'validation.feature')
      continue
    }
    const facts = read(partOf(feature, 'properties'), refuse)
    if (facts && inFile.has(keyOf(facts))) refuse(...repeated)
    if (facts) inFile.add(keyOf(facts))
    const outline = yield* readOutline(partOf(feature, 'geometry'))
    if ('problem' in outline) {
      const { path, key } = outline.problem
      refuse(path ? `geometry.${path}` : 'geometry', key)
    } else if (facts && failed.at(-1)?.row !== row) {
      accepted.push({ ...facts, row, geometry: outline.geometry })
    }
    yield
  }
  return { accepted, failed }
}

/** Codes are often written as numbers. */
export const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/** The first of these properties that has a value. */
export const firstOf = (properties: unknown, keys: readonly string[]): unknown =>
  keys.map((key) => partOf(properties, key) ?? undefined).find((value) => value !== undefined)

function partOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key] // an own key of an object
}
