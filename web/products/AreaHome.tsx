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
import { Bottle } from '../ui/Bottle.tsx'
import { classes } from '../ui/class-names.ts'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { Wave } from '../ui/Wave.tsx'

/** Rows shown before "all vendors". */
const FEW = 5
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

interface AreaPromiseProps {
  /** The vendors on the page. */
  vendors: readonly Vendor[]
  area: AreaSummary
}

/** The earliest day in the area, and who keeps it. */
export function AreaPromise({ vendors, area }: AreaPromiseProps) {
  const { t } = useLanguage()
  const nameIn = useNameIn()
  const words = useDayWords()
  const promise = earliestPromise(vendors.filter(({ id }) => deliversTo(area, id)))
  const place = nameIn(area)
  const [first = '', second = ''] = (promise?.vendors ?? []).map(nameIn)
  const others = (promise?.vendors.length ?? 0) - NAMED
  const [only, another] = vendors
  const nobody =
    only && !another ? t('swap.notice', { vendor: nameIn(only), area: place }) : t('area.promiseNone', { area: place })
  const from = !second
    ? t('area.promiseFrom', { area: place, vendor: first })
    : others > 0
      ? t('area.promiseFromMore', { area: place, first, second, count: others })
      : t('area.promiseFromTwo', { area: place, first, second })
  return (
    <section className="deep relative mt-3 min-h-33 overflow-hidden rounded-l px-5 pt-4 pb-5 md:mt-0 md:px-8">
      <div className="relative z-2 max-w-[72%]">
        <h1 className="text-[1.5rem] leading-[1.42] font-strong">
          {promise ? (
            <>
              {t('catalogue.promise')}{' '}
              <span className="block text-balance text-on-deep-aqua">{words.promise(promise.slot)}</span>
            </>
          ) : (
            nobody
          )}
        </h1>
        <p className="mt-0.5 text-[0.9375rem] leading-[1.6] text-on-gulf-2">
          {promise ? from : t('area.promiseNoneHint')}
          {promise && <span className="block">{t('catalogue.cash')}</span>}
        </p>
      </div>
      <div aria-hidden="true" className="absolute end-2 -bottom-0.5 flex items-end">
        <Bottle shape="b-5g" height={104} className="-me-3.5" />
        <Bottle shape="b-500" height={76} />
      </div>
      <Wave height={26} />
    </section>
  )
}

interface VendorRowsProps {
  /** In the order of delivery. */
  vendors: readonly Vendor[]
  area: AreaSummary
  chosen: number | undefined
}

/** The vendors with their day, cut-off, fee and minimum in the area. Replaces the strip of emblems. */
export function VendorRows({ vendors, area, chosen }: VendorRowsProps) {
  const t = useT()
  const nameIn = useNameIn()
  const [isWhole, setWhole] = useState(false)
  const isFiltered = chosen !== undefined
  const shown = isFiltered ? vendors.filter(({ id }) => id === chosen) : isWhole ? vendors : vendors.slice(0, FEW)
  const all = t('area.allVendors', { count: vendors.length })
  const linkClass = '-me-2 flex min-h-tap items-center px-2 text-label font-strong text-aqua-ink'
  return (
    <section
      aria-labelledby="area-vendors"
      className="-mx-4 mt-4 mb-3 border-y-8 border-well px-4 pt-3 md:mx-0 md:border-y-0 md:px-0"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id="area-vendors" className="text-heading">
          {t('area.deliverTo', { area: nameIn(area) })}
        </h2>
        {isFiltered && (
          <Link
            to="/"
            search={(old: HomeSearch) => ({ ...old, vendor: undefined })}
            resetScroll={false}
            className={linkClass}
          >
            {all}
          </Link>
        )}
        {!isFiltered && vendors.length > FEW && (
          <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)} className={linkClass}>
            {isWhole ? t('area.fewer') : all}
          </button>
        )}
      </div>
      <ul className="md:grid md:grid-cols-2 md:gap-x-10">
        {shown.map((vendor) => (
          <VendorRow key={vendor.id} vendor={vendor} area={area} isChosen={vendor.id === chosen} />
        ))}
      </ul>
    </section>
  )
}

function VendorRow({ vendor, area, isChosen }: { vendor: Vendor; area: AreaSummary; isChosen: boolean }) {
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
        resetScroll={false}
        aria-current={isChosen ? 'true' : undefined}
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
          <span className="shrink-0 text-start leading-normal">
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
