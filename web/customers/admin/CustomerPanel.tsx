import { mayOpen } from '@qatra/contract/admin'
import { listBottles } from '@qatra/contract/bottles-admin'
import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { averageFils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import type { CustomerDetail } from '@qatra/contract/users/customers'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { DescriptionList } from '../../ui/admin/DescriptionList.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { ToolbarLink } from '../../ui/admin/ToolbarButton.tsx'
import { OrderBadge } from '../../ui/Badge.tsx'
import { Money, OrderId, Phone } from '../../ui/Bidi.tsx'
import { PhoneIcon, PlusIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { CollectionVisit } from './CollectionVisit.tsx'
import { customerQuery } from './customer-cache.ts'
import { DuePart } from './Due.tsx'
import { Notes } from './Notes.tsx'
import { Tags } from './Tags.tsx'

/** Panel of one customer beside the list. */
export function CustomerPanel({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useLanguage()
  const { data: customer, error } = useQuery(customerQuery(id))
  const name = customer && (customer.name ?? t('customers.noName'))
  return (
    <SidePanel
      label={name ?? t('customers.name')}
      title={name ? <bdi>{name}</bdi> : <Skeleton className="h-6 w-40" />}
      onClose={onClose}
      head={customer && <Contact customer={customer} />}
    >
      {error && !customer && (
        <p role="alert" className="px-5 py-4 text-clay">
          {refusalText(t, error, 'customers')}
        </p>
      )}
      {customer && <Known key={customer.id} customer={customer} />}
    </SidePanel>
  )
}

function Contact({ customer: { phone } }: { customer: CustomerDetail }) {
  const { t } = useLanguage()
  const user = useUser()
  const [tel, chat] = [telLink(phone), whatsappLink(phone)]
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      {tel && (
        <ToolbarLink icon={PhoneIcon} href={tel}>
          {t('customers.call')}
        </ToolbarLink>
      )}
      {chat && (
        <ToolbarLink icon={WhatsAppIcon} href={chat} target="_blank" rel="noreferrer">
          {t('customers.whatsapp')}
        </ToolbarLink>
      )}
      {mayOpen('/admin/sales/place-order', user) && (
        <ToolbarLink icon={PlusIcon} href={`/admin/sales/place-order?phone=${encodeURIComponent(phone)}`}>
          {t('customers.place')}
        </ToolbarLink>
      )}
    </div>
  )
}

function Known({ customer }: { customer: CustomerDetail }) {
  const { t, lang } = useLanguage()
  const user = useUser()
  const nameIn = useNameIn()
  const day = (at: string) => formatDay(bahrainDate(new Date(at)), lang, 'medium')
  const counted = customer.orderCount - customer.cancelledCount
  const isSuper = user?.role === 'super_admin'
  return (
    <>
      <DuePart key={customer.answer?.at} customer={customer} />
      <HeldBottles customerId={customer.id} showsVendor={isSuper} />
      <PanelPart>
        <dl className="mb-3 grid grid-cols-3 gap-3">
          <Figure term={t('customers.orders')}>
            {customer.orderCount}
            {customer.cancelledCount > 0 && (
              <span className="block text-caption font-regular text-ink-3">
                {t('customers.cancelled', { count: customer.cancelledCount })}
              </span>
            )}
          </Figure>
          <Figure term={t('customers.spend')}>
            <Money bhd={customer.spend} />
          </Figure>
          <Figure term={t('customers.average')}>
            {counted > 0 ? <Money bhd={toBhd(averageFils(fromBhd(customer.spend), counted))} /> : '—'}
          </Figure>
        </dl>
        <DescriptionList
          items={[
            [t('customers.phone'), <Phone key="phone" phone={customer.phone} />],
            [t('customers.lastOrder'), customer.lastOrderAt ? day(customer.lastOrderAt) : t('customers.never')],
            [t(customer.orderCount > 0 ? 'customers.lastAddress' : 'customers.address'), customer.address],
            [t('customers.area'), nameIn({ name: customer.areaName ?? '', nameAr: customer.areaNameAr })],
            [
              t('customers.consent'),
              <Fragment key="consent">
                {customer.marketingConsent && customer.consentAt
                  ? t('customers.consent.since', { day: day(customer.consentAt) })
                  : t(customer.marketingConsent ? 'customers.consent.yes' : 'customers.consent.no')}
                {customer.consentWords && (
                  <bdi className="block text-ink-2">
                    {t('customers.consent.words', { words: customer.consentWords })}
                  </bdi>
                )}
              </Fragment>,
            ],
            [t('customers.since'), day(customer.createdAt)],
          ]}
        />
      </PanelPart>
      <PanelPart title={t('customers.tags')}>
        <Tags customer={customer} />
      </PanelPart>
      <PanelPart title={t('customers.notes')}>
        <Notes customer={customer} showsVendor={isSuper} />
      </PanelPart>
      <PanelPart title={t('customers.recent')}>
        <RecentOrders customer={customer} showsVendor={isSuper} />
      </PanelPart>
    </>
  )
}

/** For each vendor that has bottles at the customer, the visits; a collection is planned where most bottles are. */
function HeldBottles({ customerId, showsVendor }: { customerId: number; showsVendor: boolean }) {
  const { t } = useLanguage()
  const { nameOf } = useVendorNames()
  const { data } = useQuery(read(listBottles, { query: { customerId } }))
  const places = data?.items.filter(({ count }) => count > 0) ?? []
  return places
    .filter(({ vendorId }, at) => places.findIndex((place) => place.vendorId === vendorId) === at)
    .map(({ vendorId, addressId }) => {
      const held = places.reduce((sum, place) => sum + (place.vendorId === vendorId ? place.count : 0), 0)
      return (
        <CollectionVisit key={vendorId} customerId={customerId} vendorId={vendorId} addressId={addressId}>
          <p className="text-ink-2">
            {t('heldBottles.holds', { count: held })}
            {showsVendor && <bdi> · {nameOf(vendorId)}</bdi>}
          </p>
        </CollectionVisit>
      )
    })
}

function Figure({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-ink-3">{term}</dt>
      <dd className="font-strong text-gulf">{children}</dd>
    </div>
  )
}

function RecentOrders({ customer, showsVendor }: { customer: CustomerDetail; showsVendor: boolean }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  if (customer.orders.length === 0) return <p className="text-ink-2">{t('customers.never')}</p>
  return (
    <>
      <ul className="grid">
        {customer.orders.map((order) => (
          <li key={order.id} className="border-b border-line last:border-b-0">
            <a
              href={`/admin/orders/${order.id}`}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 hover:bg-well"
            >
              <span className="min-w-0">
                <OrderId id={order.id} className="font-strong" />
                <span className="block truncate text-caption text-ink-3">
                  {formatDay(bahrainDate(new Date(order.createdAt)), lang, 'medium')} ·{' '}
                  {t('customers.items', { count: order.itemCount })}
                  {showsVendor && <bdi> · {nameIn({ name: order.vendorName, nameAr: order.vendorNameAr })}</bdi>}
                </span>
              </span>
              <span className="grid justify-items-end gap-1">
                <Money bhd={order.total} className="font-strong" />
                <OrderBadge status={order.status} staff>
                  {t(`admin.status.${order.status}`)}
                </OrderBadge>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {customer.orderCount > customer.orders.length && (
        <a
          href={`/admin/orders?q=${encodeURIComponent(customer.phone)}`}
          className="mt-1 inline-flex min-h-6 min-w-6 items-center text-aqua-ink hover:underline max-md:min-h-tap max-md:min-w-tap"
        >
          {t('customers.allOrders')}
        </a>
      )}
    </>
  )
}
