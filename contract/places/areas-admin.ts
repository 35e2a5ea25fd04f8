import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idParams, instant } from '../lib/ids.ts'
import { lineText } from '../lib/text.ts'
import { importQuery } from '../lib/upload.ts'
import { area } from './areas.ts'
import { type AreaGeometry, areaGeometry, coordinates, type Position } from './geo.ts'

/** An area in the admin area. `vendorIds` contains all linked vendors, inactive ones included. */
export const managedArea = z.extend(area, { oldDbId: z.nullable(z.string()), createdAt: instant })
export type ManagedArea = z.output<typeof managedArea>

/**
 * A warning that does not reject the outline: ground shared with another area, land next to the area that no area
 * covers, or an outline outside of Bahrain that would be inside with latitude and longitude swapped.
 */
export const areaWarning = z.object({
  kind: z.enum(['overlap', 'gap', 'swapped']),
  /** The other area of an overlap. */
  id: z.nullable(z.number()),
  name: z.nullable(z.string()),
  nameAr: z.nullable(z.string()),
  squareMetres: z.nullable(z.number()),
  /** A point in the middle of the overlap or gap. */
  at: z.nullable(coordinates),
  /** Line segments that hatch it on a map. */
  strokes: z.array(z.array(z.custom<Position>())),
})
export type AreaWarning = z.output<typeof areaWarning>
const withWarnings = z.extend(managedArea, { warnings: z.array(areaWarning) })

export const areaNameInput = /* @__PURE__ */ lineText(100).check(z.minLength(1, 'validation.name'))
export const areaNameArInput = /* @__PURE__ */ lineText(100)
/** Code of an area outside this system. */
export const areaCodeInput = /* @__PURE__ */ z
  .string('validation.areaCode')
  .check(
    z.trim(),
    z.maxLength(60, 'validation.areaCode'),
    z.regex(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._-]*$/u, 'validation.areaCode'),
  )

/** An outline as editors write it, with a height as the third number of a place. Heights are not kept. */
export const areaGeometryInput = /* @__PURE__ */ z.pipe(
  z.transform((geometry: AreaGeometry): unknown =>
    isObject(geometry) && 'coordinates' in geometry
      ? { ...geometry, coordinates: withoutHeights(geometry.coordinates, 4) }
      : geometry,
  ),
  areaGeometry,
)

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** Lists are nested up to four deep. */
function withoutHeights(value: unknown, depth: number): unknown {
  if (!Array.isArray(value) || depth === 0) return value
  if (value.length === 3 && value.every((each) => typeof each === 'number')) return value.slice(0, 2)
  return value.map((each) => withoutHeights(each, depth - 1))
}

export const listManagedAreas = endpoint({
  method: 'GET',
  path: '/api/admin/areas',
  allow: 'admin',
  permissions: ['areas.read'],
  summary: 'Areas with outlines and the vendors that serve them, sorted by name',
  returns: z.array(managedArea),
})

export const createArea = endpoint({
  method: 'POST',
  path: '/api/admin/areas',
  allow: 'super',
  permissions: ['areas.write'],
  summary: 'Create an area; without a code, it is derived from the name',
  body: z.object({
    name: areaNameInput,
    nameAr: z.optional(z.nullable(areaNameArInput)),
    areaId: z.optional(areaCodeInput),
    geometry: areaGeometryInput,
  }),
  returns: withWarnings,
})

export const updateArea = endpoint({
  method: 'PATCH',
  path: '/api/admin/areas/{id}',
  allow: 'super',
  permissions: ['areas.write'],
  summary: 'Change name, code or outline; existing orders keep the old name',
  params: idParams,
  body: z.object({
    name: z.optional(areaNameInput),
    nameAr: z.optional(z.nullable(areaNameArInput)),
    areaId: z.optional(areaCodeInput),
    geometry: z.optional(areaGeometryInput),
  }),
  returns: withWarnings,
  errors: ['AREA_NOT_FOUND'],
})

export const deleteArea = endpoint({
  method: 'DELETE',
  path: '/api/admin/areas/{id}',
  allow: 'super',
  permissions: ['areas.write'],
  summary: 'Delete an area and remove it from all vendors; existing orders keep its name',
  params: idParams,
  returns: z.object({ success: z.literal(true) }),
  errors: ['AREA_NOT_FOUND'],
})

export const failedFeature = z.object({
  /** Number of the feature, from 1. */
  row: z.number(),
  field: z.string(),
  /** In the request's language. */
  reason: z.string(),
})
export type FailedFeature = z.output<typeof failedFeature>

export const featureCollection = z.object({
  type: z.literal('FeatureCollection', 'validation.featureCollection'),
  features: z
    .array(z.unknown(), 'validation.featureCollection')
    .check(z.minLength(1, 'validation.features'), z.maxLength(1000, 'validation.features')),
})

export const importAreas = endpoint({
  method: 'POST',
  path: '/api/admin/areas/import',
  allow: 'super',
  permissions: ['areas.write'],
  summary:
    'Import a GeoJSON FeatureCollection: updates the areas named by `properties.areaId` or `code`, creates the others. All or nothing unless `partial=true`; `dryRun=true` changes nothing',
  query: importQuery,
  body: featureCollection,
  returns: z.object({
    created: z.number(),
    updated: z.number(),
    failed: z.array(failedFeature),
    /** Warnings of accepted areas, by the row of the feature. */
    warnings: z.array(z.extend(areaWarning, { row: z.number() })),
  }),
  errors: ['BULK_REFUSED'],
})
