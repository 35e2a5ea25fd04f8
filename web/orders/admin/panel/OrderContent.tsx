import '../../../map/map.css'
import { nameIn } from '@qatra/contract/lib/lang'
import { fromBhd, timesFils, toBhd } from '@qatra/contract/lib/money'
import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { getReceipt } from '@qatra/contract/orders/receipts'
import { sumsOf } from '@qatra/contract/orders/totals'
import { isApproximate } from '@qatra/contract/places/pin'
import { placeLabels } from '@qatra/contract/places/places'
import { silhouetteOf } from '@qatra/contract/products/sizes'
import type { ReactNode } from 'react'
import { useInLang, useNameIn } from '../../../app/names.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { MapOutline } from '../../../map/MapOutline.tsx'
import { offsetFrom } from '../../../map/projection.ts'
import { ReferralFacts } from '../../../ui/admin/ReferralFacts.tsx'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { Money, Phone } from '../../../ui/Bidi.tsx'
import { Bottle } from '../../../ui/Bottle.tsx'
import { EndIcon } from '../../../ui/icons.tsx'
import { CreditNotes } from '../../CreditNotes.tsx'
import { ItemQuantity } from '../../ItemQuantity.tsx'
import { BuyerFacts } from '../../OrderAddress.tsx'
import { isCashDue } from '../next-action.ts'
import { ContactLinks } from './ContactLinks.tsx'

const ZOOM = 13
const NEAR = { x: 165, y: 58 }
/** Closer place names would overlap the pin. */
const BELOW_PIN = 26

/** Static map of the delivery point with the places around it, linked to the person's map app. */
function SmallMap({ order, className }: { order: Pick<Order, 'mapCoordinates'>; className?: string }) {
  const { t, lang } = useLanguage()
  const { lat, lng } = order.mapCoordinates
  if (lat === 0 && lng === 0) return null
  const near = placeLabels
    .map((place) => ({ place, at: offsetFrom(place.point, { centre: order.mapCoordinates, zoom: ZOOM }) }))
    .filter(({ at: [x, y] }) => Math.abs(x) < NEAR.x && Math.abs(y) < NEAR.y)
    .filter(({ at: [x, y] }) => Math.abs(x) > BELOW_PIN * 2 || y > BELOW_PIN || y < -BELOW_PIN * 2)
    .slice(0, 6)
  return (
    <a
      href={`https://www.google.com/maps/search/?api=1&query=${lat},${lng}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t('desk.openMap')}
      title={t('desk.openMap')}
      className={`group relative block h-33 overflow-hidden rounded-m ${className ?? ''}`}
    >
      <MapOutline centre={order.mapCoordinates} zoom={ZOOM} hasPin />
      {near.map(({ place, at: [x, y] }) => (
        <span
          key={place.name}
          aria-hidden="true"
          className="map-place map-place-2 absolute"
          // Maps are never mirrored.
          style={{ left: `calc(50% + ${Math.round(x)}px)`, top: `calc(50% + ${Math.round(y)}px)` }}
        >
          <span>{nameIn(lang, place)}</span>
        </span>
      ))}
      <span className="absolute end-2 bottom-2 inline-flex h-7 items-center gap-1 rounded-s bg-surface px-2 text-caption opacity-0 shadow-float transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
        {t('desk.openMap')}
        <EndIcon size={14} aria-hidden="true" />
      </span>
    </a>
  )
}

/** Fields that only staff see. */
type Shown = Order & Partial<Pick<AdminOrderDetail, 'customerOrder' | 'agent' | 'referral'>>

/** @param tool action on the facts of the company, shown below them */
export function CustomerPart({ order, tool }: { order: Shown; tool?: ReactNode }) {
  const t = useT()
  const name = order.customerName
  const text = t('desk.whatsappText', { name, id: formatOrderId(order.id) })
  const chat = whatsappLink(order.phone, text)
  const tel = telLink(order.phone)
  return (
    <PanelPart>
      <div className="flex items-center gap-2.5">
        <div className="min-w-0 flex-1">
          <p dir="auto" className="text-as-page truncate text-body leading-[1.6] font-strong">
            {name}
          </p>
          <p className="text-ink-2">
            <Phone phone={order.phone} />
            {typeof order.customerOrder === 'number' && (
              <> · {t('desk.customerOrder', { count: order.customerOrder })}</>
            )}
          </p>
          {(order.receiverName || order.receiverPhone) && (
            <p className="text-ink-2">
              {t('desk.receiver')}: <bdi>{order.receiverName}</bdi>{' '}
              {order.receiverPhone && <Phone phone={order.receiverPhone} />}
            </p>
          )}
          <BuyerFacts order={order} words="desk" />
          {tool}
          {order.agent?.name && (
            <p className="text-caption text-ink-3">{t('desk.placedBy', { name: order.agent.name })}</p>
          )}
        </div>
        <ContactLinks name={name} chat={chat} tel={tel} />
      </div>
      {order.referral && (
        <div className="mt-2.5 border-t border-line pt-2.5">
          <ReferralFacts referral={order.referral} />
        </div>
      )}
    </PanelPart>
  )
}

/** @param tool action on the address, shown beside it */
export function PlacePart({ order, tool }: { order: Order; tool?: ReactNode }) {
  const t = useT()
  return (
    <PanelPart>
      <SmallMap order={order} className={isApproximate(order.pinSource) ? 'map-approximate mb-2.5' : 'mb-2.5'} />
      {/* Keeps a number on the line of its label: block 428, flat 34. */}
      <div className="flex items-start gap-2">
        <p dir="auto" className="text-as-page min-w-0 flex-1 font-strong text-pretty break-words">
          {order.address.replace(/ (?=\d)/g, '\u00a0')}
        </p>
        {tool}
      </div>
      {isApproximate(order.pinSource) && <p className="text-caption text-clay">{t('desk.address.approximate')}</p>}
      {order.instructions && (
        <p dir="auto" className="text-as-page break-words whitespace-pre-line text-ink-2">
          {order.instructions}
        </p>
      )}
    </PanelPart>
  )
}

/** @param tool action on the items, shown below them */
export function ItemsPart({ order, tool }: { order: Order; tool?: ReactNode }) {
  const t = useT()
  const nameIn = useNameIn()
  const isPaid = order.paymentStatus === 'paid'
  const isDue = isCashDue(order)
  const isPartlyPaid = order.amountPaid > 0 && !isPaid
  const extras = [
    ...sumsOf(order).map(({ kind, amount }) => [`totals.${kind}`, amount] as const),
    ...(isPartlyPaid
      ? ([
          ['totals.total', order.total],
          ['desk.paidSoFar', order.amountPaid],
        ] as const)
      : []),
  ] as const
  return (
    <PanelPart>
      <ul className="grid gap-1.5">
        {order.items.map((item) => (
          <li key={item.id} className="flex items-center gap-2.5">
            <span className="grid size-9 flex-none place-items-end justify-center rounded-s bg-well pb-0.5">
              <Bottle
                shape={silhouetteOf(item.size)}
                tint={order.vendorTint}
                height={silhouetteOf(item.size) === 'b-5g' ? 30 : 24}
              />
            </span>
            <span className="min-w-0 flex-1">
              <bdi>{nameIn(item)}</bdi>
              <span className="block text-ink-2">
                <ItemQuantity item={item} />
                {item.empties !== null && (
                  <span className="block">{t('bottles.customer.gives', { count: item.empties })}</span>
                )}
              </span>
              {typeof item.listPrice === 'number' && (
                <span className="block text-caption text-ink-3">
                  {t('desk.agreedPrice')}{' '}
                  <s>
                    <Money bhd={item.listPrice} />
                  </s>
                  {item.priceReason && (
                    <>
                      {' '}
                      · <bdi>{item.priceReason}</bdi>
                    </>
                  )}
                </span>
              )}
            </span>
            <Money bhd={toBhd(timesFils(fromBhd(item.price), item.quantity))} />
          </li>
        ))}
      </ul>
      {tool}
      <dl className="mt-2.5 border-t border-line pt-2">
        {extras.map(([key, amount]) => (
          <div key={key} className="flex justify-between gap-3 text-caption text-ink-3">
            <dt>{t(key)}</dt>
            <dd>
              <Money bhd={amount} />
            </dd>
          </div>
        ))}
        <div className="mt-1.5 flex justify-between gap-3 font-strong">
          <dt>
            {t(
              isDue
                ? 'desk.cashToCollect'
                : isPaid && order.paymentMethod === 'cash'
                  ? 'desk.collected'
                  : 'totals.total',
            )}
          </dt>
          <dd>
            <Money bhd={isDue ? order.cashDue : order.total} />
          </dd>
        </div>
      </dl>
      <VendorLine order={order} />
      <CreditNotes
        order={order}
        path={getReceipt.path}
        words={{ title: t('desk.creditNotes'), note: t('desk.creditNote'), invoice: t('desk.creditedInvoice') }}
      />
    </PanelPart>
  )
}

function VendorLine({ order }: { order: Order }) {
  const t = useT()
  const inLang = useInLang()
  return (
    <p className="mt-1 text-caption text-ink-3">
      {inLang(order.vendorName, order.vendorNameAr)} · {t(`desk.method.${order.paymentMethod}`)}
    </p>
  )
}
