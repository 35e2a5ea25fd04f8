import { MOST_UNREAD } from '@qatra/contract/notifications/notifications'
import { useEffect, useState } from 'react'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { toast } from '../../ui/Toast.tsx'
import { titleOf } from './NotificationRow.tsx'
import { useNotificationStore } from './notification-store.ts'
import { useLiveEvents } from './use-live-events.ts'

const counted = /^\(\d+\+?\) /

/** Prefixes the document title with a count and keeps it when the title changes; 0 removes it. */
export function countInTitle(count: number, most: number): () => void {
  const mark = count >= most ? `(${most - 1}+) ` : `(${count}) `
  function write() {
    const bare = document.title.replace(counted, '')
    const wanted = count > 0 ? mark + bare : bare
    if (document.title !== wanted) document.title = wanted
  }
  write()
  const title = document.querySelector('title')
  if (!title || count === 0) return () => {}
  const observer = new MutationObserver(write)
  observer.observe(title, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}

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
