import { parsePhone } from '@qatra/contract/lib/phone'
import { useSearch } from '@tanstack/react-router'
import type { Page } from '../../web/app/page.ts'
import { phoneSearch } from '../../web/app/routes/search.ts'
import { read } from '../../web/lib/api-client.ts'
import { useT } from '../../web/lib/language/i18n.tsx'
import { listSimulatedMessages } from '../contract/simulator.ts'
import { demoPhones } from './demo-phones.ts'
import { PhoneChooser } from './PhoneChooser.tsx'
import { SimulatorFrame } from './SimulatorFrame.tsx'
import { TestPhone } from './TestPhone.tsx'

/** The phone in the address as E.164; null if missing or invalid. */
function phoneOf(search: Record<string, unknown>): string | null {
  const parsed = parsePhone(phoneSearch(search).phone)
  return parsed.ok ? parsed.phone : null
}

const messagesOf = (phone: string | null) => read(listSimulatedMessages, { query: phone ? { phone } : {} })

function SimulatorPage() {
  const t = useT()
  const phone = phoneOf(useSearch({ strict: false }))
  return (
    <SimulatorFrame
      chosen="/simulator"
      title={t('simulator.title')}
      intro={t('simulator.intro')}
      phone={phone}
      chooser={<PhoneChooser key={phone} page="/simulator" phone={phone} phones={demoPhones} hasAll />}
    >
      <TestPhone key={phone} phone={phone} messages={messagesOf(phone)} />
    </SimulatorFrame>
  )
}

export const page: Page = {
  Component: SimulatorPage,
  async load({ queries, search }) {
    await queries.prefetchQuery(messagesOf(phoneOf(search)))
  },
  head: ({ t }) => ({ title: t('shell.title.simulator'), hidden: true }),
}
