import { listPaymentSums } from '@qatra/contract/corrections'
import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import { ordersIn } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { paymentMeans } from '@qatra/contract/orders/payments'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { ShareBar } from '../../ui/admin/ShareBar.tsx'
import { Money, Size } from '../../ui/Bidi.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'
import { Card, quietLink } from './Card.tsx'
import { OrdersLink } from './links.tsx'
import { ordersIn as inWords } from './words.ts'

const row =
  'grid grid-cols-[40px_minmax(0,1fr)_minmax(32px,72px)_auto] items-center gap-3 rounded-s py-1.5 hover:bg-well max-md:min-h-tap'

const FEW = 5

export function ProductsCard({ seen, className }: { seen: Dashboard; className?: string }) {
  const t = useT()
  const nameIn = useNameIn()
  const [isLong, setLong] = useState(false)
  const { data: vendors } = useQuery(read(listVendors))
  const tint = vendors?.find(({ id }) => id === seen.vendorId)?.tint ?? null
  const [first] = seen.byProduct
  return (
    <Card
      title={t('dashboard.products')}
      {...(className ? { className } : {})}
      end={
        <Link to="/admin/products" className={quietLink}>
          {t('dashboard.products.all')}
        </Link>
      }
    >
      <ul>
        {seen.byProduct
          .slice(0, isLong ? undefined : FEW)
          .map(({ productId, name, nameAr, size, orders, quantity }) => (
            <li key={productId}>
              <OrdersLink orders={ordersIn(seen, seen.span, { productId: String(productId) })} className={row}>
                <ProductThumb size={size} imageUrl={null} tint={tint} px={36} />
                <span className="min-w-0 leading-normal">
                  <bdi className="line-clamp-2">{nameIn({ name, nameAr })}</bdi>
                  <span className="block text-caption text-ink-3">
                    <Size size={size} />
                    {' · '}
                    {t('dashboard.pieces', { count: quantity, number: formatCount(quantity) })}
                  </span>
                </span>
                <ShareBar parts={[{ share: orders / (first?.orders ?? 1) }]} />
                <span className="min-w-9 text-end">
                  <b>{formatCount(orders)}</b>
                  <span className="sr-only">{inWords(t, orders)}</span>
                </span>
              </OrdersLink>
            </li>
          ))}
      </ul>
      <More count={seen.byProduct.length - FEW} isLong={isLong} onChange={setLong} />
    </Card>
  )
}

/** Expands and collapses the rest of a list. */
export function More({ count, isLong, onChange }: { count: number; isLong: boolean; onChange(long: boolean): void }) {
  const t = useT()
  if (count <= 0) return null
  return (
    <button type="button" aria-expanded={isLong} className={`${quietLink} mt-1`} onClick={() => onChange(!isLong)}>
      {isLong ? t('dashboard.fewer') : t('dashboard.more', { count })}
    </button>
  )
}

export function VendorsCard({ seen, className }: { seen: Dashboard; className?: string }) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: vendors } = useQuery(read(listVendors))
  const [first] = seen.byVendor
  return (
    <Card title={t('dashboard.vendors')} {...(className ? { className } : {})}>
      <ul>
        {seen.byVendor.map(({ vendorId, name, nameAr, orders, revenue }) => {
          const { emblem = null, tint = null, logoUrl = null } = vendors?.find(({ id }) => id === vendorId) ?? {}
          const named = nameIn({ name, nameAr })
          return (
            <li key={vendorId}>
              <OrdersLink orders={ordersIn(seen, seen.span, { vendorId: String(vendorId) })} className={row}>
                <VendorEmblem emblem={emblem} tint={tint} logoUrl={logoUrl} name={named} size={34} />
                <span className="min-w-0 leading-normal">
                  <bdi className="block truncate">{named}</bdi>
                  <Money bhd={revenue} className="block truncate text-caption text-ink-3" />
                </span>
                <ShareBar parts={[{ share: orders / (first?.orders ?? 1) }]} />
                <span className="min-w-9 text-end">
                  <b>{formatCount(orders)}</b>
                  <span className="sr-only">{inWords(t, orders)}</span>
                </span>
              </OrdersLink>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const colourOf: Record<OrderStatus, string> = {
  new: 'fill-new-dot',
  'in-progress': 'fill-shipped',
  shipped: 'fill-progress-dot',
  delivered: 'fill-done-dot',
  cancelled: 'fill-cancel-dot',
}

export function StatusesCard({ seen, className }: { seen: Dashboard; className?: string }) {
  const t = useT()
  const all = seen.figures.orders + seen.figures.cancelled
  return (
    <Card title={t('dashboard.statuses')} {...(className ? { className } : {})}>
      <ul>
        {seen.byStatus.map(({ status, orders }) => (
          <li key={status}>
            <OrdersLink
              orders={ordersIn(seen, seen.span, { status })}
              className="grid min-h-9 grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-3 rounded-s hover:bg-well max-md:min-h-tap"
            >
              <span>{t(`admin.status.${status}`)}</span>
              <ShareBar parts={[{ share: orders / (all || 1), fill: colourOf[status] }]} />
              <b className="min-w-12 text-end">{formatCount(orders)}</b>
            </OrdersLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What drivers and the office received in the period, by means. */
export function MeansCard({ seen: { span, vendorId }, className }: { seen: Dashboard; className?: string }) {
  const t = useT()
  const vendor = vendorId === null ? {} : { vendorId: String(vendorId) }
  const { data } = useQuery({
    ...read(listPaymentSums, { query: { from: span.from, to: span.to, ...vendor } }),
    refetchInterval: 60_000,
  })
  if (!data || data.sums.total === 0) return null
  const { means, total } = data.sums
  const used = paymentMeans
    .flatMap((one) => (means[one] === undefined ? [] : [{ one, bhd: means[one] }]))
    .sort((a, b) => b.bhd - a.bhd)
  return (
    <Card
      title={t('dashboard.means')}
      {...(className ? { className } : {})}
      end={<Money bhd={total} className="font-strong" />}
    >
      <ul>
        {used.map(({ one, bhd }) => (
          <li key={one}>
            <Link
              to="/admin/reports/corrections"
              search={{ view: 'payments', from: span.from, to: span.to, vendor: vendorId ?? undefined }}
              className="grid min-h-9 grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-3 rounded-s hover:bg-well max-md:min-h-tap"
            >
              <span className="truncate">{t(`admin.means.${one}`)}</span>
              <ShareBar parts={[{ share: Math.max(0, bhd) / (used[0]?.bhd || 1) }]} />
              <Money bhd={bhd} className="min-w-24 text-end font-strong" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
