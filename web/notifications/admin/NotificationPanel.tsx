import { addDays, bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import type { Notification } from '@qatra/contract/notifications/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { today } from '../../ui/admin/day-words.ts'
import { moveFocusByArrows } from '../../ui/admin/move-focus-by-arrows.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import { setUnread } from './notification-store.ts'
import { markRead, recentNotifications } from './recent.ts'

function byDay(items: readonly Notification[]): [string, Notification[]][] {
  const days = new Map<string, Notification[]>()
  for (const item of items) {
    const day = bahrainDate(new Date(item.at))
    days.set(day, [...(days.get(day) ?? []), item])
  }
  return [...days]
}

/** Recent notifications by day, newest first. Updates while open. */
export function NotificationPanel({ onLeave }: { onLeave(): void }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const user = useUser()
  const { data, isError, refetch } = useQuery(recentNotifications())
  const unread = data?.unread
  useEffect(() => {
    if (unread !== undefined) setUnread(unread)
  }, [unread])

  if (!data && isError) {
    return (
      <div className="grid justify-items-center gap-3 px-6 py-10 text-center">
        <p className="text-ink-2">{t('admin.failed')}</p>
        <Button size="small" onClick={() => void refetch()}>
          {t('admin.retry')}
        </Button>
      </div>
    )
  }
  if (!data) return <Waiting />
  if (data.items.length === 0) {
    const isOff = user !== null && (!user.notificationEnabled || user.notificationTypes.length === 0)
    return (
      <div className="grid justify-items-center gap-1 px-8 py-12 text-center">
        <h3 className="text-body font-strong">{t(isOff ? 'notifications.off' : 'notifications.empty')}</h3>
        <p className="text-ink-2">{t(isOff ? 'notifications.offHint' : 'notifications.emptyHint')}</p>
      </div>
    )
  }
  const now = today()
  const nameOf = (day: string) => {
    if (day === now) return t('notifications.today')
    if (day === addDays(now, -1)) return t('notifications.yesterday')
    return formatDay(day, lang, 'long')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys walk through the links inside.
    <div className="pb-1.5" onKeyDown={moveFocusByArrows}>
      {byDay(data.items).map(([day, items]) => (
        <section key={day} aria-label={nameOf(day)}>
          <h3 className="sticky top-0 z-1 bg-surface px-4 pt-3 pb-1 text-caption text-ink-3">{nameOf(day)}</h3>
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <NotificationRow
                  item={item}
                  onFollow={() => {
                    onLeave()
                    // If the call fails, the next load restores the count.
                    if (!item.isRead) markRead(queries, { ids: [item.id] }).catch(() => void refetch())
                  }}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Waiting() {
  return (
    <div aria-hidden="true" className="grid gap-4 px-4 py-4">
      {[0, 1, 2, 3].map((n) => (
        <div key={n} className="flex gap-3">
          <Skeleton className="size-9 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3.5 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
