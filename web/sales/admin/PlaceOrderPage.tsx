import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { parsePhone } from '@qatra/contract/lib/phone'
import type { SalesCustomer } from '@qatra/contract/sales'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import type { Page } from '../../app/page.ts'
import { useAddressForm } from '../../checkout/use-address-form.ts'
import { useChosenSlot } from '../../delivery/days.ts'
import { read } from '../../lib/api-client.ts'
import { findUser, useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { CopyButton } from '../../ui/admin/CopyButton.tsx'
import { ChatReturn, useChat } from '../../ui/admin/chat-return.tsx'
import { Money, OrderId } from '../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { priceFloorsQuery, productsQuery, useCaller, useProducts } from './api.ts'
import { CallerPart } from './CallerPart.tsx'
import { isUntouched, sumsOf } from './draft.ts'
import { fieldId, focusNext, focusSoon } from './focus.ts'
import { ItemsPart } from './ItemsPart.tsx'
import { adderId } from './ids.ts'
import { takeCaller } from './linked-caller.ts'
import { PlacePart } from './PlacePart.tsx'
import { PlaceAction, SummaryPart } from './SummaryPart.tsx'
import { type Placed, type Sale, useSale } from './use-sale.ts'

function PlaceOrderPage() {
  const t = useT()
  const sale = useSale()
  const { draft, placed } = sale
  const own = useUser()?.vendorId ?? null
  const products = useProducts(own)
  const { data: vendors = [] } = useQuery(read(listVendors))
  const [first] = draft.lines
  // Without a vendor of their own, the vendor of the first product applies.
  const vendorId = own ?? (first && products?.get(first.productId)?.vendorId) ?? null
  const vendor = vendors.find(({ id }) => id === vendorId) ?? null
  const place = useAddressForm(sale.form, { vendorId, audience: 'staff' })
  const free = useCaller(draft.phone).customer?.freeBottles
  const sums = useMemo(() => sumsOf(draft, products ?? new Map(), vendor, free), [draft, products, vendor, free])

  const slot = useChosenSlot(vendorId, draft.day, vendor)

  useLinkedPhone(sale)

  const submit = () => void sale.place({ address: place.address, vendor, slot })
  function onKey(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    } else focusNext(event)
  }
  function again(customer: SalesCustomer) {
    if (!customer.lastOrder || !products) return
    const missing = sale.repeat(customer.lastOrder, products)
    if (missing > 0) toast({ title: t('sale.againMissing', { count: missing }), tone: 'error' })
    focusSoon(adderId)
  }

  if (placed) {
    return (
      <AdminPageLayout title={t('sale.title')}>
        <PlacedPart order={placed} onNext={() => sale.startOver()} />
      </AdminPageLayout>
    )
  }
  return (
    <AdminPageLayout
      title={t('sale.title')}
      actions={
        <>
          {!isUntouched(draft) && (
            <button
              type="button"
              className="min-h-tap px-2 font-strong text-aqua-ink hover:underline"
              onClick={() => sale.startOver()}
            >
              {t('sale.startOver')}
            </button>
          )}
          <ChatReturn />
        </>
      }
    >
      <form
        noValidate
        autoComplete="off"
        className="grid gap-x-10 px-4 pb-8 md:px-6 desk:grid-cols-[minmax(0,1fr)_20rem]"
        onKeyDown={onKey}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className="grid max-w-180 content-start gap-8">
          <CallerPart sale={sale} onAgain={again} />
          <PlacePart sale={sale} vendorId={vendorId} state={place} />
          <ItemsPart
            sale={sale}
            products={products}
            vendors={vendors}
            vendorId={first || own !== null ? vendorId : null}
            free={free}
          />
        </div>
        <aside
          aria-label={t('sale.summary')}
          className="desk:sticky desk:top-6 desk:self-start max-desk:mt-8 max-desk:max-w-180"
        >
          <SummaryPart sale={sale} sums={sums} vendor={vendor} slot={slot.chosen} />
          <div className="foot-bar mt-4 max-desk:-mx-4 max-desk:border-t max-desk:border-line max-desk:bg-page max-desk:px-4 max-desk:py-3 desk:static">
            <PlaceAction sale={sale} total={sums.total} />
          </div>
        </aside>
      </form>
    </AdminPageLayout>
  )
}

/**
 * Starts with the number of the link (`?phone=`) and removes it from the address, so that a reload keeps the draft. An
 * unfinished order for another number can be restored.
 */
function useLinkedPhone({ draft, change, startOver }: Sale) {
  const t = useT()
  const navigate = useNavigate()
  const chat = useChat()
  const { phone } = useSearch({ strict: false }) as { phone?: unknown } // the address may contain any text
  useEffect(() => {
    const linked = parsePhone(typeof phone === 'string' || typeof phone === 'number' ? String(phone) : '')
    const present = parsePhone(draft.phone)
    focusSoon(fieldId('phone'))
    if (phone !== undefined) void navigate({ to: '.', search: chat === null ? {} : { chat }, replace: true })
    if (!linked.ok || (present.ok && present.phone === linked.phone)) return
    startOver(linked.phone, takeCaller(linked.phone))
    if (isUntouched(draft)) return
    toast({
      title: t('sale.draftReplaced'),
      action: { label: t('sale.draftBack'), onClick: () => change(draft) },
      duration: 10_000,
    })
  }, [phone]) // oxlint-disable-line react/exhaustive-deps -- once for each link, not for each draft
}

/** Shows the order number and starts the next order. */
function PlacedPart({ order, onNext }: { order: Placed; onNext(): void }) {
  const { t, lang } = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  const chat = useChat()
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [])
  return (
    <section className="appear mx-auto grid max-w-120 justify-items-center gap-4 px-4 py-12 text-center" role="status">
      <span className="grid size-14 place-items-center rounded-full bg-aqua-soft text-aqua-ink">
        <CheckIcon size={28} aria-hidden="true" />
      </span>
      <h2 className="text-title">{t('sale.done')}</h2>
      <p className="text-body text-ink-2">
        <bdi>{order.customerName}</bdi> · {t('sale.arrives', { day: slotWords(slotOf(order), lang, 'long') })}
      </p>
      <p className="flex items-center gap-2 text-heading">
        <span className="sr-only">{t('sale.orderId')}</span>
        <OrderId id={order.id} />
        <CopyButton text={order.id} label={t('sale.orderId')} />
      </p>
      <Money bhd={order.total} className="text-display text-gulf" />
      <div ref={box} className="mt-2 flex flex-wrap justify-center gap-3">
        <ChatReturn className={buttonClass('aqua')} />
        <Button tone={chat === null ? 'aqua' : 'outline'} onClick={onNext}>
          {t('sale.next')}
        </Button>
        <Link
          to="/admin/sales/$id"
          params={{ id: order.id }}
          search={chat === null ? {} : { chat }}
          className={buttonClass('outline')}
        >
          {t('sale.open')}
        </Link>
      </div>
    </section>
  )
}

export const page: Page = {
  Component: PlaceOrderPage,
  async load({ queries }) {
    const user = await findUser(queries)
    await Promise.all([
      queries.ensureQueryData(productsQuery(user?.vendorId ?? null)),
      queries.ensureQueryData(read(listVendors)),
      // Optional: the page works without it.
      queries.prefetchQuery(priceFloorsQuery()),
    ])
  },
  head: ({ t }) => ({ title: t('sale.title'), hidden: true }),
}
