import type { Cart } from '@qatra/contract/cart/cart'
import { fromBhd, minimumLeft, toBhd } from '@qatra/contract/lib/money'
import { type OrderTotals, sumsOf } from '@qatra/contract/orders/totals'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import type { ReactNode } from 'react'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 py-0.75">
      <dt className="text-ink-2">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What adds up to the total: the same lines in cart, checkout and order. */
export function SumLines({ sums }: { sums: OrderTotals<number> }) {
  const { t } = useLanguage()
  return (
    <dl>
      {sumsOf(sums).map(({ kind, amount }) => (
        <Sum key={kind} label={t(`totals.${kind}`)}>
          {kind === 'deliveryFee' && amount === 0 ? t('cart.free') : <Money bhd={amount} />}
        </Sum>
      ))}
      <div className="mt-2 flex justify-between gap-3 border-t border-line pt-2.5 text-heading">
        <dt>{t('totals.total')}</dt>
        <dd>
          <Money bhd={sums.total} />
        </dd>
      </div>
    </dl>
  )
}

/** BHD below the vendor's minimum; 0 once it is reached. */
export const missing = (cart: Cart, vendor: Vendor | null): number =>
  vendor ? toBhd(minimumLeft(fromBhd(cart.subtotal), fromBhd(vendor.minDeliveryAmount))) : 0
