import { formatDay, formatTime } from '@qatra/contract/calendar'
import type { Order } from '@qatra/contract/orders'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '../app/i18n.tsx'
import { useInLang } from '../app/names.ts'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session.ts'
import { unlessMissing } from '../lib/api-client.ts'
import { orderQuery } from '../orders/api.ts'
import { CancelBox } from '../orders/CancelBox.tsx'
import { OrderAddress } from '../orders/OrderAddress.tsx'
import { vendorOf } from '../orders/OrderCard.tsx'
import { OrderNotFound } from '../orders/OrderPage.tsx'
import { Money, OrderId } from '../ui/Bidi.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { CashIcon, CheckIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { ContactButtons } from '../vendors/ContactButtons.tsx'

function SuccessPage() {
  const { orderId = '' } = useParams({ strict: false })
  const { data: order } = useQuery({ ...orderQuery(orderId), retryOnMount: false })
  return order ? <Placed order={order} /> : <OrderNotFound />
}

function Placed({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const vendorName = inLang(order.vendorName, order.vendorNameAr)
  return (
    <main id="main" className="wrap max-w-190 pb-8">
      <Band>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-2">
          <span className="grid size-12 place-items-center rounded-full bg-aqua-soft text-aqua-ink">
            <CheckIcon size={26} aria-hidden="true" />
          </span>
          <div className="min-w-0">
            <p className="font-strong">{t('success.received')}</p>
            <p className="text-label text-ink-3">
              <span className="sr-only">{t('order.id')}: </span>
              <OrderId id={order.id} />
            </p>
          </div>
        </div>
        <h1 className="mt-4 max-w-90 text-display text-balance">
          {t('order.arrives', { day: formatDay(order.promisedDate, lang, 'long') })}
        </h1>
        <p className="mt-1 flex items-center gap-2 text-ink-2">
          <CashIcon size={20} aria-hidden="true" className="text-aqua-ink" />
          <span>
            {t('success.cash')} <Money bhd={order.total} className="font-strong text-ink" />
          </span>
        </p>
        <CancelBox order={order} />
        {order.can.cancel && (
          <p className="no-print mt-2 text-label text-ink-3">
            {t('success.cancelUntil', { time: formatTime(new Date(order.cancellableUntil), lang) })}
          </p>
        )}
        <div className="no-print mt-5 grid gap-2.5 sm:grid-cols-2">
          <Link to="/orders/$id" params={{ id: order.id }} className={buttonClass('aqua', 'big')}>
            {t('success.view')}
          </Link>
          <Link to="/" className={buttonClass('quiet', 'big')}>
            {t('success.shop')}
          </Link>
        </div>
      </Band>
      <Band title={t('order.deliverTo')}>
        <OrderAddress order={order} />
      </Band>
      <Band>
        <div className="mb-3.5 flex items-center gap-3">
          <VendorEmblem
            emblem={order.vendorEmblem}
            tint={order.vendorTint}
            name={vendorName}
            logoUrl={order.vendorLogo}
            size={48}
          />
          <div>
            <h2 className="text-heading">{vendorName}</h2>
            <p className="no-print text-label text-ink-3">{t('order.ask')}</p>
          </div>
        </div>
        <ContactButtons vendor={vendorOf(order)} text={t('order.askText', { id: order.id })} />
      </Band>
    </main>
  )
}

function Band({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="-mx-4 border-b-8 border-well px-4 py-5 last:border-0 md:mx-0 md:border-b md:border-line md:px-0">
      {title && <h2 className="mb-2 text-heading">{title}</h2>}
      {children}
    </section>
  )
}

export const page: Page = {
  Component: SuccessPage,
  load: async (request) => {
    await requireUser(request)
    // A missing order, or one of another person, has its own message.
    await request.queries.fetchQuery(orderQuery(request.params['orderId'] ?? '')).catch(unlessMissing)
  },
  head: ({ queries, params, t }) =>
    queries.getQueryData(orderQuery(params['orderId'] ?? '').queryKey)
      ? { title: t('shell.title.success'), hidden: true }
      : { title: t('order.notFound'), hidden: true, status: 404 },
}
