import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { pointQuery } from './areas.ts'

/** Links to a map are long. */
export const longestSearch = 500

export const place = z.object({
  lat: z.number(),
  lng: z.number(),
  address: z.string(),
  display_name: z.string(),
  /** The imported block of the place; null if no block covers it, or if the place is only a name. */
  block: z.nullable(z.number()),
  /** The text says this very point, by coordinates or a shared link. */
  isExact: z.optional(z.literal(true)),
})
export type Place = z.output<typeof place>

export const searchPlaces = endpoint({
  method: 'GET',
  path: '/api/geocode/search',
  allow: 'anyone',
  summary:
    'At most five places of Bahrain for a text of three characters or more: imported blocks and areas, then those of the geocoder, then landmarks; for coordinates, a plus code or a link to a map that point alone',
  query: z.object({ q: z.string().check(z.maxLength(longestSearch)) }),
  returns: z.array(place),
})

export const reversePlace = endpoint({
  method: 'GET',
  path: '/api/geocode/reverse',
  allow: 'anyone',
  summary: 'Address of a point: its imported block, else what the geocoder knows, else its area, else its coordinates',
  query: pointQuery,
  returns: z.array(place),
})
