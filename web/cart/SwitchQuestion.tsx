import { useState } from 'react'
import { useNameIn } from '../app/names.ts'
import { useVendor } from '../catalogue/api.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useChunk } from '../lib/use-chunk.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { EndIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { type PendingSwitch, useCart, useCartContext } from './CartProvider.tsx'
import { useCartActions } from './use-cart-actions.ts'

const loadSwap = () => import('./SwapOffer.tsx').then((module) => module.SwapDialog)

/** Asks before a cart of another vendor is started, since an order has one vendor. Cancel changes nothing. */
export function SwitchQuestion({ pending }: { pending: PendingSwitch }) {
  const t = useT()
  const nameIn = useNameIn()
  const { askSwitch } = useCartContext()
  const cart = useCart()
  const { switchTo } = useCartActions()
  const [isBusy, setBusy] = useState(false)
  const present = useVendor(cart.vendorId)
  const next = useVendor(pending.product.vendorId)
  const SwapDialog = useChunk(loadSwap, { need: pending.outside, onError: () => askSwitch(null) })
  if (pending.outside)
    return SwapDialog && <SwapDialog area={pending.outside} addition={pending} onClose={() => askSwitch(null)} />
  if (!present || !next) return null

  async function start(vendorName: string, oldName: string) {
    setBusy(true)
    await switchTo(pending, vendorName, oldName)
    setBusy(false)
  }
  return (
    <Dialog
      open
      picture={
        <>
          <VendorEmblem emblem={present.emblem} tint={present.tint} name={nameIn(present)} logoUrl={present.logoUrl} />
          <EndIcon size={22} aria-hidden="true" />
          <VendorEmblem emblem={next.emblem} tint={next.tint} name={nameIn(next)} logoUrl={next.logoUrl} />
        </>
      }
      title={t('cart.switch.title', { vendor: nameIn(next) })}
      safe={{ label: t('cart.switch.keep', { vendor: nameIn(present) }), onChoose: () => askSwitch(null) }}
      action={{
        label: t('cart.switch.start', { vendor: nameIn(next) }),
        busy: isBusy,
        onChoose: () => void start(nameIn(next), nameIn(present)),
      }}
    >
      {t('cart.switch.text', { vendor: nameIn(present) })}
    </Dialog>
  )
}
