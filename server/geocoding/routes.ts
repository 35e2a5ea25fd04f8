import { reversePlace, searchPlaces as searchEndpoint } from '@qatra/contract/geocode'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import type { Geocoder } from './geocoder.ts'
import { readAddressOf, searchPlaces } from './queries.ts'

/** Browsers ask us, never a public geocoder; without one configured the built-in gazetteer answers alone. */
export function geocodeRoutes(app: App, { current }: ReferenceData<Catalogue>, geocoder: Geocoder | null) {
  serve(app, searchEndpoint, ({ actor }, { query }) => searchPlaces(current(), geocoder, query.q, actor.lang))
  serve(app, reversePlace, async ({ actor }, { query }) => [
    await readAddressOf(current(), geocoder, query, actor.lang),
  ])
}
