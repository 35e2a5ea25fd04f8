import { useT } from '../lib/language/i18n.tsx'
import { requestConsent } from './consent.ts'
import { useAnalyticsIds } from './ids.ts'

/** "Cookie choices" for the footer and the privacy page; hidden if no analytics id is configured. */
export function ConsentButton({ className }: { className?: string }) {
  const t = useT()
  if (!useAnalyticsIds()) return null
  return (
    <button type="button" className={className} onClick={requestConsent}>
      {t('consent.choices')}
    </button>
  )
}
