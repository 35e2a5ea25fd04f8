import type { ReactNode } from 'react'
import { useT } from '../app/i18n.tsx'
import { useInLang } from '../app/names.ts'
import { useSite } from './company.ts'

/** Contact for questions: the company's address, or the support links in the footer if none is set. */
export function ContactLine({ about }: { about: 'privacy' | 'terms' }): ReactNode {
  const t = useT()
  const inLang = useInLang()
  const company = useSite()?.company
  const lines = company ? [inLang(company.name, company.nameAr), inLang(company.address, company.addressAr)] : []
  const address = lines.filter(Boolean).join(t('privacy.comma'))
  return address ? t(`${about}.contact`, { address }) : t(`${about}.contactNone`)
}
