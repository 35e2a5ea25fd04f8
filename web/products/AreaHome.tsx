import { formatClock } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, daysUntil, slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { plainAmount } from '@qatra/contract/lib/money'
import type { AreaSummary } from '@qatra/contract/places/areas'
import { getSite } from '@qatra/contract/settings/site'
import { earliestPromise, inDeliveryOrder } from '@qatra/contract/vendors/delivery-order'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deliversTo } from '../app/delivery-area.ts'
import { useNameIn } from '../app/names.ts'
import type { HomeSearch } from '../app/routes/search.ts'
import { read } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { PromiseBanner, type Returning, useFeeText } from './Promise.tsx'

/** Rows shown before "all vendors". */
const FEW = 4
/** Vendors that the promise names. */
const NAMED = 2

export const inOrder = (vendors: readonly Vendor[], area: AreaSummary) =>
  inDeliveryOrder(vendors, ({ id }) => deliversTo(area, id))

function useDayWords() {
  const { t, lang } = useLanguage()
  const { data: site } = useQuery(read(getSite))
  const isTomorrow = (slot: DeliverySlot) => site !== undefined && daysUntil(slot, site.today) === 1
  return {
    isTomorrow,
    /** "here tomorrow, Monday" or "here on Tuesday 24 November" */
    promise: (slot: DeliverySlot) =>
      isTomorrow(slot)
        ? t('area.promiseTomorrow', { weekday: slotWords(slot, lang, 'weekday') })
        : t('catalogue.promiseDay', { day: slotWords(slot, lang, 'long') }),
    /** "Tomorrow, Monday" or "Tuesday 24" */
    short: (slot: DeliverySlot) => {
      const weekday = slotWords(slot, lang, 'weekday')
      return isTomorrow(slot)
        ? t('area.tomorrowDay', { weekday })
        : t('area.day', { weekday, day: Number(slot.date.slice(8)) })
    },
  }
}

interface AreaPromiseProps extends Returning {
  /** The vendors on the page. */
  vendors: readonly Vendor[]
  area: AreaSummary
}

/** The earliest day in the area, and who keeps it. */
export function AreaPromise({ vendors, area, Line }: AreaPromiseProps) {
  const { t } = useLanguage()
  const nameIn = useNameIn()
  const words = useDayWords()
  const promise = earliestPromise(vendors.filter(({ id }) => deliversTo(area, id)))
  const fee = useFeeText({ vendors: promise?.vendors ?? [] })
  const place = nameIn(area)
  if (!promise) {
    const [only, another] = vendors
    const nobody =
      only && !another
        ? t('swap.notice', { vendor: nameIn(only), area: place })
        : t('area.promiseNone', { area: place })
    return <PromiseBanner day={null} text={nobody} fee={t('area.promiseNoneHint')} Line={Line} />
  }
  const [first = '', second = ''] = promise.vendors.map(nameIn)
  const others = promise.vendors.length - NAMED
  const from = !second
    ? t('area.promiseFrom', { area: place, vendor: first })
    : others > 0
      ? t('area.promiseFromMore', { area: place, first, second, count: others })
      : t('area.promiseFromTwo', { area: place, first, second })
  const day = Line ? words.short(promise.slot) : words.promise(promise.slot)
  return <PromiseBanner day={day} text={from} fee={fee} Line={Line} />
}

interface VendorRowsProps {
  /** In the order of delivery. */
  vendors: readonly Vendor[]
  area: AreaSummary
}

/** The vendors with their day, cut-off, fee and minimum in the area. */
export function VendorRows({ vendors, area }: VendorRowsProps) {
  const t = useT()
  const nameIn = useNameIn()
  const [isWhole, setWhole] = useState(false)
  return (
    <section
      aria-labelledby="area-vendors"
      className="-mx-4 mt-6 border-y-8 border-well px-4 pt-3 md:mx-0 md:border-y-0 md:px-0"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id="area-vendors" className="text-heading">
          {t('area.deliverTo', { area: nameIn(area) })}
        </h2>
        {vendors.length > FEW && (
          <button
            type="button"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
            className="-me-2 flex min-h-tap items-center px-2 text-label font-strong text-aqua-ink"
          >
            {isWhole ? t('area.fewer') : t('area.allVendors', { count: vendors.length })}
          </button>
        )}
      </div>
      <ul className="md:grid md:grid-cols-2 md:gap-x-10">
        {(isWhole ? vendors : vendors.slice(0, FEW)).map((vendor) => (
          <VendorRow key={vendor.id} vendor={vendor} area={area} />
        ))}
      </ul>
    </section>
  )
}

function VendorRow({ vendor, area }: { vendor: Vendor; area: AreaSummary }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const words = useDayWords()
  const name = nameIn(vendor)
  const delivers = deliversTo(area, vendor.id)
  return (
    <li className="border-b border-line last:border-b-0 md:last:border-b">
      <Link
        to="/"
        search={(old: HomeSearch) => ({ ...old, vendor: vendor.id })}
        className="flex min-h-17 items-center gap-3 py-2.5 hover:bg-well focus-visible:-outline-offset-2"
      >
        <span className={delivers ? 'shrink-0' : 'shrink-0 opacity-45 grayscale'}>
          <VendorEmblem emblem={vendor.emblem} tint={vendor.tint} name={name} logoUrl={vendor.logoUrl} />
        </span>
        <span className="min-w-0 flex-1 leading-normal">
          <span dir="auto" className={classes('block truncate text-start', delivers ? 'font-strong' : 'text-ink-2')}>
            {name}
          </span>
          <span className="block text-label text-ink-3">
            {delivers ? <ShortTerms vendor={vendor} /> : t('catalogue.notTo', { area: nameIn(area) })}
          </span>
        </span>
        {delivers && (
          <span className="max-w-1/2 shrink-0 text-start leading-normal">
            <span className={classes('block font-strong', words.isTomorrow(slotOf(vendor)) && 'text-aqua-ink')}>
              {words.short(slotOf(vendor))}
            </span>
            <span className="block text-label text-ink-3">
              {vendor.cutOff && t('area.orderBefore', { time: formatClock(vendor.cutOff, lang) })}
            </span>
          </span>
        )}
      </Link>
    </li>
  )
}

/** Fee and minimum without the unit, which the prices below have: on a phone they share the line with the day. */
function ShortTerms({ vendor: { deliveryFee, minDeliveryAmount } }: { vendor: Vendor }) {
  const t = useT()
  return (
    <span className="dots">
      <bdi>
        {deliveryFee === 0 ? t('catalogue.vendorFree') : t('catalogue.vendorFee', { amount: plainAmount(deliveryFee) })}
      </bdi>
      {minDeliveryAmount > 0 && <bdi>{t('area.minimum', { amount: plainAmount(minDeliveryAmount) })}</bdi>}
    </span>
  )
}
