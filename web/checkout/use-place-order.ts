import { slotOn, slotWords } from '@qatra/contract/calendar/slot'
import type { Cart } from '@qatra/contract/cart/cart'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { listMyOrders, placeOrder } from '@qatra/contract/orders/orders'
import { listAddresses } from '@qatra/contract/users/addresses'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { track } from '../analytics/events.ts'
import { trackedItems } from '../analytics/items.ts'
import { forgetChosenArea } from '../app/choose-area.ts'
import { cacheCart, refetchCart } from '../cart/api.ts'
import { useCartContext } from '../cart/CartProvider.tsx'
import type { choiceFields } from '../delivery/days.ts'
import { abortAfter, type CallError, call, detailsOf, isRefusal, PLACING_TIMEOUT_MS } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { type Store, tabStore } from '../lib/site-data.ts'
import { toast } from '../ui/Toast.tsx'
import { areaQuery } from './coverage.ts'
import { saveDraft } from './draft.ts'
import type { bodyOf } from './form.ts'

const STORAGE_KEY = 'checkout'

type AttemptStore = Pick<Store, 'getItem' | 'setItem' | 'removeItem'>
type CartState = Pick<Cart, 'id' | 'version'>

/**
 * Idempotency key of this checkout. It stays the same for a version of the cart across retries and reloads, so that the
 * cart becomes one order. A changed cart gets a new key.
 */
export function attemptKey(cart: CartState, store: AttemptStore): string {
  const cartVersion = `${cart.id}:${cart.version}`
  const [storedVersion, storedKey] = (store.getItem(STORAGE_KEY) ?? '').split(' ')
  if (storedVersion === cartVersion && storedKey) return storedKey
  const key = crypto.randomUUID()
  store.setItem(STORAGE_KEY, `${cartVersion} ${key}`)
  return key
}

export const endAttempt = (store: AttemptStore) => store.removeItem(STORAGE_KEY)

export interface PlaceError {
  title: string
  text: string
}
/** The total rose between cart and order. */
export interface PriceIncrease {
  before: Cart
  after: Cart
}

type Body = ReturnType<typeof bodyOf> & ReturnType<typeof choiceFields>
interface Refused {
  fields(fields: Record<string, string> | undefined): void
  /** The day is not available, or is no longer the promised one; `days` are those that are. */
  day(days?: readonly string[]): void
}

/** Places the order and handles every error. `cart` is what the customer sees. */
export function usePlaceOrder(cart: Cart, refused: Refused) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const user = useUser()
  const { sync } = useCartContext()
  const [isPlacing, setPlacing] = useState(false)
  const [error, setError] = useState<PlaceError | null>(null)
  const [priceIncrease, setPriceIncrease] = useState<PriceIncrease | null>(null)
  /** The answer to an attempt was lost; the order may exist. */
  const isUncertain = useRef(false)
  const isDone = useRef(false)

  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  // Errors appear beside the button, which is always in view.
  const fail = (title: string, text: string) => setError({ title, text })
  const waitWords = (seconds: number) =>
    seconds < 90
      ? t('checkout.error.wait', { seconds })
      : t('checkout.error.waitMinutes', { minutes: Math.ceil(seconds / 60) })
  function forgetAttempt() {
    endAttempt(tabStore)
    if (user) saveDraft(user.id, null)
  }
  const renewAddresses = () => queries.invalidateQueries({ queryKey: [listAddresses.path] })
  const renewOrders = () => queries.invalidateQueries({ queryKey: [listMyOrders.path] })

  async function leaveFor(to: '/' | '/orders', title: string, text: string, tone: 'done' | 'error' = 'error') {
    isDone.current = true
    toast({ title, text, tone, duration: 6000 })
    await navigate({ to })
    await Promise.all([refetchCart(queries), renewOrders()]).catch(() => undefined)
  }

  async function answerRefusal(error: CallError, body: Body, seen: Cart): Promise<void> {
    const { code, details } = error
    // An error answer is certain: this attempt placed no order.
    const wasUncertain = isUncertain.current
    isUncertain.current = false
    switch (code) {
      case 'MINIMUM_NOT_MET': {
        const { required = 0, remaining = 0 } = detailsOf(error, 'MINIMUM_NOT_MET')
        const amounts = { required: money(required), remaining: money(remaining) }
        return leaveFor('/', t('checkout.error.minimum'), t('checkout.error.minimumText', amounts))
      }
      case 'PRICE_CHANGED': {
        const after = cartIn(details)
        if (!after) return fail(t('checkout.error.failed'), t('checkout.error.failedText'))
        cacheCart(queries, after)
        return setPriceIncrease({ before: seen, after })
      }
      case 'PRODUCT_UNAVAILABLE': {
        const after = cartIn(details)
        if (after) cacheCart(queries, after)
        return fail(t('checkout.error.unavailable'), t('checkout.error.unavailableText'))
      }
      case 'VENDOR_DOES_NOT_DELIVER':
      case 'OUTSIDE_SERVICE_AREA':
        // Refetches the area; the notice below the map names the vendors that deliver there.
        fail(t('checkout.error.failed'), t(`checkout.error.${code}`))
        return queries.invalidateQueries({ queryKey: areaQuery(body.mapCoordinates).queryKey })
      case 'DATE_CHANGED': {
        const { days, promisedDate = '' } = detailsOf(error, code)
        refused.day(days)
        const day = slotWords(slotOn(promisedDate), lang, 'long')
        return fail(t('checkout.error.day'), t('checkout.error.dayNow', { day }))
      }
      case 'DATE_NOT_AVAILABLE':
        refused.day(detailsOf(error, code).days)
        return fail(t('checkout.error.day'), t('days.error.DATE_NOT_AVAILABLE'))
      case 'ADDRESS_REQUIRED':
        fail(t('checkout.error.address'), t('checkout.error.addressHint'))
        return refused.fields({ mapCoordinates: t('checkout.error.addressHint') })
      case 'CART_EMPTY':
        return leaveFor(wasUncertain ? '/orders' : '/', t('checkout.error.empty'), t('checkout.error.emptyText'))
      case 'IDEMPOTENCY_KEY_REUSED':
        forgetAttempt()
        return leaveFor('/orders', t('checkout.placedBefore'), t('checkout.placedBeforeText'), 'done')
      case 'INVALID_BODY':
        refused.fields(details.fields)
        return fail(t('checkout.error.failed'), t('checkout.error.fields'))
      case 'SIGNED_OUT':
        isDone.current = true
        await navigate({ to: '/login', search: { redirect: '/checkout' } })
        return
      case 'TOO_MANY_REQUESTS':
        return fail(t('checkout.error.failed'), waitWords(error.retryAfter ?? 60))
      default:
        return fail(t('checkout.error.failed'), t('checkout.error.failedText'))
    }
  }

  /** @param expected the cart whose total the customer accepted */
  async function place(body: Body, expected: Cart = cart): Promise<void> {
    if (isPlacing) return
    setError(null)
    setPriceIncrease(null)
    setPlacing(true)
    try {
      await sync.flush()
      if (!navigator.onLine && !isUncertain.current)
        return fail(t('checkout.error.offline'), t('checkout.error.offlineText'))
      const placed = await call(
        placeOrder,
        { body: { ...body, expectedTotal: expected.total } },
        { idempotencyKey: attemptKey(expected, tabStore), signal: abortAfter(PLACING_TIMEOUT_MS) },
      )
      isDone.current = true
      forgetAttempt()
      const { id: orderId, total: revenue, vendorId } = placed
      track('purchase', { orderId, revenue, vendorId, products: trackedItems(expected) })
      await navigate({ to: '/checkout/success/$orderId', params: { orderId: placed.id } })
      await Promise.all([refetchCart(queries), renewOrders(), renewAddresses(), forgetChosenArea(queries)]).catch(
        () => undefined,
      )
    } catch (error) {
      if (isRefusal(error)) await answerRefusal(error, body, expected)
      else {
        isUncertain.current = true
        fail(t('checkout.error.unknown'), t('checkout.error.unknownText'))
      }
    } finally {
      setPlacing(false)
    }
  }

  return { place, isPlacing, error, priceIncrease, refuse: () => setPriceIncrease(null), fail, isUncertain, isDone }
}

/** The cart in the details of an error. */
const cartIn = (details: Record<string, unknown>) => (details['cart'] as Cart | undefined) ?? null
