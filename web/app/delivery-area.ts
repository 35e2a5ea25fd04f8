import { type AreaSummary, type DeliveryArea, getDeliveryArea } from '@qatra/contract/places/areas'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { read } from '../lib/api-client.ts'

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
