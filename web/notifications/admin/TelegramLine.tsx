import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useT } from '../../lib/language/i18n.tsx'
import { telegramStatus } from '../../telegram/admin/status.ts'
import { classes } from '../../ui/class-names.ts'
import { EndIcon, TelegramIcon } from '../../ui/icons.tsx'

/** Shows whether notifications also go to the person's Telegram, with a link to change that. */
export function TelegramLine({ onLeave, className }: { onLeave(): void; className?: string }) {
  const t = useT()
  const { data } = useQuery({ ...telegramStatus(), staleTime: 60_000 })
  const state = data && (data.isLinked ? 'linked' : data.isOn ? 'unlinked' : 'off')
  return (
    <Link
      to="/admin/telegram"
      className={classes(
        'flex min-h-tap items-center gap-2.5 border-t border-line px-4 text-label hover:bg-well focus-visible:bg-well',
        className,
      )}
      onClick={onLeave}
    >
      <TelegramIcon size={18} aria-hidden="true" className="flex-none text-gulf" />
      {t('admin.nav.telegram')}
      <span className={classes('ms-auto text-caption', state === 'linked' ? 'text-aqua-ink' : 'text-ink-3')}>
        {state && t(`admin.telegram.${state}`)}
      </span>
      <EndIcon size={16} aria-hidden="true" className="flex-none text-ink-3" />
    </Link>
  )
}
