import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import type { ReactNode } from 'react'
import { useInLang } from '../app/names.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { useSite } from './company.ts'
import { Passage } from './Prose.tsx'

/** Name, address and support contact of the company. */
export function useContact() {
  const t = useT()
  const inLang = useInLang()
  const site = useSite()
  const company = site?.company
  const lines = company ? [inLang(company.name, company.nameAr), inLang(company.address, company.addressAr)] : []
  const { phone = null, whatsapp = null, email = null } = site?.support ?? {}
  return {
    address: lines.filter(Boolean).join(t('privacy.comma')),
    phone,
    // The same number is shown once.
    whatsapp: whatsapp === phone ? null : whatsapp,
    email,
    /** Somebody answers; an address alone does not. */
    canReach: Boolean(phone || whatsapp || email),
  }
}

const linkClass = 'font-strong text-aqua-ink underline underline-offset-3'

/** Left out while no contact is entered. */
export function ContactPassage({ about }: { about: 'privacy' | 'terms' }): ReactNode {
  const t = useT()
  const { address, phone, whatsapp, email, canReach } = useContact()
  if (!address && !canReach) return null
  const links = [
    [t('footer.call'), telLink(phone), phone && <Phone key="phone" phone={phone} />],
    [t('footer.whatsapp'), whatsappLink(whatsapp), whatsapp && <Phone key="whatsapp" phone={whatsapp} />],
    [t('footer.email'), email && `mailto:${email}`, <bdi key="email">{email}</bdi>],
  ] as const
  return (
    <Passage title={t(`${about}.contactTitle`)}>
      <p>{address ? t(`${about}.contact`, { address }) : t(`${about}.contactOnly`)}</p>
      <ul>
        {links.map(
          ([label, href, text]) =>
            href && (
              <li key={label} className="flex flex-wrap items-center gap-x-2">
                {label}
                <a href={href} className={`flex min-h-tap items-center ${linkClass}`}>
                  {text}
                </a>
              </li>
            ),
        )}
      </ul>
    </Passage>
  )
}
