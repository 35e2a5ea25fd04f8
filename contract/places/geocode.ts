import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { pointQuery } from './areas.ts'

export const place = z.object({
  lat: z.number(),
  lng: z.number(),
  address: z.string(),
  display_name: z.string(),
  /** The imported block of the place; null if no block covers it, or if the place is only a name. */
  block: z.nullable(z.number()),
})
export type Place = z.output<typeof place>

export const searchPlaces = endpoint({
  method: 'GET',
  path: '/api/geocode/search',
  allow: 'anyone',
  summary:
    'At most five places of Bahrain for a text of three characters or more: imported blocks and areas, then those of the geocoder, then landmarks',
  query: z.object({ q: z.string().check(z.maxLength(200)) }),
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
