import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const fact = z.nullable(z.string())

/** What every page needs to know of this installation; a fact that is not set is null and not shown. */
export const site = z.object({
  origin: z.string(),
  company: z.object({
    name: fact,
    nameAr: fact,
    address: fact,
    addressAr: fact,
    crNumber: fact,
    vatNumber: fact,
  }),
  support: z.object({ phone: fact, whatsapp: fact, email: fact }),
  social: z.object({ instagram: fact }),
  apps: z.object({ ios: fact, android: fact }),
  /** Address template of map tiles; null draws Bahrain from our own outline. */
  tileUrl: fact,
  simulator: z.boolean(),
  /** Ids of third-party analytics, each loaded after consent only. */
  analytics: z.object({ ga: fact, meta: fact, snap: fact }),
  /** Bahrain date an order placed now arrives, where the vendor has no closure or cut-off of its own. */
  promisedDate: z.string(),
})
export type Site = z.output<typeof site>

export const getSite = endpoint({
  method: 'GET',
  path: '/api/site',
  allow: 'anyone',
  summary: 'Facts of this installation',
  returns: site,
})
