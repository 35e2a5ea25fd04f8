import { initiateCheckout } from '@qatra/contract/analytics'
import { type DeliverySlot, sameSlot, slotWords } from '@qatra/contract/calendar/slot'
import type { Cart } from '@qatra/contract/cart/cart'
import { companyFrom } from '@qatra/contract/orders/buyer'
import { isChosen } from '@qatra/contract/places/geo'
import { getSite } from '@qatra/contract/settings/site'
import { listAddresses } from '@qatra/contract/users/addresses'
import type { User } from '@qatra/contract/users/auth'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQueryClient } from '@tanstack/react-query'
import { Link, redirect, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { track } from '../analytics/events.ts'
import { trackedItems } from '../analytics/items.ts'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session/session.ts'
import { cartQuery } from '../cart/api.ts'
import { useCartContext } from '../cart/CartProvider.tsx'
import { usePricedCart } from '../cart/priced-cart.ts'
import { useVendor } from '../catalogue/api.ts'
import { DayChoice } from '../delivery/DayChoice.tsx'
import { cacheDays, choiceFields, deliveryDaysQuery, useChosenSlot } from '../delivery/days.ts'
import { call, read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { serverErrors } from '../ui/form/form-errors.ts'
import { StartIcon } from '../ui/icons.tsx'
import { AddressPart } from './AddressPart.tsx'
import { ChangeChoice, CompanyFields, isCompany } from './BuyerFields.tsx'
import { CoverageNotice } from './CoverageNotice.tsx'
import { areaQuery } from './coverage.ts'
import { bodyOf, type FieldName, fieldAt, firstOf } from './form.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { PlaceBar } from './PlaceBar.tsx'
import { PriceDialog } from './PriceDialog.tsx'
import { CashPayment, CutOffLine, Part, PersonPart } from './parts.tsx'
import { useCheckoutForm } from './use-checkout-form.ts'
import { usePlaceOrder } from './use-place-order.ts'
import { useReasonOff } from './use-reason-off.ts'

function CheckoutPage() {
  const t = useT()
  const queries = useQueryClient()
  const user = useUser()
  const cart = usePricedCart()
  const vendor = useVendor(cart.vendorId)
  const { sync } = useCartContext()
  const state = useCheckoutForm(cart.vendorId)
  const { form, place } = state
  const { coverage } = place
  const slot = useChosenSlot(cart.vendorId, form.deliveryDate, vendor)
  const order = usePlaceOrder(cart, {
    fields: (fields) => showProblems(serverErrors(fields, (path) => fieldAt(path, form))),
    day(open) {
      state.setDay(null)
      cacheDays(queries, deliveryDaysQuery(cart.vendorId ?? 0), open)
      document.getElementById('checkout-part-when')?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    },
  })
  const body = () => ({ ...bodyOf(form, place.address), ...choiceFields(slot) })
  const reason = useReasonOff(cart, vendor, coverage)
  useSlotNotice(slot.chosen, { vendorId: cart.vendorId, wanted: form.deliveryDate, order })
  useBeginning(() => {
    void sync.flush()
    if (user && cart.items.length > 0) beginCheckout(cart, user)
  })
  useEmptied(cart.items.length === 0, order)

  function showProblems(wrong: typeof state.problems) {
    // A field that is folded away is shown before it gets the focus.
    flushSync(() => state.setProblems(wrong))
    const first = firstOf(wrong)
    if (first) focusOn(first)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const wrong = state.check()
    if (wrong.map) order.fail(t('checkout.error.address'), t('checkout.error.addressHint'))
    showProblems(wrong)
    if (!firstOf(wrong) && !reason) void order.place(body())
  }

  return (
    <main id="main" className="wrap">
      <Link to="/" className="-ms-2 inline-flex min-h-13 items-center gap-1 rounded-m px-2 md:mt-4">
        <StartIcon size={24} aria-hidden="true" />
        <span className="sr-only">{t('ui.back')}</span>
        <h1 className="text-heading md:text-title">{t('shell.title.checkout')}</h1>
      </Link>
      <form
        noValidate
        aria-label={t('shell.title.checkout')}
        onSubmit={submit}
        className="lg:grid lg:grid-cols-[minmax(0,1fr)_400px] lg:items-start lg:gap-x-14 lg:pt-4"
      >
        <div>
          <Part id="where" title={t('checkout.where')}>
            <AddressPart state={state} vendorId={cart.vendorId}>
              <CoverageNotice
                coverage={coverage}
                vendor={vendor}
                slot={slot.chosen}
                deliveryFee={cart.deliveryFee}
                onRetry={place.retry}
              />
            </AddressPart>
          </Part>
          {cart.vendorId !== null && (
            <Part id="when" title={t('days.title')}>
              <div className="-mx-4 lg:mx-0">
                <DayChoice
                  query={deliveryDaysQuery(cart.vendorId)}
                  chosen={slot.chosen}
                  onChoose={({ date }) => state.setDay(date)}
                  className="px-4 lg:px-0"
                />
              </div>
              <CutOffLine cutOff={vendor?.cutOff ?? null} promised={slot.promised} />
            </Part>
          )}
          <Part id="payment" title={t('checkout.payment')}>
            <CashPayment />
            <ChangeChoice {...state.buyer} total={cart.total} className="mt-4" />
            {(cart.total >= companyFrom || isCompany(form, user)) && <CompanyFields {...state.buyer} />}
          </Part>
          <PersonPart state={state} phone={user?.phone ?? ''} />
        </div>
        <div className="contents lg:sticky lg:top-6 lg:block">
          <OrderSummary cart={cart} vendor={vendor} />
          <PlaceBar
            total={cart.total}
            slot={slot.chosen}
            area={place.area}
            isPlacing={order.isPlacing}
            reason={reason}
            error={order.error}
          />
        </div>
      </form>
      <PriceDialog
        priceIncrease={order.priceIncrease}
        onAccept={(after) => void order.place(body(), after)}
        onRefuse={order.refuse}
      />
    </main>
  )
}

/** Focuses a field; for the map its Leaflet container, which handles the keys. */
function focusOn(name: FieldName) {
  const element = document.getElementById(`checkout-${name}`)
  const target = name === 'map' ? (element?.querySelector<HTMLElement>('.leaflet-container') ?? element) : element
  target?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}

/** Runs `begin` once per mount. */
function useBeginning(begin: () => void) {
  const latest = useRef(begin)
  useEffect(() => latest.current(), [])
}

/** Leaves the checkout if the cart was emptied elsewhere: to the orders if the result of an attempt is unknown. */
function useEmptied(isEmpty: boolean, { isUncertain, isDone, isPlacing }: ReturnType<typeof usePlaceOrder>) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isEmpty || isPlacing || isDone.current) return
    void navigate({ to: isUncertain.current ? '/orders' : '/', replace: true })
  }, [isEmpty, isPlacing, isDone, isUncertain, navigate])
}

/** Reports the begin of a checkout, without waiting for the answer or handling its failure. */
function beginCheckout(cart: Cart, { id: userId, phone: userPhone }: User) {
  const products = trackedItems(cart)
  track('begin_checkout', { cartId: cart.id, totalValue: cart.total, products })
  const body = { cartValue: cart.total, currency: 'BHD', products, userPhone, userEmail: '', userId }
  call(initiateCheckout, { body }).catch(() => undefined)
}

interface Seen {
  vendorId: number | null
  /** The day in the form; null for the first open one. */
  wanted: string | null
  order: Pick<ReturnType<typeof usePlaceOrder>, 'isPlacing' | 'fail'>
}

/** Says that the delivery day has changed by itself, because a cut-off or midnight has passed. */
function useSlotNotice(chosen: DeliverySlot | null, { vendorId, wanted, order }: Seen) {
  const { t, lang } = useLanguage()
  const seen = useRef({ chosen, vendorId, wanted })
  useEffect(() => {
    const before = seen.current
    seen.current = { chosen, vendorId, wanted }
    const isOwnChoice = wanted !== before.wanted || vendorId !== before.vendorId
    // The refusal of an order says it itself.
    if (isOwnChoice || order.isPlacing || !chosen || !before.chosen || sameSlot(chosen, before.chosen)) return
    order.fail(t('checkout.error.day'), t('checkout.error.dayNow', { day: slotWords(chosen, lang, 'long') }))
  })
}

export const page: Page = {
  Component: CheckoutPage,
  load: async (request) => {
    const { queries } = request
    const user = await requireUser(request)
    const [cart] = await Promise.all([
      queries.ensureQueryData(cartQuery()),
      queries.ensureQueryData(read(listVendors)),
      queries.ensureQueryData(read(getSite)),
      // Without the book the page fills in the address of the profile.
      queries.prefetchQuery(read(listAddresses)),
    ])
    if (cart.items.length === 0) throw redirect({ to: '/' })
    // The page shows the promised day without the list.
    if (cart.vendorId !== null) await queries.prefetchQuery(deliveryDaysQuery(cart.vendorId))
    if (!isChosen(user.mapCoordinates)) return
    // Prefetches the area of the last address; on failure the page requests it.
    const coverageQuery = areaQuery(user.mapCoordinates)
    await queries
      .ensureQueryData(coverageQuery)
      .catch(() => queries.removeQueries({ queryKey: coverageQuery.queryKey, exact: true }))
  },
  head: ({ t }) => ({ title: t('shell.title.checkout'), hidden: true }),
}
