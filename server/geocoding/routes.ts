import { reversePlace, searchPlaces as searchEndpoint } from '@qatra/contract/geocode'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import type { Geocoder } from './geocoder.ts'
import { readAddressOf, searchPlaces } from './queries.ts'

/**
 * The browser never calls a public geocoder. Without a configured geocoder, only the built-in gazetteer is searched.
 */
export function geocodeRoutes(app: App, { current }: ReferenceData<Catalogue>, geocoder: Geocoder | null) {
  const searcherOf = ({ actor, client }: Ctx) => ({ lang: actor.lang, ip: client.ip })
  serve(app, searchEndpoint, (ctx, { query }) => searchPlaces(current(), geocoder, query.q, searcherOf(ctx)))
  serve(app, reversePlace, async (ctx, { query }) => [await readAddressOf(current(), geocoder, query, searcherOf(ctx))])
}
