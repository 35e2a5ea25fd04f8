import { telLink, whatsappLink } from '@qatra/contract/phone'
import { useT } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import { buttonClass } from '../ui/Button.tsx'
import { PhoneIcon, WhatsAppIcon } from '../ui/icons.tsx'

interface ContactButtonsProps {
  vendor: { name: string; nameAr: string | null; whatsappLink: string | null; contactNumber: string | null }
  /** The message begun for the customer. */
  text?: string
}

/** One button for each way the vendor can be reached; none where there is none. */
export function ContactButtons({ vendor, text }: ContactButtonsProps) {
  const t = useT()
  const nameIn = useNameIn()
  const chat = whatsappLink(vendor.whatsappLink?.replace(/^https:\/\/wa\.me\//, ''), text)
  const tel = telLink(vendor.contactNumber)
  if (!chat && !tel) return null
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-3">
      {chat && (
        <a
          href={chat}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('quiet')}
          aria-label={t('catalogue.whatsappOf', { vendor: nameIn(vendor) })}
        >
          <WhatsAppIcon size={20} aria-hidden="true" />
          {t('catalogue.whatsapp')}
        </a>
      )}
      {tel && (
        <a href={tel} className={buttonClass('quiet')} aria-label={t('catalogue.callOf', { vendor: nameIn(vendor) })}>
          <PhoneIcon size={20} aria-hidden="true" />
          {t('catalogue.call')}
        </a>
      )}
    </div>
  )
}
