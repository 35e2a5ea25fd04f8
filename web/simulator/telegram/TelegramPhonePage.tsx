import { parsePhone } from '@qatra/contract/phone'
import { BOT_CHAT, getSimulatedTelegram } from '@qatra/contract/simulator-telegram'
import { getSite } from '@qatra/contract/site'
import { notFound, useSearch } from '@tanstack/react-router'
import { read } from '../../app/call.ts'
import { useT } from '../../app/i18n.tsx'
import type { Page } from '../../app/page.ts'
import { telegramSearch } from '../../app/search.ts'
import { staffPhones } from '../demo-phones.ts'
import { PhoneChooser } from '../PhoneChooser.tsx'
import { SimulatorTabs } from '../SimulatorTabs.tsx'
import { TelegramPhone } from './TelegramPhone.tsx'

/** Whose phone is open at what; a code to start with opens the bot. */
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
    <main
      id="main"
      className="wrap grid grid-cols-[minmax(0,1fr)] content-start gap-6 py-6 md:grid-cols-[minmax(0,1fr)_360px] md:gap-6 lg:grid-cols-[minmax(0,1fr)_400px] lg:gap-10"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
        <div>
          <h1 className="text-title">{t('simulator.telegram.title')}</h1>
          <p className="max-w-140 text-ink-2">{t('simulator.telegram.intro')}</p>
        </div>
        <SimulatorTabs chosen="/simulator/telegram" phone={phone} />
        <PhoneChooser
          key={phone}
          page="/simulator/telegram"
          phone={phone}
          phones={staffPhones}
          label={t('simulator.telegram.phone')}
        />
      </div>
      <TelegramPhone
        key={phone}
        phone={phone}
        chat={chat}
        start={start}
        asked={phone === null ? null : chatsOf(phone, chat)}
      />
    </main>
  )
}

export const page: Page = {
  Component: TelegramPhonePage,
  async load({ queries, search }) {
    const site = await queries.ensureQueryData(read(getSite))
    if (!site.simulator) throw notFound()
    const { phone, chat } = readAddress(search)
    if (phone !== null) await queries.prefetchQuery(chatsOf(phone, chat))
  },
  head: ({ t }) => ({ title: t('simulator.telegram.title'), hidden: true }),
}
