import { type AreaSummary, chooseDeliveryArea, type DeliveryArea } from '@qatra/contract/places/areas'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../lib/api-client.ts'
import { currentUser } from '../lib/current-user.ts'
import { setCookie } from '../lib/site-data.ts'
import { deliveryAreaQuery } from './delivery-area.ts'

const YEAR_SECONDS = 31_536_000

/** The choice that the account is about to take, and the area before it. */
let saving: { abort: AbortController; before: DeliveryArea | undefined } | null = null

/**
 * Keeps the choice: of a visitor in a cookie, so that the server renders the pages for the area; of a signed-in person in
 * the account; of an impersonator on this page only. After a failure the area is the one before.
 * @returns false if a later choice has replaced this one
 */
export async function chooseArea(queries: QueryClient, area: AreaSummary): Promise<boolean> {
  const { queryKey } = deliveryAreaQuery()
  await queries.cancelQueries({ queryKey })
  saving?.abort.abort()
  const own = { abort: new AbortController(), before: saving ? saving.before : queries.getQueryData(queryKey) }
  saving = null
  queries.setQueryData(queryKey, { area, isChosen: true })
  const user = queries.getQueryData(currentUser().queryKey)
  if (!user) setCookie('area', String(area.id), YEAR_SECONDS)
  if (!user || user.impersonatedBy) return true
  saving = own
  try {
    // The server compares the choice with the saved address.
    const saved = await call(chooseDeliveryArea, { body: { areaId: area.id } }, { signal: own.abort.signal })
    if (saving !== own) return false
    queries.setQueryData(queryKey, saved)
    return true
  } catch (error) {
    if (saving !== own) return false
    void queries.resetQueries({ queryKey })
    queries.setQueryData(queryKey, own.before)
    throw error
  } finally {
    if (saving === own) saving = null
  }
}

/** After an order: its address is saved, and its area counts from now on. */
export function forgetChosenArea(queries: QueryClient) {
  setCookie('area', '', 0)
  return queries.invalidateQueries({ queryKey: deliveryAreaQuery().queryKey })
}
