import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import { useNameIn } from '../app/names.ts'
import { useT } from '../lib/language/i18n.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { PhoneIcon, WhatsAppIcon } from '../ui/icons.tsx'

interface ContactButtonsProps {
  vendor: { name: string; nameAr: string | null; whatsappLink: string | null; contactNumber: string | null }
  /** Prefilled text of the message. */
  text?: string
  /** Renders plain links in one line. */
  isQuiet?: boolean
}

/** One button for each configured contact of the vendor. */
export function ContactButtons({ vendor, text, isQuiet = false }: ContactButtonsProps) {
  const t = useT()
  const nameIn = useNameIn()
  const chat = whatsappLink(vendor.whatsappLink?.replace(/^https:\/\/wa\.me\//, ''), text)
  const tel = telLink(vendor.contactNumber)
  if (!chat && !tel) return null
  const linkClass = buttonClass(isQuiet ? 'link' : 'quiet')
  return (
    <div className={isQuiet ? 'no-print -mx-2 mt-1 flex gap-2' : 'no-print flex flex-wrap gap-3 *:flex-1'}>
      {chat && (
        <a
          href={chat}
          target="_blank"
          rel="noreferrer"
          className={linkClass}
          aria-label={t('catalogue.whatsappOf', { vendor: nameIn(vendor) })}
        >
          <WhatsAppIcon size={20} aria-hidden="true" />
          {t('catalogue.whatsapp')}
        </a>
      )}
      {tel && (
        <a href={tel} className={linkClass} aria-label={t('catalogue.callOf', { vendor: nameIn(vendor) })}>
          <PhoneIcon size={20} aria-hidden="true" />
          {t('catalogue.call')}
        </a>
      )}
    </div>
  )
}
