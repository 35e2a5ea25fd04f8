import { parsePhone } from '@qatra/contract/lib/phone'
import { useSearch } from '@tanstack/react-router'
import type { Page } from '../../../web/app/page.ts'
import { telegramSearch } from '../../../web/app/routes/search.ts'
import { read } from '../../../web/lib/api-client.ts'
import { useT } from '../../../web/lib/language/i18n.tsx'
import { BOT_CHAT, getSimulatedTelegram } from '../../contract/telegram.ts'
import { staffPhones } from '../demo-phones.ts'
import { PhoneChooser } from '../PhoneChooser.tsx'
import { SimulatorFrame } from '../SimulatorFrame.tsx'
import { TelegramPhone } from './TelegramPhone.tsx'

/** Phone and chat in the address; a start code opens the chat with the bot. */
function readAddress(search: Record<string, unknown>) {
  const { phone, chat, start = null } = telegramSearch(search)
  const parsed = parsePhone(phone)
  return { phone: parsed.ok ? parsed.phone : null, chat: chat ?? (start === null ? null : BOT_CHAT), start }
}

const chatsOf = (phone: string, chat: string | null) =>
  read(getSimulatedTelegram, { query: { phone, ...(chat === null ? {} : { chat }) } })

function TelegramPhonePage() {
  const t = useT()
  const { phone, chat, start } = readAddress(useSearch({ strict: false }))
  return (
    <SimulatorFrame
      chosen="/simulator/telegram"
      title={t('simulator.telegram.title')}
      intro={t('simulator.telegram.intro')}
      phone={phone}
      chooser={
        <PhoneChooser
          key={phone}
          page="/simulator/telegram"
          phone={phone}
          phones={staffPhones}
          label={t('simulator.telegram.phone')}
        />
      }
    >
      <TelegramPhone
        key={phone}
        phone={phone}
        chat={chat}
        start={start}
        query={phone === null ? null : chatsOf(phone, chat)}
      />
    </SimulatorFrame>
  )
}

export const page: Page = {
  Component: TelegramPhonePage,
  async load({ queries, search }) {
    const { phone, chat } = readAddress(search)
    if (phone !== null) await queries.prefetchQuery(chatsOf(phone, chat))
  },
  head: ({ t }) => ({ title: t('simulator.telegram.title'), hidden: true }),
}
