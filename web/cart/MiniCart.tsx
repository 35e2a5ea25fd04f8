import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { sumText } from '@qatra/contract/products/unit-text'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { track } from '../analytics/events.ts'
import { trackedItems } from '../analytics/items.ts'
import { useNameIn } from '../app/names.ts'
import { useVendor } from '../catalogue/api.ts'
import { useTruePromises } from '../catalogue/use-true-promises.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { CartIcon, UpIcon } from '../ui/icons.tsx'
import { Progress } from '../ui/Progress.tsx'
import { raiseToasts } from '../ui/Toast.tsx'
import { missing } from './CartSums.tsx'
import { hidesQuestion, isReady, QuickCheckout } from './CheckoutButton.tsx'
import { CartSheet } from './FullCart.tsx'
import { useOutside } from './outside.ts'
import { usePricedCart } from './priced-cart.ts'

/** SPEC §2: pages without the mini cart. */
const hidden = /^\/(login|magic-login|checkout|orders|admin|404|not-found|simulator)(\/|$)/

/** The pages with a `CartPanel`. */
const panelled = /^\/($|products\/)/

/** Tailwind's `lg`. */
const LG_PX = 1024

interface MiniCartProps {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

/** Floating bar with count and total that opens the whole cart as a sheet over it. Hidden while the cart is empty. */
export function MiniCart({ isOpen, setOpen }: MiniCartProps) {
  useTruePromises()
  const cart = usePricedCart()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isShown = cart.items.length > 0 && !hidden.test(pathname)
  const hasPanel = panelled.test(pathname)
  const tellViewed = useEffectEvent(() => {
    track('cart_viewed', { cartId: cart.id, totalValue: cart.total, products: trackedItems(cart) })
  })

  useEffect(() => {
    if (!isShown) setOpen(false)
  }, [isShown, setOpen])
  useEffect(() => {
    if (isOpen) tellViewed()
  }, [isOpen])

  if (!isShown) return null
  return (
    <>
      {/* Space at the end of the page, so that the floating bar covers no content. */}
      <div
        aria-hidden="true"
        className={classes('h-[calc(48px+3rem+env(safe-area-inset-bottom))]', hasPanel && 'lg:hidden')}
      />
      <MiniCartBox isOpen={isOpen} setOpen={setOpen} hasPanel={hasPanel} />
    </>
  )
}

interface MiniCartBoxProps extends MiniCartProps {
  /** On a wide screen the page has a cart panel. */
  hasPanel: boolean
}

function MiniCartBox({ isOpen, setOpen, hasPanel }: MiniCartBoxProps) {
  const words = useLanguage()
  const { t, lang } = words
  const cart = usePricedCart()
  const vendor = useVendor(cart.vendorId)
  const box = useRef<HTMLElement>(null)
  const nameIn = useNameIn()
  const left = missing(cart, vendor)
  const outside = useOutside().outside(cart.vendorId)
  const hasAction = isReady(cart, vendor) && !outside && !hidesQuestion(cart)
  const count = cart.items.reduce((sum, { quantity }) => sum + quantity, 0)
  const sum = sumText(words, cart.items)
  useRoomForToasts(box)
  return (
    <aside
      ref={box}
      aria-label={t('cart.label')}
      className={classes(
        'no-print fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-40 mx-auto max-w-140 overflow-hidden rounded-l shadow-float',
        hasPanel && 'lg:hidden',
      )}
    >
      {/* Beside a panel the bar is not displayed, and a modal dialog inside would only make the page inert. */}
      {isOpen && !(hasPanel && window.innerWidth >= LG_PX) && <CartSheet onClose={() => setOpen(false)} />}
      <div className="deep">
        {vendor && left > 0 && <Progress variant="hairline" value={cart.subtotal / vendor.minDeliveryAmount} />}
        <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1 pe-2 [&>button+button]:my-2">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
            className="flex min-h-16 min-w-[min(6.5rem,100%)] flex-1 items-center py-1 gap-3.5 ps-4 pe-1 text-start focus-visible:-outline-offset-3 focus-visible:outline-on-deep-aqua"
          >
            <span className="relative shrink-0">
              <CartIcon size={26} aria-hidden="true" />
              <span
                aria-hidden="true"
                className="absolute -end-1.5 -top-2 min-w-5 rounded-full bg-aqua px-1 text-center text-[0.8125rem] leading-5 font-strong text-on-aqua"
              >
                {count}
              </span>
            </span>
            <span className="min-w-0 flex-1 leading-[1.45]">
              <span className="sr-only">{t('cart.expand')}: </span>
              {hasAction && vendor ? (
                <>
                  <b>{t('cart.label')}</b> <span className="sr-only">{sum}</span>
                  <small className="block truncate text-label text-on-gulf-2">
                    {t('cart.from', { vendor: nameIn(vendor) })}
                  </small>
                </>
              ) : (
                <b className="dots">
                  <span>{sum}</span> <bdi>{formatMoney(fromBhd(cart.subtotal), lang)}</bdi>
                </b>
              )}
              {hidesQuestion(cart) && (
                <small className="block text-label text-on-gulf-2">
                  {t('totals.deposit')} <bdi>{formatMoney(fromBhd(cart.deposit), lang)}</bdi>
                </small>
              )}
              {(outside || left > 0) && (
                <small className="block text-label text-on-gulf-2">
                  {vendor && outside
                    ? t('cart.outside', { vendor: nameIn(vendor), area: nameIn(outside) })
                    : t('cart.minimumLeft', { amount: formatMoney(fromBhd(left), lang) })}
                </small>
              )}
            </span>
            {!hasAction && <UpIcon size={22} aria-hidden="true" />}
          </button>
          {hasAction && <QuickCheckout cart={cart} />}
        </div>
      </div>
    </aside>
  )
}

/** Moves toasts above the bar, so that they do not cover it. */
function useRoomForToasts(box: { current: HTMLElement | null }) {
  // Beside a panel the box has `display: none` and takes no room.
  const isSeen = useEffectEvent(() => box.current !== null && getComputedStyle(box.current).display !== 'none')
  useEffect(() => {
    if (isSeen()) raiseToasts('calc(80px + env(safe-area-inset-bottom))')
    return () => raiseToasts('0px')
  }, [])
}
