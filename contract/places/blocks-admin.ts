import * as z from 'zod/mini'
import { dayInput } from '../calendar/dates.ts'
import { endpoint } from '../endpoint.ts'
import { day, done, idParams } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { lineText } from '../lib/text.ts'
import { importQuery } from '../lib/upload.ts'
import { areaName } from './areas.ts'
import { failedFeature, featureCollection } from './areas-admin.ts'

/** An imported block of Bahrain's addresses: a numbered district with an outline. */
export const block = z.object({
  id: z.number(),
  number: z.number(),
  /** Null for a block outside of all areas. */
  area: z.nullable(areaName),
  /** Who published the outline, and when. */
  source: z.string(),
  date: day,
})
export type Block = z.output<typeof block>

export const blockNumber = /* @__PURE__ */ z
  .int('validation.block')
  .check(z.gte(100, 'validation.block'), z.lte(9999, 'validation.block'))

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/admin/blocks',
  allow: 'admin',
  permissions: ['areas.read'],
  summary: 'Imported blocks by number',
  query: z.object({
    ...pageQuery.shape,
    /** The first digits of a number, or part of an area’s name. */
    search: z.optional(z.string().check(z.maxLength(100))),
  }),
  returns: page(block),
})

export const importBlocks = endpoint({
  method: 'POST',
  path: '/api/admin/blocks/import',
  allow: 'super',
  permissions: ['areas.write'],
  summary:
    'Import a GeoJSON FeatureCollection of blocks: `properties.number` or `block`, optionally `areaId` (an area’s code). Known numbers are updated. All or nothing unless `partial=true`; `dryRun=true` changes nothing',
  query: importQuery,
  body: z.extend(featureCollection, {
    source: lineText(200).check(z.minLength(3, 'validation.blockSource')),
    date: dayInput,
  }),
  returns: z.object({
    created: z.number(),
    updated: z.number(),
    /** Accepted blocks outside of all areas: latitude and longitude may be swapped. */
    outside: z.number(),
    failed: z.array(failedFeature),
  }),
  errors: ['BULK_REFUSED'],
})

export const deleteBlock = endpoint({
  method: 'DELETE',
  path: '/api/admin/blocks/{id}',
  allow: 'super',
  permissions: ['areas.write'],
  summary: 'Remove a block; existing orders keep their address',
  params: idParams,
  returns: done,
  errors: ['BLOCK_NOT_FOUND'],
})

export const deleteBlocks = endpoint({
  method: 'DELETE',
  path: '/api/admin/blocks',
  allow: 'super',
  permissions: ['areas.write'],
  summary: 'Remove all blocks; existing orders keep their address',
  returns: z.object({ removed: z.number() }),
})
