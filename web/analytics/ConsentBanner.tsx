import { Link } from '@tanstack/react-router'
import { useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/Toast.tsx'
import { type Consent, chooseConsent } from './consent.ts'

/** Two buttons of equal weight; the page behind remains usable. */
export function ConsentBanner() {
  const t = useT()
  const choose = (choice: Consent) => {
    chooseConsent(choice)
    toast({ title: t('consent.saved'), text: t(`consent.${choice}`) })
  }
  return (
    <section
      aria-labelledby="consent-title"
      className="no-print rise fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-40 mx-auto max-w-130 rounded-l bg-surface p-4 shadow-float inset-ring inset-ring-line md:p-5"
    >
      <h2 id="consent-title" className="text-body font-strong">
        {t('consent.title')}
      </h2>
      <p className="mt-0.5 text-label text-ink-2">
        {t('consent.text')}{' '}
        <Link to="/privacy" className="text-aqua-ink underline">
          {t('consent.more')}
        </Link>
      </p>
      <div className="mt-3 grid grid-cols-2 gap-2.5">
        <Button className="px-2" onClick={() => choose('refused')}>
          {t('consent.refuse')}
        </Button>
        <Button className="px-2" onClick={() => choose('granted')}>
          {t('consent.grant')}
        </Button>
      </div>
    </section>
  )
}
