import { reversePlace, searchPlaces as searchEndpoint } from '@qatra/contract/geocode'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import type { Geocoder } from './geocoder.ts'
import { readAddressOf, searchPlaces } from './queries.ts'

/**
 * The browser never calls a public geocoder. Without a configured geocoder, only the built-in gazetteer is searched.
 */
export function geocodeRoutes(app: App, { current }: ReferenceData<Catalogue>, geocoder: Geocoder | null) {
  serve(app, searchEndpoint, ({ actor }, { query }) => searchPlaces(current(), geocoder, query.q, actor.lang))
  serve(app, reversePlace, async ({ actor }, { query }) => [
    await readAddressOf(current(), geocoder, query, actor.lang),
  ])
}
