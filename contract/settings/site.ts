import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

const fact = z.nullable(z.string())

/** Facts about the company, entered at /admin/settings. Unset ones are null and are not shown. */
export const companyFacts = {
  company: z.object({
    /** Legal name. */
    name: fact,
    nameAr: fact,
    address: fact,
    addressAr: fact,
    crNumber: fact,
    vatNumber: fact,
  }),
  support: z.object({
    /** E.164 */
    phone: fact,
    whatsapp: fact,
    email: fact,
    hours: fact,
    hoursAr: fact,
  }),
  social: z.object({ instagram: fact, x: fact, tiktok: fact }),
  apps: z.object({ ios: fact, android: fact }),
}

/** Facts about this installation that every page needs. */
export const site = z.object({
  origin: z.string(),
  ...companyFacts,
  /** URL template of map tiles; null draws the built-in outline of Bahrain. */
  tileUrl: fact,
  simulator: z.boolean(),
  /** Ids of third-party analytics, each loaded only after consent. */
  analytics: z.object({ ga: fact, meta: fact, snap: fact }),
  /** Today in Bahrain. */
  today: z.string(),
  /** Bahrain date of delivery for an order placed now with a vendor that has no closures and no cut-off. */
  promisedDate: z.string(),
})
export type Site = z.output<typeof site>

export const getSite = endpoint({
  method: 'GET',
  path: '/api/site',
  allow: 'anyone',
  summary: 'Settings of this installation that the pages need',
  returns: site,
})
