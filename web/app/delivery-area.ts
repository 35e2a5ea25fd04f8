import { type AreaSummary, type DeliveryArea, getDeliveryArea } from '@qatra/contract/areas'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { read } from '../lib/api-client.ts'
import { currentUser } from './session.ts'
import { setCookie } from './site-data.ts'

const YEAR_SECONDS = 31_536_000

export const deliveryAreaQuery = () => read(getDeliveryArea)

/** What the server rendered the document with; undefined on the server. */
let ofDocument: DeliveryArea | undefined

/** Called once, before hydration. */
export function keepDocumentArea(queries: QueryClient) {
  ofDocument = queries.getQueryData(deliveryAreaQuery().queryKey)
}

const never = () => () => {}

/** Where to deliver; null until an area is known. */
export function useDeliveryArea(): AreaSummary | null {
  const { data } = useQuery(deliveryAreaQuery())
  // A section that hydrates after the choice renders the document's area first, or React would discard its markup.
  const shown = useSyncExternalStore(
    never,
    () => data,
    () => ofDocument ?? data,
  )
  return shown?.area ?? null
}

/** The area that the person chose, unless the saved address is in it; the checkout then starts there. */
export function useChosenArea(): AreaSummary | null {
  const { data } = useQuery(deliveryAreaQuery())
  return data?.isChosen ? data.area : null
}

export const deliversTo = ({ vendorIds }: Pick<AreaSummary, 'vendorIds'>, vendorId: number) =>
  vendorIds.includes(vendorId)

/** Keeps the choice in a cookie, so that the server renders the pages for the area. */
export function chooseArea(queries: QueryClient, area: AreaSummary) {
  setCookie('area', String(area.id), YEAR_SECONDS)
  const { queryKey } = deliveryAreaQuery()
  queries.setQueryData(queryKey, { area, isChosen: true })
  // The server compares the choice with the saved address.
  if (queries.getQueryData(currentUser().queryKey)) void queries.invalidateQueries({ queryKey })
}

/** After an order: its address is saved, and its area counts from now on. */
export function forgetChosenArea(queries: QueryClient) {
  setCookie('area', '', 0)
  return queries.invalidateQueries({ queryKey: deliveryAreaQuery().queryKey })
}
