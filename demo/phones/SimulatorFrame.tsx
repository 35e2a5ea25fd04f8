import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useT } from '../../web/lib/language/i18n.tsx'
import { classes } from '../../web/ui/class-names.ts'
import { SmsIcon, TelegramIcon } from '../../web/ui/icons.tsx'

interface SimulatorFrameProps {
  chosen: '/simulator' | '/simulator/telegram'
  title: string
  intro: string
  phone: string | null
  chooser: ReactNode
  children: ReactNode
}

/** Layout of the simulator: tabs and phone selection beside the phone. */
export function SimulatorFrame({ chosen, title, intro, phone, chooser, children }: SimulatorFrameProps) {
  return (
    <main
      id="main"
      className="wrap grid grid-cols-[minmax(0,1fr)] content-start gap-6 py-6 md:grid-cols-[minmax(0,1fr)_360px] md:gap-6 lg:grid-cols-[minmax(0,1fr)_400px] lg:gap-10"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
        <div>
          <h1 className="text-title">{title}</h1>
          <p className="max-w-140 text-ink-2">{intro}</p>
        </div>
        <SimulatorTabs chosen={chosen} phone={phone} />
        {chooser}
      </div>
      {children}
    </main>
  )
}

const pages = [
  { to: '/simulator', label: 'simulator.page.messages', icon: SmsIcon },
  { to: '/simulator/telegram', label: 'simulator.page.telegram', icon: TelegramIcon },
] as const

interface SimulatorTabsProps {
  chosen: (typeof pages)[number]['to']
  phone: string | null
}

/** Tabs of the simulated channels; they keep the phone. */
function SimulatorTabs({ chosen, phone }: SimulatorTabsProps) {
  const t = useT()
  return (
    <nav aria-label={t('simulator.pages')} className="rail gap-1 border-b border-line">
      {pages.map(({ to, label, icon: Sign }) => (
        <Link
          key={to}
          to={to}
          search={phone ? { phone } : {}}
          activeOptions={{ exact: true }}
          aria-current={to === chosen ? 'page' : undefined}
          className={classes(
            'relative flex h-tap flex-none items-center gap-2 px-2.5 whitespace-nowrap',
            to === chosen
              ? 'font-strong after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.75 after:rounded-t-full after:bg-gulf'
              : 'text-ink-2 hover:text-ink',
          )}
        >
          <Sign size={18} aria-hidden="true" />
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}
