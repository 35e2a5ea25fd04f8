import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { useLanguage } from '../../../lib/language/i18n.tsx'

/** Difference in BHD as text, since a sign is easily missed. Empty before counting. */
export function Difference({ bhd }: { bhd: number | null }) {
  const { t, lang } = useLanguage()
  if (bhd === null) return <span className="text-ink-3">{t('drivers.none')}</span>
  if (bhd === 0) return <span>{t('drivers.exact')}</span>
  const amount = formatMoney(fromBhd(Math.abs(bhd)), lang)
  return <span className="font-strong text-clay">{t(bhd < 0 ? 'drivers.less' : 'drivers.more', { amount })}</span>
}
