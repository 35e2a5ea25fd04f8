import { useT } from '../../app/i18n.tsx'
import { Money } from '../../ui/Bidi.tsx'

/** BHD too much or too little; nothing is said before anything was counted. */
export function Difference({ bhd }: { bhd: number | null }) {
  const t = useT()
  if (bhd === null) return <span className="text-ink-3">{t('drivers.none')}</span>
  if (bhd === 0) return <span>{t('drivers.exact')}</span>
  return <Money bhd={bhd} className="font-strong text-clay" />
}
