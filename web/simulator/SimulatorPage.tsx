import { parsePhone } from '@qatra/contract/phone'
import { listSimulatedMessages } from '@qatra/contract/simulator'
import { getSite } from '@qatra/contract/site'
import { notFound, useSearch } from '@tanstack/react-router'
import { read } from '../app/call.ts'
import { useT } from '../app/i18n.tsx'
import type { Page } from '../app/page.ts'
import { phoneSearch } from '../app/search.ts'
import { PhoneChooser } from './PhoneChooser.tsx'
import { SimulatorTabs } from './SimulatorTabs.tsx'
import { demoPhones } from './demo-phones.ts'
import { TestPhone } from './TestPhone.tsx'

/** The phone of the address in E.164; null for none, and for what is no number. */
function phoneOf(search: Record<string, unknown>): string | null {
  const parsed = parsePhone(phoneSearch(search).phone)
  return parsed.ok ? parsed.phone : null
}

const messagesOf = (phone: string | null) => read(listSimulatedMessages, { query: phone ? { phone } : {} })

function SimulatorPage() {
  const t = useT()
  const phone = phoneOf(useSearch({ strict: false }))
  return (
    <main
      id="main"
      className="wrap grid grid-cols-[minmax(0,1fr)] content-start gap-6 py-6 md:grid-cols-[minmax(0,1fr)_360px] md:gap-6 lg:grid-cols-[minmax(0,1fr)_400px] lg:gap-10"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
        <div>
          <h1 className="text-title">{t('simulator.title')}</h1>
          <p className="max-w-140 text-ink-2">{t('simulator.intro')}</p>
        </div>
        <SimulatorTabs chosen="/simulator" phone={phone} />
        <PhoneChooser key={phone} page="/simulator" phone={phone} phones={demoPhones} hasAll />
      </div>
      <TestPhone key={phone} phone={phone} messages={messagesOf(phone)} />
    </main>
  )
}

export const page: Page = {
  Component: SimulatorPage,
  async load({ queries, search }) {
    const site = await queries.ensureQueryData(read(getSite))
    if (!site.simulator) throw notFound()
    await queries.prefetchQuery(messagesOf(phoneOf(search)))
  },
  head: ({ t }) => ({ title: t('shell.title.simulator'), hidden: true }),
}
