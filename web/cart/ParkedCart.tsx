import { useNameIn } from '../app/names.ts'
import { useVendor } from '../catalogue/api.ts'
import { useT } from '../lib/language/i18n.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { useCartActions } from './use-cart-actions.ts'
import type { CartView } from './view.ts'

/** The cart stored at the last vendor switch; it can be restored for 30 days. */
export function ParkedCart({ cart: { parked } }: { cart: CartView }) {
  const t = useT()
  const nameIn = useNameIn()
  const vendor = useVendor(parked?.vendorId ?? null)
  const { bringBack } = useCartActions()
  if (!parked || !vendor) return null
  return (
    <div className="mt-3 flex items-center gap-2.5 rounded-m bg-well px-3 py-2 text-label">
      <VendorEmblem
        emblem={vendor.emblem}
        tint={vendor.tint}
        name={nameIn(vendor)}
        logoUrl={vendor.logoUrl}
        size={28}
      />
      <p className="min-w-0 flex-1">
        {t('cart.parked', { vendor: nameIn(vendor) })}
        <span className="block text-ink-3">{t('cart.items', { count: parked.itemCount })}</span>
      </p>
      <button
        type="button"
        onClick={() => void bringBack()}
        className="min-h-tap shrink-0 px-1 font-strong text-aqua-ink"
      >
        {t('cart.restore')}
      </button>
    </div>
  )
}
