import { formatDateTime, formatDay } from '@qatra/contract/calendar'
import { fromBhd, timesFils, toBhd } from '@qatra/contract/money'
import type { Order } from '@qatra/contract/orders'
import { getSalesOrder } from '@qatra/contract/sales'
import { useQuery } from '@tanstack/react-query'
import { Link, notFound, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isMissing, read } from '../../app/call.ts'
import { useLanguage } from '../../app/i18n.tsx'
import { useInLang, useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { PaidBadge, StatusBadge } from '../../orders/office/OrderParts.tsx'
import { ReceiptButton } from '../../orders/office/ReceiptButton.tsx'
import { Money, OrderId, Phone, Size } from '../../ui/Bidi.tsx'
import { Desk } from '../../ui/office/Desk.tsx'
import { Timeline } from '../../ui/office/Timeline.tsx'
import { toolClass } from '../../ui/office/Tool.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'

const orderQuery = (id: string) => read(getSalesOrder, { params: { id } })

function SalesOrderPage() {
  const { t, lang } = useLanguage()
  const { id } = useParams({ strict: false }) as { id: string } // the route's own parameter
  const { data: order } = useQuery(orderQuery(id))
  if (!order) return null
  return (
    <Desk
      title={<OrderId id={order.id} />}
      subtitle={
        <span className="flex flex-wrap items-center gap-2">
          <StatusBadge order={order} />
          <PaidBadge order={order} />
        </span>
      }
      actions={
        <>
          <Link to="/admin/sales" className={toolClass()}>
            {t('sale.back')}
          </Link>
          <ReceiptButton orderId={order.id} place="below" />
        </>
      }
    >
      <div className="grid items-start gap-x-10 gap-y-8 px-4 pb-10 md:px-6 desk:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid max-w-180 gap-8">
          <Customer order={order} />
          <Items order={order} />
        </div>
        <Part title={t('sale.steps')}>
          <p className="mb-3 text-ink-2">{t('sale.promised', { day: formatDay(order.promisedDate, lang, 'long') })}</p>
          <Timeline
            label={t('sale.steps')}
            items={[...order.steps].reverse().map((step) => ({
              key: `${step.status}${step.at}`,
              title: t(`office.status.${step.status}`),
              time: formatDateTime(new Date(step.at), lang),
              exact: step.at,
            }))}
          />
        </Part>
      </div>
    </Desk>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className="mb-3 text-heading">{title}</h2>
    {children}
  </section>
)

function Customer({ order }: { order: Order }) {
  const { t } = useLanguage()
  const inLang = useInLang()
  const area = inLang(order.areaName, order.areaNameAr)
  return (
    <Part title={t('sale.customer')}>
      <p dir="auto" className="text-as-page font-strong">
        {order.customerName}
      </p>
      <p className="text-ink-2">
        <Phone phone={order.phone} />
      </p>
      <p dir="auto" className="text-as-page mt-2 break-words">
        {order.address}
      </p>
      {area && !order.address.includes(area) && <p className="text-ink-2">{area}</p>}
      {order.instructions && (
        <p dir="auto" className="text-as-page break-words whitespace-pre-line text-ink-2">
          {order.instructions}
        </p>
      )}
    </Part>
  )
}

function Items({ order }: { order: Order }) {
  const { t } = useLanguage()
  const nameIn = useNameIn()
  const sums = [
    ['sale.subtotal', order.subtotal],
    ['sale.fee', order.deliveryFee],
    ['sale.vat', order.productVAT],
  ] as const
  return (
    <Part title={t('sale.items')}>
      <ul>
        {order.items.map((item) => (
          <li key={item.id} className="flex items-center gap-3 border-t border-line py-2.5 first:border-t-0">
            <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={order.vendorTint} px={48} />
            <span className="min-w-0 flex-1">
              <bdi className="block truncate leading-relaxed font-strong">{nameIn(item)}</bdi>
              <span className="block text-label text-ink-2">
                <Size size={item.size} /> · <bdi dir="ltr">{`${item.quantity} × ${item.price.toFixed(3)}`}</bdi>
                {typeof item.listPrice === 'number' && (
                  <>
                    {' '}
                    <s className="text-ink-3">
                      <Money bhd={item.listPrice} />
                    </s>
                  </>
                )}
                {item.priceReason && (
                  <>
                    {' '}
                    · <bdi>{item.priceReason}</bdi>
                  </>
                )}
              </span>
            </span>
            <Money bhd={toBhd(timesFils(fromBhd(item.price), item.quantity))} className="flex-none font-strong" />
          </li>
        ))}
      </ul>
      <dl className="mt-2 grid gap-1 border-t border-line pt-3">
        {sums.map(([key, sum]) => (
          <div key={key} className="flex justify-between gap-3 text-ink-2">
            <dt>{t(key)}</dt>
            <dd>
              <Money bhd={sum} />
            </dd>
          </div>
        ))}
        <div className="mt-1 flex items-baseline justify-between gap-3 text-heading">
          <dt>{t('sale.total')}</dt>
          <dd>
            <Money bhd={order.total} className="text-gulf" />
          </dd>
        </div>
      </dl>
    </Part>
  )
}

export const page: Page = {
  Component: SalesOrderPage,
  load: ({ queries, params }) =>
    queries.ensureQueryData(orderQuery(params['id'] ?? '')).catch((error: unknown) => {
      throw isMissing(error) ? notFound() : error
    }),
  head: ({ t }) => ({ title: t('sale.mine'), hidden: true }),
}
