import type { Page } from '../app/page.ts'
import { useT } from '../lib/language/i18n.tsx'
import { ContactPassage } from './ContactPassage.tsx'
import { Passage, Prose } from './Prose.tsx'

const passages = ['who', 'order', 'delivery', 'payment', 'cancel', 'return', 'account', 'law'] as const

function TermsPage() {
  const t = useT()
  return (
    <Prose title={t('terms.title')} lead={t('terms.lead')}>
      {passages.map((name) => (
        <Passage key={name} title={t(`terms.${name}Title`)}>
          {t(`terms.${name}`)}
        </Passage>
      ))}
      <ContactPassage about="terms" />
    </Prose>
  )
}

export const page: Page = {
  Component: TermsPage,
  head: ({ t }) => ({ title: t('terms.title'), description: t('terms.description') }),
}
