import { formatDay } from '@qatra/contract/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/money'
import type { Vendor } from '@qatra/contract/vendors'
import { useLanguage } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import { DropIcon, FastIcon, ShieldIcon } from '../ui/icons.tsx'
import { WavePanel } from '../ui/Wave.tsx'

interface PromisePanelProps {
  vendors: readonly Vendor[]
  chosen: Vendor | null
  /** Bahrain date an order placed now arrives. */
  day: string
}

/** What delivery costs: free only where that is true, else from what it costs. */
function useFeeText({ vendors, chosen }: Omit<PromisePanelProps, 'day'>) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const amount = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  if (chosen) {
    return chosen.deliveryFee === 0
      ? t('catalogue.freeFrom', { vendor: nameIn(chosen) })
      : t('catalogue.fee', { amount: amount(chosen.deliveryFee) })
  }
  const free = vendors.filter(({ deliveryFee }) => deliveryFee === 0)
  if (free.length === vendors.length) return t('catalogue.freeAll')
  const [one, two, third] = free
  if (one && !two) return t('catalogue.freeFrom', { vendor: nameIn(one) })
  if (one && two && !third) return t('catalogue.freeFromTwo', { one: nameIn(one), two: nameIn(two) })
  if (one) return t('catalogue.freeFromSome')
  return t('catalogue.feeFrom', { amount: amount(Math.min(...vendors.map(({ deliveryFee }) => deliveryFee))) })
}

export function PromisePanel({ vendors, chosen, day }: PromisePanelProps) {
  const { t, lang } = useLanguage()
  const fee = useFeeText({ vendors, chosen })
  return (
    <WavePanel shapes={['b-330', 'b-1500', 'b-200', 'b-5g', 'b-500']}>
      <h1 className="text-[1.625rem] leading-[1.42] font-strong md:text-[1.875rem] md:leading-[1.36]">
        {t('catalogue.promise')}{' '}
        <span className="block text-balance text-on-deep-aqua">
          {t('catalogue.promiseDay', { day: formatDay(day, lang, 'long') })}
        </span>
      </h1>
      <p className="mt-1.5 text-[0.9375rem] leading-[1.6] text-balance text-on-gulf-2">{fee}</p>
    </WavePanel>
  )
}

export function TrustRow() {
  const { t } = useLanguage()
  const marks = [
    ['catalogue.fresh', DropIcon],
    ['catalogue.fast', FastIcon],
    ['catalogue.reliable', ShieldIcon],
  ] as const
  return (
    <ul className="flex justify-between px-0.5 pt-3.5 pb-1 md:hidden">
      {marks.map(([key, Sign]) => (
        <li key={key} className="flex items-center gap-1.5 text-label text-ink-2">
          <Sign size={18} aria-hidden="true" className="text-aqua-ink" />
          {t(key)}
        </li>
      ))}
    </ul>
  )
}
