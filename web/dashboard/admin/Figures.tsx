import type { Dashboard, Figures as Numbers } from '@qatra/contract/dashboard/dashboard'
import { agreedOrdersIn, newCustomersIn, ordersIn } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { ReactNode } from 'react'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { Stat } from '../../ui/admin/Stat.tsx'
import { CustomersLink, OrdersLink } from './links.tsx'
import { changeOf, ordersIn as countOf, percentOf } from './words.ts'

// A number is left to right but aligned to the start of the line.
const number =
  'inline-flex rtl:justify-end min-w-6 items-center rounded-s decoration-2 underline-offset-4 hover:underline max-md:min-h-tap max-md:min-w-tap'
const line = 'inline-flex min-h-6 min-w-6 items-center rounded-s hover:underline max-md:min-h-tap max-md:min-w-tap'

/** Totals of the period beside the same part of the previous period. */
export function Figures({ seen }: { seen: Dashboard }) {
  const { t, lang } = useLanguage()
  const { figures: now, figuresBefore: before, span, spanBefore } = seen
  const money = (bhd: number | null) => (bhd === null ? '–' : formatMoney(fromBhd(bhd), lang))
  const sold = { now: ordersIn(seen, span), before: ordersIn(seen, spanBefore) }
  const cancelled = { status: 'cancelled' }
  const toOrders = (value: ReactNode, orders = sold.now) => (
    <OrdersLink orders={orders} className={number}>
      {value}
    </OrdersLink>
  )
  const was = (value: string) => t('dashboard.was', { value })
  const toBefore = (value: string, orders = sold.before) => (
    <OrdersLink orders={orders} className={line}>
      {was(value)}
    </OrdersLink>
  )
  return (
    <section aria-label={t('dashboard.figures')} className="deep @container rounded-l">
      <div className="grid grid-cols-2 gap-y-4 py-5 @2xl:grid-cols-3 @4xl:grid-cols-[1.1fr_1.45fr_1.25fr_1fr_1fr]">
        <Tile>
          <Stat
            label={t('dashboard.orders')}
            value={toOrders(formatCount(now.orders))}
            change={changeOf(now.orders, before.orders)}
            hint={toBefore(formatCount(before.orders))}
          />
        </Tile>
        <Tile className="@max-2xl:order-first @max-2xl:col-span-2">
          <Stat
            label={t('dashboard.revenue')}
            value={toOrders(money(now.revenue))}
            change={changeOf(now.revenue, before.revenue)}
            hint={toBefore(money(before.revenue))}
          />
        </Tile>
        <Tile>
          <Stat
            label={t('dashboard.average')}
            value={toOrders(money(now.average))}
            change={changeOf(now.average, before.average)}
            hint={before.average === null ? undefined : toBefore(money(before.average))}
          />
        </Tile>
        <Tile>
          <Stat
            label={t('dashboard.cancelled')}
            value={toOrders(formatCount(now.cancelled), ordersIn(seen, span, cancelled))}
            change={changeOf(now.cancelled, before.cancelled)}
            hint={
              <>
                {now.cancellationRate !== null && now.cancelled > 0 && (
                  <span className="me-2 inline-block">
                    {t('dashboard.rate', { percent: percentOf(now.cancellationRate) })}
                  </span>
                )}
                {toBefore(formatCount(before.cancelled), ordersIn(seen, spanBefore, cancelled))}
              </>
            }
          />
        </Tile>
        <Tile>
          <Stat
            label={t('dashboard.newCustomers')}
            value={
              <CustomersLink customers={newCustomersIn(seen, span)} className={number}>
                {formatCount(now.newCustomers)}
              </CustomersLink>
            }
            change={changeOf(now.newCustomers, before.newCustomers)}
            hint={
              <CustomersLink customers={newCustomersIn(seen, spanBefore)} className={line}>
                {was(formatCount(before.newCustomers))}
              </CustomersLink>
            }
          />
        </Tile>
      </div>
      <AgreedPrices seen={seen} />
    </section>
  )
}

/** Discounts by sales agents; hidden if there were none. */
function AgreedPrices({ seen }: { seen: Dashboard }) {
  const { t, lang } = useLanguage()
  const { figures: now, figuresBefore: before, span, spanBefore } = seen
  if (now.agreed === 0 && before.agreed === 0) return null
  const summaryOf = ({ agreed, givenAway }: Numbers) => {
    const orders = countOf(t, agreed)
    if (givenAway === 0) return orders
    const amount = formatMoney(fromBhd(Math.abs(givenAway)), lang)
    return t(givenAway > 0 ? 'dashboard.agreed.less' : 'dashboard.agreed.more', { orders, amount })
  }
  return (
    <p className="mx-5 flex flex-wrap items-center gap-x-3 border-t border-deep-line py-3">
      <span className="opacity-80">{t('dashboard.agreed')}</span>
      <OrdersLink orders={agreedOrdersIn(seen, span)} className={`${line} font-strong`}>
        {summaryOf(now)}
      </OrdersLink>
      <OrdersLink orders={agreedOrdersIn(seen, spanBefore)} className={`${line} text-caption opacity-80`}>
        {t('dashboard.was', { value: before.agreed === 0 ? formatCount(0) : summaryOf(before) })}
      </OrdersLink>
    </p>
  )
}

function Tile({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={`min-w-0 border-s border-deep-line px-5 @max-2xl:[&_.text-display]:text-title first:border-transparent @max-2xl:border-transparent ${className}`}
    >
      {children}
    </div>
  )
}
