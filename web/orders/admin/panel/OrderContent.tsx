import { fromBhd, timesFils, toBhd } from '@qatra/contract/lib/money'
import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { isApproximate } from '@qatra/contract/places/pin'
import { silhouetteOf } from '@qatra/contract/products/sizes'
import { quantityText } from '@qatra/contract/products/unit-text'
import type { ReactNode } from 'react'
import { useInLang, useNameIn } from '../../../app/names.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { ReferralFacts } from '../../../ui/admin/ReferralFacts.tsx'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { Money, Phone, Quantity } from '../../../ui/Bidi.tsx'
import { Bottle } from '../../../ui/Bottle.tsx'
import { isCashDue } from '../next-action.ts'
import { ContactLinks } from './ContactLinks.tsx'
import { SmallMap } from './SmallMap.tsx'

/** Fields that only staff see. */
type Shown = Order & Partial<Pick<AdminOrderDetail, 'customerOrder' | 'agent' | 'referral'>>

export function CustomerPart({ order }: { order: Shown }) {
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
  const words = useLanguage()
  const { t } = words
  const nameIn = useNameIn()
  const isPaid = order.paymentStatus === 'paid'
  const isDue = isCashDue(order)
  const isPartlyPaid = order.amountPaid > 0 && !isPaid
  const extras = [
    ['desk.subtotal', order.subtotal],
    ['desk.deliveryFee', order.deliveryFee],
    ['desk.vat', order.productVAT],
    ...(isPartlyPaid
      ? ([
          ['desk.total', order.total],
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
                {item.orderedQuantity === null ? (
                  <Quantity of={item} count={item.quantity} />
                ) : (
                  t('desk.quantityOf', {
                    count: item.quantity,
                    ordered: quantityText(words, item, item.orderedQuantity),
                  })
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
              isDue ? 'desk.cashToCollect' : isPaid && order.paymentMethod === 'cash' ? 'desk.collected' : 'desk.total',
            )}
          </dt>
          <dd>
            <Money bhd={isDue ? order.cashDue : order.total} />
          </dd>
        </div>
      </dl>
      <VendorLine order={order} />
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
