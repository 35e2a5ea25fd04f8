import { useT } from '../../../lib/language/i18n.tsx'
import { PhoneIcon, WhatsAppIcon } from '../../../ui/icons.tsx'

const contact =
  'no-print grid size-8.5 flex-none place-items-center rounded-[10px] bg-well hover:bg-well-2 max-md:size-tap'

/** Chat and call links; missing ones are left out. */
export function ContactLinks({ name, chat, tel }: { name: string; chat: string | null; tel: string | null }) {
  const t = useT()
  return (
    <>
      {chat && (
        <a className={contact} href={chat} target="_blank" rel="noreferrer" aria-label={t('desk.whatsapp', { name })}>
          <WhatsAppIcon size={18} aria-hidden="true" />
        </a>
      )}
      {tel && (
        <a className={contact} href={tel} aria-label={t('desk.call', { name })}>
          <PhoneIcon size={18} aria-hidden="true" />
        </a>
      )}
    </>
  )
}
