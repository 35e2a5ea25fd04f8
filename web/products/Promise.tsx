import { commonPromise, slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import type { ComponentType, ReactNode } from 'react'
import { useNameIn } from '../app/names.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { DropIcon, FastIcon, ShieldIcon } from '../ui/icons.tsx'
import { WavePanel } from '../ui/Wave.tsx'

/** The vendors on the page; day and fee must hold for each of them. */
interface Shown {
  vendors: readonly Vendor[]
}

function useDayText({ vendors }: Shown) {
  const { t, lang } = useLanguage()
  const promise = commonPromise(vendors.map(slotOf))
  if (!promise) return t('catalogue.promiseDoor')
  const day = slotWords(promise.slot, lang, 'long')
  return promise.isExact ? t('catalogue.promiseDay', { day }) : t('catalogue.promiseBy', { day })
}

export function useFeeText({ vendors }: Shown) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const [only, second] = vendors
  if (!only) return null
  const fees = vendors.map(({ deliveryFee }) => deliveryFee)
  const most = Math.max(...fees)
  if (most === 0) return second ? t('catalogue.vendorFree') : t('catalogue.freeFrom', { vendor: nameIn(only) })
  const amount = formatMoney(fromBhd(most), lang)
  return Math.min(...fees) === most ? t('catalogue.vendorFee', { amount }) : t('catalogue.feeUpTo', { amount })
}

interface PromiseProps {
  /** Null where nobody delivers: `text` says so. */
  day: string | null
  text: ReactNode
  fee: string | null
}
/** People who return see the promise as one line, whose code only they load. */
export interface Returning {
  Line: ComponentType<PromiseProps & { children: ReactNode }> | null
}

/** The delivery promise. */
export function PromiseBanner({ Line, ...said }: PromiseProps & Returning) {
  const t = useT()
  const { day, text, fee } = said
  if (Line)
    return (
      <Line {...said}>
        <TrustRow className="ms-auto hidden text-ink-2 md:flex" />
      </Line>
    )
  return (
    <WavePanel className="mt-2.5 md:mt-0">
      <h1 className="text-heading leading-[1.42] md:text-[1.5rem]">
        {day ? t('catalogue.promise') : text}{' '}
        {day && <span className="inline-block text-balance text-on-deep-aqua max-md:block">{day}</span>}
      </h1>
      <div className="flex flex-wrap gap-x-8 text-label leading-[1.6] text-on-gulf-2">
        <p className="dots">
          {day && text && <span>{text}</span>} {fee && <span>{fee}</span>}{' '}
          {day && <span className={text ? 'max-md:hidden' : ''}>{t('catalogue.cash')}</span>}
        </p>
        <TrustRow className="hidden md:flex" />
      </div>
    </WavePanel>
  )
}

/** What all vendors on the page promise, while no area is known. */
export function CommonPromise({ vendors, Line }: Shown & Returning) {
  const day = useDayText({ vendors })
  const fee = useFeeText({ vendors })
  return <PromiseBanner day={day} text={null} fee={fee} Line={Line} />
}

/** The three badges of SPEC: in the banner of a wide screen, below the first products of a phone. */
export function TrustRow({ className }: { className: string }) {
  const t = useT()
  const marks = [
    ['footer.fresh', DropIcon],
    ['footer.fast', FastIcon],
    ['footer.reliable', ShieldIcon],
  ] as const
  return (
    <ul className={classes('flex-wrap gap-x-5', className)}>
      {marks.map(([key, Sign]) => (
        <li key={key} className="flex items-center gap-1.5 text-label">
          <Sign size={18} aria-hidden="true" />
          {t(key)}
        </li>
      ))}
    </ul>
  )
}
