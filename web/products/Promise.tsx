import { commonPromise, slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useNameIn } from '../app/names.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
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

function useFeeText({ vendors }: Shown) {
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

/** @param isShort for people who return */
export function PromisePanel({ vendors, isShort }: Shown & { isShort: boolean }) {
  const { t } = useLanguage()
  const day = useDayText({ vendors })
  const fee = useFeeText({ vendors })
  return (
    <WavePanel shapes={isShort ? ['b-5g', 'b-500'] : ['b-330', 'b-1500', 'b-200', 'b-5g', 'b-500']} isShort={isShort}>
      <h1
        className={
          isShort
            ? 'text-[1.5rem] leading-[1.42] font-strong'
            : 'text-[1.625rem] leading-[1.42] font-strong md:text-[1.875rem] md:leading-[1.36]'
        }
      >
        {t('catalogue.promise')} <span className="block text-balance text-on-deep-aqua">{day}</span>
      </h1>
      {fee && (
        <p className="dots mt-1.5 text-[0.9375rem] leading-[1.6] text-on-gulf-2">
          <span>{fee}</span> <span>{t('catalogue.cash')}</span>
        </p>
      )}
    </WavePanel>
  )
}

export function TrustRow() {
  const { t } = useLanguage()
  const marks = [
    ['footer.fresh', DropIcon],
    ['footer.fast', FastIcon],
    ['footer.reliable', ShieldIcon],
  ] as const
  return (
    <ul className="flex flex-wrap justify-between gap-x-3 px-0.5 pt-3.5 pb-1 md:hidden">
      {marks.map(([key, Sign]) => (
        <li key={key} className="flex items-center gap-1.5 text-label text-ink-2">
          <Sign size={18} aria-hidden="true" className="text-aqua-ink" />
          {t(key)}
        </li>
      ))}
    </ul>
  )
}
