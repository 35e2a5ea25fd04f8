import { type DeliverySlot, slotWords } from '@qatra/contract/calendar/slot'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useNameIn } from '../app/names.ts'
import { SwapNotice } from '../cart/OutsideNotice.tsx'
import { useVendors } from '../catalogue/api.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { AgainIcon, CheckIcon, type Icon, PinIcon, WarningIcon } from '../ui/icons.tsx'
import type { Coverage } from './coverage.ts'

interface CoverageNoticeProps {
  coverage: Coverage
  vendor: Vendor | null
  /** The chosen one. */
  slot: DeliverySlot | null
  /** Delivery fee of the cart in BHD. */
  deliveryFee: number
  onRetry(): void
}

/** Whether the vendor delivers to the point; the live region exists before its content. */
export function CoverageNotice({ coverage, vendor, slot, deliveryFee, onRetry }: CoverageNoticeProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const name = vendor ? nameIn(vendor) : ''
  const isBad = coverage.state === 'refuses' || coverage.state === 'outside' || coverage.state === 'error'
  const fee =
    deliveryFee === 0 ? t('checkout.fee.free') : t('checkout.fee', { amount: formatMoney(fromBhd(deliveryFee), lang) })
  return (
    <div className="my-3 min-h-18">
      <div role="status">
        {coverage.state === 'idle' && (
          <Box
            icon={PinIcon}
            className="bg-well"
            title={t('checkout.coverage.idle')}
            text={t('checkout.coverage.idleText')}
          />
        )}
        {coverage.state === 'checking' && (
          <Box
            icon={PinIcon}
            className="bg-well"
            title={t('checkout.coverage.checking')}
            text={t('checkout.coverage.checkingText')}
          />
        )}
        {coverage.state === 'delivers' && slot && (
          <Box
            icon={CheckIcon}
            className="bg-aqua-soft"
            title={t('checkout.coverage.delivers', { vendor: name, area: nameIn(coverage.area) })}
            text={
              <>
                <span>{t('checkout.arrives', { day: slotWords(slot, lang, 'short') })}</span> <span>{fee}</span>
              </>
            }
          />
        )}
      </div>
      <div role="alert">
        {isBad && (
          <Box icon={WarningIcon} className="bg-clay-soft" tone="text-clay" title={badTitle()} text={badText()}>
            {coverage.state === 'refuses' && (
              <>
                <SwapNotice area={coverage.area} isBare />
                <Others ids={coverage.area.vendorIds} />
              </>
            )}
            {coverage.state === 'error' && (
              <button
                type="button"
                onClick={onRetry}
                className="flex min-h-tap items-center gap-2 font-strong text-aqua-ink hover:underline"
              >
                <AgainIcon size={18} aria-hidden="true" />
                {t('checkout.coverage.retry')}
              </button>
            )}
          </Box>
        )}
      </div>
    </div>
  )

  function badTitle() {
    if (coverage.state === 'refuses') return t('checkout.coverage.refusesTitle', { area: nameIn(coverage.area) })
    return coverage.state === 'outside' ? t('checkout.coverage.outside') : t('checkout.coverage.error')
  }
  function badText() {
    if (coverage.state === 'refuses')
      return t('checkout.coverage.refuses', { vendor: name, area: nameIn(coverage.area) })
    return coverage.state === 'outside' ? t('checkout.coverage.outsideText') : t('checkout.coverage.errorText')
  }
}

interface BoxProps {
  icon: Icon
  className: string
  tone?: string
  title: string
  text: ReactNode
  children?: ReactNode
}

function Box({ icon: Sign, className, tone = 'text-aqua-ink', title, text, children }: BoxProps) {
  return (
    <div className={classes('appear flex min-h-18 gap-2.5 rounded-m px-3.5 py-2.5', className)}>
      <Sign size={22} aria-hidden="true" className={classes('mt-0.75', tone)} />
      <div className="min-w-0 leading-relaxed">
        <p className="font-strong">{title}</p>
        <p className={classes('text-label text-ink-2', typeof text !== 'string' && 'dots')}>{text}</p>
        {children}
      </div>
    </div>
  )
}

/** Vendors that deliver to the point, as links; the current cart is parked. */
function Others({ ids }: { ids: readonly number[] }) {
  const { t } = useLanguage()
  const nameIn = useNameIn()
  const vendors = useVendors().filter(({ id }) => ids.includes(id))
  if (vendors.length === 0) return null
  return (
    <div className="mt-1.5">
      <p className="text-label font-strong">{t('checkout.coverage.others')}</p>
      <ul className="flex flex-wrap gap-x-4">
        {vendors.map((vendor) => (
          <li key={vendor.id}>
            <Link
              to="/"
              search={{ vendor: vendor.id }}
              className="inline-flex min-h-tap min-w-tap items-center text-aqua-ink underline underline-offset-3"
            >
              {nameIn(vendor)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
