import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { useLanguage } from '../../../lib/language/i18n.tsx'

/** A difference in BHD as text, since a sign is easily missed; null: not counted yet. */
export function useDifference() {
  const { t, lang } = useLanguage()
  return (bhd: number | null) => {
    if (bhd === null) return t('closing.notCounted')
    if (bhd === 0) return t('drivers.exact')
    return t(bhd < 0 ? 'drivers.less' : 'drivers.more', { amount: formatMoney(fromBhd(Math.abs(bhd)), lang) })
  }
}

/** The same in a table; a dash for a driver without cash. */
export function Difference({ bhd, hasCash = true }: { bhd: number | null; hasCash?: boolean }) {
  const { t } = useLanguage()
  const text = useDifference()(bhd)
  if (bhd === null && !hasCash) return <span className="text-ink-3">{t('drivers.none')}</span>
  if (!bhd) return <span className={bhd === null ? 'text-ink-3' : undefined}>{text}</span>
  return <span className="font-strong text-clay">{text}</span>
}
