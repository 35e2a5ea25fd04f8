import { Link } from '@tanstack/react-router'
import { useT } from '../../web/lib/language/i18n.tsx'
import { classes } from '../../web/ui/class-names.ts'
import { SmsIcon, TelegramIcon } from '../../web/ui/icons.tsx'

const pages = [
  { to: '/simulator', label: 'simulator.page.messages', icon: SmsIcon },
  { to: '/simulator/telegram', label: 'simulator.page.telegram', icon: TelegramIcon },
] as const

interface SimulatorTabsProps {
  chosen: (typeof pages)[number]['to']
  phone: string | null
}

/** Tabs of the simulated channels; they keep the phone. */
export function SimulatorTabs({ chosen, phone }: SimulatorTabsProps) {
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
