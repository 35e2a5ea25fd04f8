import { ConsentButton } from '../analytics/ConsentButton.tsx'
import type { Page } from '../app/page.ts'
import { useT } from '../lib/language/i18n.tsx'
import { ContactPassage, useContact } from './ContactPassage.tsx'
import { Passage, Prose } from './Prose.tsx'

function PrivacyPage() {
  const t = useT()
  const { canReach } = useContact()
  return (
    <Prose title={t('privacy.title')} lead={t('privacy.lead')}>
      <Passage title={t('privacy.collectTitle')}>{t('privacy.collect')}</Passage>
      <Passage title={t('privacy.useTitle')}>{t('privacy.use')}</Passage>
      <Passage title={t('privacy.shareTitle')}>{t('privacy.share')}</Passage>
      <Passage title={t('privacy.cookiesTitle')}>
        <p>{t('privacy.cookies')}</p>
        <ConsentButton className="min-h-tap font-strong text-aqua-ink underline underline-offset-3" />
      </Passage>
      <Passage title={t('privacy.keepTitle')}>{t('privacy.keep')}</Passage>
      <Passage title={t('privacy.rightsTitle')}>
        {t('privacy.rights')} {canReach && t('privacy.rightsContact')}
      </Passage>
      <ContactPassage about="privacy" />
    </Prose>
  )
}

export const page: Page = {
  Component: PrivacyPage,
  head: ({ t }) => ({ title: t('privacy.title'), description: t('privacy.description') }),
}
