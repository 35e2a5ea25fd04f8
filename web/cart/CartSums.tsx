import { keptBottles } from '@qatra/contract/bottles'
import type { Cart } from '@qatra/contract/cart/cart'
import { fromBhd, minimumLeft, toBhd } from '@qatra/contract/lib/money'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { type OrderTotals, sumsOf } from '@qatra/contract/orders/totals'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import type { ReactNode } from 'react'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'

function Sum({ label, note, children }: { label: string; note?: string | null; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 py-0.75">
      <dt className="text-ink-2">
        {label}
        {note && <span className="block text-label text-ink-3">{note}</span>}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

interface SumLinesProps {
  sums: OrderTotals<number>
  /** Of an order, whose deposit says for which bottles it is. */
  order?: Pick<Order, 'items' | 'status'>
}

/** What adds up to the total: the same lines in cart, checkout and order. */
export function SumLines({ sums, order }: SumLinesProps) {
  const { t } = useLanguage()
  const { given, kept } = keptBottles(order?.items ?? [])
  function bottlesNote() {
    if (kept === 0) return t(order && isClosed(order.status) ? 'bottles.swapped' : 'bottles.hand', { count: given })
    const added = t('bottles.new', { count: kept })
    if (given === 0) return added
    return t('bottles.swappedAndNew', { swapped: t('bottles.swapped', { count: given }), new: added })
  }
  return (
    <dl>
      {sumsOf(sums)
        .filter(({ kind }) => kind !== 'deposit')
        .map(({ kind, amount }) => (
          <Sum key={kind} label={t(`totals.${kind}`)}>
            {kind === 'deliveryFee' && amount === 0 ? t('cart.free') : <Money bhd={amount} />}
          </Sum>
        ))}
      {(sums.deposit !== 0 || given > 0) && (
        <Sum
          label={given + kept > 0 ? t('bottles.deposit', { count: kept }) : t('totals.deposit')}
          note={given + kept > 0 ? bottlesNote() : null}
        >
          <Money bhd={sums.deposit} />
        </Sum>
      )}
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
