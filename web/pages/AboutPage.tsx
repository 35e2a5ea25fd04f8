import type { ReactNode } from 'react'
import { useInLang } from '../app/names.ts'
import type { Page } from '../app/page.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useSite } from './company.ts'
import { Passage, Prose } from './Prose.tsx'

function AboutPage() {
  const t = useT()
  return (
    <Prose title={t('about.title')} lead={t('about.lead')}>
      <Passage title={t('about.whatTitle')}>{t('about.what')}</Passage>
      <Passage title={t('about.promiseTitle')}>{t('about.promise')}</Passage>
      <Passage title={t('about.cancelTitle')}>{t('about.cancel')}</Passage>
      <CompanyFacts />
    </Prose>
  )
}

function CompanyFacts() {
  const t = useT()
  const inLang = useInLang()
  const company = useSite()?.company
  if (!company) return null
  const facts: [string, ReactNode][] = [
    [t('about.name'), inLang(company.name, company.nameAr)],
    [t('about.address'), inLang(company.address, company.addressAr)],
    [t('about.cr'), company.crNumber && <bdi dir="ltr">{company.crNumber}</bdi>],
    [t('about.vat'), company.vatNumber && <bdi dir="ltr">{company.vatNumber}</bdi>],
  ]
  const known = facts.filter(([, value]) => Boolean(value))
  if (known.length === 0) return null
  return (
    <Passage title={t('about.companyTitle')}>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {known.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-3">{label}</dt>
            <dd className="mb-2 text-ink sm:mb-0">{value}</dd>
          </div>
        ))}
      </dl>
    </Passage>
  )
}

export const page: Page = {
  Component: AboutPage,
  head: ({ t }) => ({ title: t('about.title'), description: t('about.description') }),
}
