import { MOST_UNREAD } from '@qatra/contract/notifications/notifications'
import { useEffect, useState } from 'react'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { toast } from '../../ui/Toast.tsx'
import { titleOf } from './NotificationRow.tsx'
import { useNotificationStore } from './notification-store.ts'
import { countInTitle } from './title-count.ts'
import { useLiveEvents } from './use-live-events.ts'

/** Rendered once in the admin area: opens the event stream, shows the count in the title and announces events. */
export function Notifications() {
  const t = useT()
  const user = useUser()
  const { unread } = useNotificationStore()
  const [announcement, setAnnouncement] = useState('')
  useLiveEvents(user, (event) => {
    const title = titleOf(t, event)
    setAnnouncement(title)
    // The driver's run page has no bell.
    if (user?.role === 'driver') toast({ title })
  })
  useEffect(() => countInTitle(unread, MOST_UNREAD), [unread])
  useEffect(() => {
    if (announcement === '') return
    // Clear the live region first, so that a repeated text is announced again.
    const timer = setTimeout(setAnnouncement, 5_000, '')
    return () => clearTimeout(timer)
  }, [announcement])
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}
