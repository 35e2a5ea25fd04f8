import { reversePlace, searchPlaces as searchEndpoint } from '@qatra/contract/places/geocode'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import type { Geocoder } from './geocoder.ts'
import type { MapLinkReader } from './map-links.ts'
import { readAddressOf, readExactPlace, searchPlaces } from './queries.ts'

/** Of a network: short links that are followed to their map. */
const followed = { burst: 10, perMinute: 10 }

/**
 * The browser never calls a public geocoder. Without a configured geocoder, only blocks, areas and landmarks are found.
 */
export function geocodeRoutes(
  app: App,
  { current }: ReferenceData<Catalogue>,
  { geocoder, followLink }: { geocoder: Geocoder | null; followLink: MapLinkReader },
) {
  const limiter = app.rateLimiters.create('map-links', followed)
  serve(app, searchEndpoint, async (ctx, { query }) => {
    const readLink = async (url: URL) => {
      await limiter.consume(ctx.client.ip)
      return followLink(url)
    }
    const exact = await readExactPlace(ctx, { catalogue: current(), geocoder, readLink }, query.q)
    return exact ? [exact] : searchPlaces(ctx, current(), geocoder, query.q)
  })
  serve(app, reversePlace, async (ctx, { query }) => [await readAddressOf(ctx, current(), geocoder, query)])
}
