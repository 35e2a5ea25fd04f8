import type { AreaSummary } from '@qatra/contract/places/areas'
import { deliversTo, useDeliveryArea } from '../app/delivery-area.ts'
import { loadMessageGroups } from '../lib/language/messages.ts'
import { useChunk } from '../lib/use-chunk.ts'
import { useCart } from './CartProvider.tsx'

const loadOffer = () =>
  Promise.all([import('./SwapOffer.tsx'), loadMessageGroups(['area'])]).then(([module]) => module.SwapOffer)

/** Offers to swap the cart if its vendor does not deliver to the area. */
export function SwapNotice({ area, isBare }: { area: AreaSummary | null; isBare?: boolean }) {
  const { vendorId } = useCart()
  const isOutside = area !== null && vendorId !== null && !deliversTo(area, vendorId)
  const SwapOffer = useChunk(loadOffer, { need: isOutside })
  return isOutside && SwapOffer && <SwapOffer area={area} isBare={isBare ?? false} />
}

/** The same for the area that the person chose. */
export const OutsideNotice = () => <SwapNotice area={useDeliveryArea()} />
