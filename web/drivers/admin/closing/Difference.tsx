import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { CheckIcon } from '../../../ui/icons.tsx'

/** A difference in BHD as text, since a sign is easily missed; null: not counted yet. */
export function useDifference() {
  const { t, lang } = useLanguage()
  return (bhd: number | null) => {
    if (bhd === null) return t('closing.notCounted')
    if (bhd === 0) return t('drivers.exact')
    return t(bhd < 0 ? 'drivers.less' : 'drivers.more', { amount: formatMoney(fromBhd(Math.abs(bhd)), lang) })
  }
}

/** The same in a table; a dash where there was no cash to count. */
export function Difference({ bhd, hasCash = true }: { bhd: number | null; hasCash?: boolean }) {
  const { t } = useLanguage()
  const text = useDifference()(bhd)
  if (!bhd && !hasCash) return <span className="text-ink-3">{t('drivers.none')}</span>
  if (bhd === null) return <span className="text-ink-3">{text}</span>
  if (bhd === 0)
    return (
      <span className="whitespace-nowrap">
        <CheckIcon size={16} aria-hidden="true" className="me-1.5 inline align-text-bottom text-aqua-ink" />
        {text}
      </span>
    )
  return <span className="font-strong text-clay">{text}</span>
}
