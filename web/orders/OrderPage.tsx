import { bahrainDate, formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Order } from '@qatra/contract/orders/orders'
import { getMyReceipt, getReceiptLink } from '@qatra/contract/orders/receipts'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { useInLang } from '../app/names.ts'
import { keepReceipt, saveKeptReceipt } from '../app/offline/receipts.ts'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session/session.ts'
import { SumLines } from '../cart/CartSums.tsx'
import { addressOf, call } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { useAction } from '../lib/use-action.ts'
import { useChunk } from '../lib/use-chunk.ts'
import { OrderId } from '../ui/Bidi.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { AgainIcon, DownloadIcon, StartIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { ContactButtons } from '../vendors/ContactButtons.tsx'
import { firstOrdersQuery, orderQuery } from './api.ts'
import { useArrivalText } from './arrival.ts'
import { CreditNotes } from './CreditNotes.tsx'
import { DriverStops, stopsQuery } from './DriverStops.tsx'
import { CancelBox } from './editing/CancelBox.tsx'
import { CalendarLink, ChangeDay, DayNotice, ShippedNote } from './editing/ChangeDay.tsx'
import { EditMyItems } from './editing/EditItems.tsx'
import { PreviousOrder } from './home/LastOrder.tsx'
import { useLiveOrders } from './live-orders.ts'
import { hasBottles, myBottlesQuery, OrderBottles, orderBottlesQuery } from './MyBottles.tsx'
import { OrderAddress } from './OrderAddress.tsx'
import { vendorOf } from './OrderCard.tsx'
import { OrderLines } from './OrderLines.tsx'
import { missingOrder } from './OrderNotFound.tsx'
import { OrderState, PaymentState } from './OrderStateBadges.tsx'
import { OrderSteps } from './OrderSteps.tsx'
import { actRow, besideBoth, twoColumns } from './page-layout.ts'
import { RateDelivery } from './RateDelivery.tsx'
import { useReorder } from './use-reorder.tsx'

const loadDialog = () => import('./editing/EditAddressDialog.tsx').then((module) => module.AddressDialog)

/** Changes the address of an own order. */
function EditMyAddress({ order }: { order: Order }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const AddressDialog = useChunk(loadDialog, {
    need: isOpen,
    onError() {
      setOpen(false)
      toast({ title: t('edit.error.OFFLINE'), tone: 'error' })
    },
  })
  if (!order.can.address) return null
  return (
    <>
      <Button className="no-print mt-3" onClick={() => setOpen(true)}>
        {t('edit.address.change')}
      </Button>
      {isOpen && AddressDialog && <AddressDialog order={order} onClose={() => setOpen(false)} />}
    </>
  )
}

/** By then the page has loaded. */
const AT_REST_MS = 4_000

/** Downloads the receipt, without a network the one that was kept when the page was opened. */
function ReceiptLink({ order: { id, invoiceNumber } }: { order: Order }) {
  const { t, lang } = useLanguage()
  const user = useUser()
  const href = addressOf(getMyReceipt.path, { params: { id }, query: { lang, number: invoiceNumber } })
  const mayKeep = user?.role === 'customer' && user.impersonatedBy === null
  useEffect(() => {
    if (!mayKeep || !navigator.onLine) return
    const timer = setTimeout(() => {
      // Without it the receipt needs a network.
      keepReceipt(href).catch((error: unknown) => console.warn('The receipt is not kept', error))
    }, AT_REST_MS)
    return () => clearTimeout(timer)
  }, [href, mayKeep])
  const onClick = async (event: MouseEvent) => {
    if (navigator.onLine) return
    event.preventDefault()
    if (await saveKeptReceipt(href, `${id}.pdf`)) return
    toast({ title: t('order.receiptNotSaved'), tone: 'error' })
  }
  return (
    <a href={href} download onClick={(event) => void onClick(event)} className={buttonClass('quiet')}>
      <DownloadIcon size={20} aria-hidden="true" />
      <span>
        {t(invoiceNumber ? 'order.receipt' : 'order.deliveryNote')}{' '}
        <bdi dir="ltr" className="max-sm:sr-only">
          {invoiceNumber}
        </bdi>
      </span>
    </a>
  )
}

/** Opens the person's mail program with a link to the invoice. */
function EmailReceipt({ order: { id, invoiceNumber } }: { order: Order }) {
  const { t, lang } = useLanguage()
  const sending = useAction(() => toast({ title: t('order.email.failed'), tone: 'error' }))
  async function send() {
    const { url, until } = await call(getReceiptLink, { params: { id }, query: { lang } })
    const number = invoiceNumber ?? id
    const body = t('order.email.body', { number, url, day: formatDay(bahrainDate(new Date(until)), lang, 'long') })
    location.href = `mailto:?subject=${encodeURIComponent(t('order.email.subject', { number }))}&body=${encodeURIComponent(body)}`
  }
  return (
    <Button tone="link" className="no-print -ms-2 mt-1" busy={sending.busy} onClick={() => void sending.run(send)}>
      {t('order.email')}
    </Button>
  )
}

function OrderPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: order } = useQuery(orderQuery(id))
  return order ? <OneOrder order={order} /> : null
}

/** Separated by a band on a phone, by a line on a wide screen. */
const band =
  '-mx-4 border-b-8 border-well px-4 py-5 md:mx-0 md:border-b md:border-line md:px-0 lg:last:border-0 print:py-3'

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={band}>
      <h2 className="mb-2 text-heading">{title}</h2>
      {children}
    </section>
  )
}

function Headline({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const arrivalText = useArrivalText()
  const area = useInLang()(order.areaName, order.areaNameAr)
  const text = {
    cancelled: t('order.cancelled'),
    delivered: t('order.delivered', {
      day: order.deliveredAt
        ? formatDay(bahrainDate(new Date(order.deliveredAt)), lang, 'long')
        : slotWords(slotOf(order), lang, 'long'),
    }),
  }
  const { status } = order
  return (
    <>
      <h1 className="mt-2.5 mb-0.5 max-w-90 text-display text-balance">
        {status === 'cancelled' || status === 'delivered' ? text[status] : arrivalText(order)}
      </h1>
      {area && <p className="text-ink-2">{t('order.to', { area })}</p>}
    </>
  )
}

function OneOrder({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const vendorName = useInLang()(order.vendorName, order.vendorNameAr)
  const { start, dialog, busyWith } = useReorder()
  useLiveOrders([order])
  return (
    <main id="main" className="wrap pb-8 max-lg:max-w-190">
      <Link to="/orders" className="no-print -ms-2 inline-flex min-h-13 items-center gap-1 rounded-m px-2 text-heading">
        <StartIcon size={24} aria-hidden="true" />
        {t('order.title')}
      </Link>
      <div className={twoColumns}>
        <div>
          <section className={`${band} pt-1`}>
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-label text-ink-3">
              <OrderState order={order} />
              <OrderId id={order.id} />
            </div>
            <Headline order={order} />
            <DayNotice order={order} />
            <OrderSteps order={order} />
            <div className={`no-print mt-5 empty:hidden ${actRow}`}>
              {order.can.reorder && (
                <Button tone="aqua" icon={AgainIcon} busy={busyWith === order.id} onClick={() => start(order.id)}>
                  {t('again.do')}
                </Button>
              )}
              {order.status === 'delivered' && <ReceiptLink order={order} />}
              <ChangeDay order={order} />
              <EditMyItems order={order} />
            </div>
            <CalendarLink order={order} className={buttonClass('link', 'small', 'no-print -ms-2 mt-1')} />
            {order.invoiceNumber && <EmailReceipt order={order} />}
            <ShippedNote order={order} />
          </section>
          <RateDelivery order={order} className={band} />
          <DriverStops order={order} className={band} />
          <section className={band}>
            <div className="mb-3.5 flex items-center gap-3">
              <VendorEmblem
                emblem={order.vendorEmblem}
                tint={order.vendorTint}
                name={vendorName}
                logoUrl={order.vendorLogo}
                size={48}
              />
              <div>
                <h2 dir="auto" className="text-start text-heading">
                  {vendorName}
                </h2>
                <p className="no-print text-label text-ink-3">{t('order.ask')}</p>
              </div>
            </div>
            <ContactButtons vendor={vendorOf(order)} text={t('order.askText', { id: order.id })} />
          </section>
        </div>
        <div className={besideBoth}>
          <Part title={t('order.products')}>
            <OrderLines order={order} />
            <div className="mt-2.5 border-t border-line pt-2.5">
              <SumLines sums={order} order={order} />
              <div className="mt-2">
                <PaymentState order={order} />
              </div>
            </div>
            <CreditNotes
              order={order}
              path={getMyReceipt.path}
              words={{
                title: t('order.creditNotes'),
                note: t('order.creditNote'),
                invoice: t('order.creditedInvoice'),
              }}
            />
          </Part>
          <OrderBottles order={order} className={band} />
          <Part title={t('order.deliverTo')}>
            <OrderAddress order={order} />
            <EditMyAddress order={order} />
          </Part>
        </div>
        <div>
          <CancelBox order={order} className={band} />
          <PreviousOrder present={order} />
          <p className="py-4 text-label text-ink-3">
            {t('order.placed', { when: formatDateTime(new Date(order.createdAt), lang) })}
          </p>
        </div>
      </div>
      {dialog}
    </main>
  )
}

export const page: Page = {
  Component: OrderPage,
  load: async (request) => {
    await requireUser(request)
    const { queries, params } = request
    const { id = '' } = params
    async function loadOrder() {
      const order = await queries.fetchQuery(orderQuery(id))
      if (order.status === 'shipped') await queries.prefetchQuery(stopsQuery(id))
      if (!hasBottles(order)) return
      const counts = order.status === 'delivered' ? queries.prefetchQuery(orderBottlesQuery(id)) : null
      await queries.prefetchQuery(myBottlesQuery())
      await counts
    }
    const ownOrders = queries.prefetchQuery(firstOrdersQuery())
    // Waits for both also if there is no such order: what the page contains must not depend on which is faster.
    await loadOrder().finally(() => ownOrders)
  },
  head: ({ t }) => ({ title: t('order.title'), hidden: true }),
  missing: missingOrder,
}
