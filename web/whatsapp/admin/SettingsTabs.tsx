import { mayOpen } from '@qatra/contract/admin'
import { Link, useRouter } from '@tanstack/react-router'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { classes } from '../../ui/class-names.ts'

const pages = ['connection', 'templates', 'campaigns', 'assistant', 'inbox-settings', 'webhooks'] as const

/** On a phone the later tabs are outside the visible part of the list. */
function scrollToTab(tab: HTMLElement | null) {
  const list = tab?.parentElement
  if (!list) return
  const [at, from] = [tab.getBoundingClientRect(), list.getBoundingClientRect()]
  list.scrollLeft += at.left + at.width / 2 - from.left - from.width / 2
}

/** Links to the WhatsApp settings pages that exist in this build and that the user may open. */
export function SettingsTabs({ current }: { current: (typeof pages)[number] }) {
  const t = useT()
  const user = useUser()
  const { routesByPath } = useRouter()
  const there = pages.filter((page) => {
    const path = `/admin/whatsapp/${page}`
    return path in routesByPath && mayOpen(path, user)
  })
  return (
    <nav aria-label={t('connection.pages')} className="rail gap-1 border-b border-line px-2 md:px-6">
      {there.map((page) => (
        <Link
          key={page}
          // The list above checked that the route exists.
          to={`/admin/whatsapp/${page}` as '/admin/whatsapp/connection'}
          ref={page === current ? scrollToTab : undefined}
          aria-current={page === current ? 'page' : undefined}
          className={classes(
            'relative flex h-10.5 flex-none items-center px-2.5 whitespace-nowrap max-md:h-tap',
            page === current
              ? 'font-strong text-ink after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.75 after:rounded-t-full after:bg-gulf'
              : 'text-ink-2 hover:text-ink',
          )}
        >
          {t(`connection.page.${page}`)}
        </Link>
      ))}
    </nav>
  )
}
