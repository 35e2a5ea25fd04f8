import { type AreaSummary, chooseDeliveryArea } from '@qatra/contract/areas'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../lib/api-client.ts'
import { deliveryAreaQuery } from './delivery-area.ts'
import { currentUser } from './session.ts'
import { setCookie } from './site-data.ts'

const YEAR_SECONDS = 31_536_000

/**
 * Keeps the choice: of a visitor in a cookie, so that the server renders the pages for the area; of a signed-in person in
 * the account.
 */
export async function chooseArea(queries: QueryClient, area: AreaSummary): Promise<void> {
  const { queryKey } = deliveryAreaQuery()
  queries.setQueryData(queryKey, { area, isChosen: true })
  if (!queries.getQueryData(currentUser().queryKey)) return setCookie('area', String(area.id), YEAR_SECONDS)
  try {
    // The server compares the choice with the saved address.
    queries.setQueryData(queryKey, await call(chooseDeliveryArea, { body: { areaId: area.id } }))
  } catch (error) {
    void queries.invalidateQueries({ queryKey })
    throw error
  }
}

/** After an order: its address is saved, and its area counts from now on. */
export function forgetChosenArea(queries: QueryClient) {
  setCookie('area', '', 0)
  return queries.invalidateQueries({ queryKey: deliveryAreaQuery().queryKey })
}
