import { formatMoney, fromBhd } from '@qatra/contract/money'
import { useLanguage } from '../../app/i18n.tsx'

/** BHD too much or too little, in words: a sign is easily passed over. Nothing is said before anything was counted. */
export function Difference({ bhd }: { bhd: number | null }) {
  const { t, lang } = useLanguage()
  if (bhd === null) return <span className="text-ink-3">{t('drivers.none')}</span>
  if (bhd === 0) return <span>{t('drivers.exact')}</span>
  const amount = formatMoney(fromBhd(Math.abs(bhd)), lang)
  return <span className="font-strong text-clay">{t(bhd < 0 ? 'drivers.less' : 'drivers.more', { amount })}</span>
}
