import { reversePlace, searchPlaces as searchEndpoint } from '@qatra/contract/places/geocode'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import type { Geocoder } from './geocoder.ts'
import { readAddressOf, searchPlaces } from './queries.ts'

/**
 * The browser never calls a public geocoder. Without a configured geocoder, only blocks, areas and landmarks are found.
 */
export function geocodeRoutes(app: App, { current }: ReferenceData<Catalogue>, geocoder: Geocoder | null) {
  serve(app, searchEndpoint, (ctx, { query }) => searchPlaces(ctx, current(), geocoder, query.q))
  serve(app, reversePlace, async (ctx, { query }) => [await readAddressOf(ctx, current(), geocoder, query)])
}
