import { MOST_UNREAD } from '@qatra/contract/notifications/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { usePush } from '../../push/use-push.ts'
import { telegramStatus } from '../../telegram/admin/status.ts'
import { BellIcon } from '../../ui/admin/icons.ts'
import { Popover } from '../../ui/admin/Popover.tsx'
import { Sheet } from '../../ui/admin/Sheet.tsx'
import { classes } from '../../ui/class-names.ts'
import { EndIcon, TelegramIcon } from '../../ui/icons.tsx'
import { NotificationPanel } from './NotificationPanel.tsx'
import { useNotificationStore } from './notification-store.ts'
import { PanelTools } from './PanelTools.tsx'

/** Shown with the permission `events.read`. */
const useHasBell = () => useUser()?.permissions.includes('events.read') ?? false

function useBellName() {
  const t = useT()
  const { unread } = useNotificationStore()
  return unread === 0 ? t('notifications.bellNone') : t('notifications.bell', { count: unread })
}

/** The bell with the unread count; dimmed while the event stream is not connected. */
function BellSign({ size }: { size: number }) {
  const { unread, connection } = useNotificationStore()
  return (
    <span className="relative">
      <BellIcon size={size} aria-hidden="true" className={connection === 'connected' ? undefined : 'opacity-60'} />
      {unread > 0 && (
        <b
          aria-hidden="true"
          className="absolute -top-2 -end-3 h-4.5 min-w-4.5 rounded-full bg-aqua px-1 text-center text-caption leading-4.5 text-on-aqua"
        >
          {unread >= MOST_UNREAD ? `${MOST_UNREAD - 1}+` : unread}
        </b>
      )}
    </span>
  )
}

/** In the rail; opens the panel in a popover. */
export function Bell() {
  const t = useT()
  const name = useBellName()
  if (!useHasBell()) return null
  return (
    <Popover
      label={t('notifications.title')}
      className="w-96"
      trigger={
        <button
          type="button"
          title={name}
          className="grid size-9.5 place-items-center rounded-[10px] text-ink-2 hover:bg-well-2 aria-expanded:bg-well-2 aria-expanded:text-ink"
        >
          <BellSign size={19} />
          <span className="sr-only">{name}</span>
        </button>
      }
    >
      {(close) => (
        <>
          <div className="-mx-1.5 flex items-center gap-3 border-b border-line ps-5 pe-3 pb-1.5">
            <h2 className="text-body font-strong">{t('notifications.title')}</h2>
            <PanelTools />
          </div>
          <div className="-mx-1.5 max-h-[min(70dvh,520px)] overflow-y-auto">
            <NotificationPanel onLeave={close} />
          </div>
          <PushLine className="-mx-1.5" />
          <TelegramLine className="-mx-1.5 -mb-1.5 rounded-b-m" onLeave={close} />
        </>
      )}
    </Popover>
  )
}

/** In the bottom bar of a phone; opens the panel in a sheet. */
export function BellTab({ className }: { className: string }) {
  const t = useT()
  const name = useBellName()
  const [open, setOpen] = useState(false)
  if (!useHasBell()) return null
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" className={className} onClick={() => setOpen(true)}>
        <BellSign size={20} />
        <span aria-hidden="true" className="max-w-full truncate">
          {t('notifications.short')}
        </span>
        <span className="sr-only">{name}</span>
      </button>
      {open && (
        <Sheet label={t('notifications.title')} title={t('notifications.title')} onClose={close}>
          <div className="flex border-b border-line ps-5 pe-3 py-1">
            <PanelTools />
          </div>
          <NotificationPanel onLeave={close} />
          <div className="sticky bottom-0 bg-surface pb-[env(safe-area-inset-bottom)]">
            <PushLine />
            <TelegramLine onLeave={close} />
          </div>
        </Sheet>
      )}
    </>
  )
}

/** Turns messages of conversations on and off for this device. */
function PushLine({ className }: { className?: string }) {
  const t = useT()
  const mayAnswer = useUser()?.permissions.includes('whatsapp.reply') ?? false
  const { isThere, isOn, busy, problem, change } = usePush()
  if (!mayAnswer || !isThere) return null
  return (
    <div className={classes('border-t border-line', className)}>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-busy={busy || undefined}
        className="flex min-h-tap w-full items-center gap-2.5 px-4 text-start text-label hover:bg-well focus-visible:bg-well"
        onClick={() => void change()}
      >
        <BellIcon size={18} aria-hidden="true" className="flex-none text-gulf" />
        {t('notifications.push')}
        <span className={classes('ms-auto text-caption', isOn ? 'text-aqua-ink' : 'text-ink-3')}>
          {t(isOn ? 'notifications.push.on' : 'notifications.push.off')}
        </span>
      </button>
      <p role="alert" className="px-4 pb-1.5 text-caption text-clay empty:hidden">
        {problem && t(`notifications.push.${problem}`)}
      </p>
    </div>
  )
}

/** Shows whether notifications also go to the person's Telegram, with a link to change that. */
function TelegramLine({ onLeave, className }: { onLeave(): void; className?: string }) {
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
