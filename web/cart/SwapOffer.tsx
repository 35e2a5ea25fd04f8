import { slotOf } from '@qatra/contract/calendar/slot'
import { swapCart } from '@qatra/contract/cart/cart'
import { type SwapItem, type SwapLine, swapsFor } from '@qatra/contract/cart/swap'
import { type Fils, fils, formatMoney, fromBhd, minimumLeft, timesFils } from '@qatra/contract/lib/money'
import type { AreaSummary } from '@qatra/contract/places/areas'
import type { Product } from '@qatra/contract/products/products'
import { itemText } from '@qatra/contract/products/unit-text'
import { inDeliveryOrder } from '@qatra/contract/vendors/delivery-order'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deliversTo } from '../app/delivery-area.ts'
import { useNameIn, useSizedName } from '../app/names.ts'
import { productsQuery, useVendor, useVendors } from '../catalogue/api.ts'
import { useDayWords } from '../delivery/day-words.ts'
import { CallError, call } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Money, tiedDots } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { Chip, ChipRow } from '../ui/Chip.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { AgainIcon, WarningIcon } from '../ui/icons.tsx'
import { ProductThumb } from '../ui/ProductPicture.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { cacheCart } from './api.ts'
import { type CartAddition, useCart, useCartContext } from './CartProvider.tsx'
import { showCartError } from './errors.ts'
import { useCartActions } from './use-cart-actions.ts'
import { type CartView, quantityOf } from './view.ts'

interface SwapOfferProps {
  area: AreaSummary
  /** The page already says that the vendor does not deliver there. */
  isBare: boolean
}

/** For a cart whose vendor does not deliver to the area. */
export function SwapOffer({ area, isBare }: SwapOfferProps) {
  const t = useT()
  const nameIn = useNameIn()
  const cart = useCart()
  const vendor = useVendor(cart.vendorId)
  const [isOpen, setOpen] = useState(false)
  if (!vendor || deliversTo(area, vendor.id)) return null
  const button = (
    <Button icon={AgainIcon} className="mt-2" onClick={() => setOpen(true)}>
      {t('swap.open')}
    </Button>
  )
  return (
    <>
      {isBare ? (
        button
      ) : (
        <div className="mt-3 mb-3 rounded-m bg-clay-soft px-3.5 py-3">
          <p className="flex gap-2.5 font-strong">
            <WarningIcon size={20} aria-hidden="true" className="mt-0.75 text-clay" />
            {t('swap.notice', { vendor: nameIn(vendor), area: nameIn(area) })}
          </p>
          {button}
        </div>
      )}
      {isOpen && <SwapDialog area={area} onClose={() => setOpen(false)} />}
    </>
  )
}

interface SwapDialogProps {
  area: AreaSummary
  /** A product that is about to be added, of a vendor that does not deliver to the area. */
  addition?: CartAddition
  onClose(): void
}

/** The lines to be swapped: the addition alone next to a cart of a vendor that may deliver, else the cart with the addition. */
function linesOf(
  { items, vendorId }: CartView,
  addition: CartAddition | undefined,
): { lines: SwapItem[]; isWhole: boolean } {
  if (!addition) return { lines: items, isWhole: true }
  const { id: productId, ...product } = addition.product
  const line = { ...product, productId, quantity: addition.quantity }
  const isWhole = vendorId === null || vendorId === product.vendorId
  const others = isWhole ? items.filter((item) => item.productId !== productId) : []
  return { lines: [...others, line], isWhole }
}

/** Shows the cart with a vendor that delivers to the area, line by line, before anything changes. */
export function SwapDialog({ area, addition, onClose }: SwapDialogProps) {
  const dayWords = useDayWords()
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const cart = useCart()
  const vendorOfAddition = useVendor(addition?.product.vendorId ?? null)
  const { lines: items, isWhole } = linesOf(cart, addition)
  const { data: products, isError, refetch } = useQuery(productsQuery())
  const vendors = inDeliveryOrder(useVendors(), ({ id }) => deliversTo(area, id)).filter(({ delivers }) => delivers)
  const [chosen, setChosen] = useState<number | null>(null)
  const { isBusy, swap } = useSwap(onClose)
  const { setQuantity } = useCartActions()
  const swaps = products ? swapsFor<Product, Vendor>(items, products, vendors, cart.free) : []
  const best = swaps.find(({ vendor }) => vendor.id === chosen) ?? swaps[0]
  const safe = { label: t(cart.items.length > 0 ? 'swap.keep' : 'swap.notNow'), onChoose: onClose }
  const reason = vendorOfAddition && t('swap.notice', { vendor: nameIn(vendorOfAddition), area: nameIn(area) })
  if (!best) {
    return (
      <Dialog open title={reason ?? t('swap.open')} safe={safe}>
        {isError ? (
          <>
            <p className="mb-2">{t('swap.failed')}</p>
            <Button onClick={() => void refetch()}>{t('swap.retry')}</Button>
          </>
        ) : products ? (
          t('swap.none', { area: nameIn(area) })
        ) : (
          <>
            <span className="sr-only">{t('swap.loading')}</span>
            <Skeleton className="h-40" />
          </>
        )}
      </Dialog>
    )
  }
  const { vendor, lines, quantities, isLimited, subtotal, total } = best
  const left = minimumLeft(subtotal, fromBhd(vendor.minDeliveryAmount))
  /** Beside another cart, the replacement is added as by its own button, which asks before it parks the cart. */
  function add() {
    onClose()
    const [product] = lines.flatMap((line) => line.product ?? [])
    if (product && addition) setQuantity(product, quantityOf(cart, product.id) + addition.quantity)
  }
  return (
    <Dialog
      open
      className="max-w-130"
      title={t(isWhole && cart.items.length > 0 ? 'swap.title' : 'swap.instead', { vendor: nameIn(vendor) })}
      safe={safe}
      action={
        isWhole && cart.items.length > 0
          ? { label: t('swap.do'), busy: isBusy, onChoose: () => void swap(quantities, nameIn(vendor)) }
          : { label: t('swap.add', { vendor: nameIn(vendor) }), onChoose: add }
      }
    >
      {reason && <p className="font-strong text-ink">{reason}</p>}
      <p className="text-label">{t('swap.arrives', { day: dayWords(slotOf(vendor)) })}</p>
      {swaps.length > 1 && (
        <ChipRow label={t('swap.vendors')} className="mt-2 gap-2">
          {swaps.map((one) => (
            <Chip key={one.vendor.id} chosen={one.vendor.id === vendor.id} onClick={() => setChosen(one.vendor.id)}>
              {nameIn(one.vendor)}
            </Chip>
          ))}
        </ChipRow>
      )}
      <ul className="mt-2">
        {lines.map((line) => (
          <Line key={line.item.productId} line={line} vendor={vendor} />
        ))}
      </ul>
      <p className="flex justify-between gap-3 border-t border-line pt-3 font-strong text-ink">
        {t('swap.total')}
        <bdi>{formatMoney(total, lang)}</bdi>
      </p>
      {isLimited && <p className="text-label text-clay">{t('swap.limited')}</p>}
      {left > 0 && <p className="text-label">{t('cart.minimumLeft', { amount: formatMoney(left, lang) })}</p>}
    </Dialog>
  )
}

function Line({ line, vendor }: { line: SwapLine<Product>; vendor: Vendor }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const sizedName = useSizedName()
  const differs = useDifference()
  const { item, product, isOtherSize } = line
  const said = (one: typeof item | Product) =>
    tiedDots(itemText({ t, lang }, one, { count: item.quantity, name: sizedName(one) }))
  const before = said(item)
  return (
    <li className="flex items-center gap-3 border-t border-line py-2.5 text-start">
      <ProductThumb size={(product ?? item).size} imageUrl={product?.imageUrl ?? null} tint={vendor.tint} px={48} />
      <div className="min-w-0 flex-1 leading-normal">
        {product ? (
          <p className="font-strong text-ink">{said(product)}</p>
        ) : (
          <p className="font-strong text-clay">{t('swap.missing', { vendor: nameIn(vendor) })}</p>
        )}
        <p className="text-label text-ink-3">{product ? before : <s>{before}</s>}</p>
        {product && (
          <p className="dots text-label">
            {isOtherSize && <span>{t('swap.otherSize')}</span>} <span>{differs(item, product)}</span>
          </p>
        )}
      </div>
      {product && <Money bhd={product.price} className="font-strong text-ink" />}
    </li>
  )
}

/** Difference of the line's price in words. */
function useDifference() {
  const { t, lang } = useLanguage()
  return ({ price, quantity }: SwapLine<Product>['item'], product: { price: number }) => {
    const [before, after] = [timesFils(fromBhd(price), quantity), timesFils(fromBhd(product.price), quantity)]
    const amount = (more: Fils, less: Fils) => formatMoney(fils(more - less), lang)
    if (after === before) return t('swap.same')
    return after > before
      ? t('swap.dearer', { amount: amount(after, before) })
      : t('swap.cheaper', { amount: amount(before, after) })
  }
}

/** Sends the swap; the old cart is parked, and undo brings it back. */
function useSwap(done: () => void) {
  const t = useT()
  const queries = useQueryClient()
  const { sync } = useCartContext()
  const { bringBack } = useCartActions()
  const [isBusy, setBusy] = useState(false)

  async function swap(quantities: ReadonlyMap<number, number>, vendor: string) {
    setBusy(true)
    try {
      await sync.flush()
      const items = [...quantities].map(([productId, quantity]) => ({ productId, quantity }))
      cacheCart(queries, await call(swapCart, { body: { items } }))
      done()
      toast({ title: t('swap.done', { vendor }), action: { label: t('ui.undo'), onClick: () => void bringBack() } })
    } catch (error) {
      const isGone = error instanceof CallError && error.code === 'PRODUCT_NOT_FOUND'
      if (isGone) {
        toast({ title: t('swap.gone'), tone: 'error' })
        await queries.invalidateQueries({ queryKey: productsQuery().queryKey })
      } else showCartError(error, 'switch', t)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, swap }
}
