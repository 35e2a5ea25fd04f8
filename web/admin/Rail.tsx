import type { AdminPage } from '@qatra/contract/admin-page'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Bell } from '../notifications/admin/Bell.tsx'
import { StoreIcon } from '../ui/admin/icons.ts'
import { useNavCounts } from '../ui/admin/nav-counts.ts'
import { classes } from '../ui/class-names.ts'
import { EndIcon } from '../ui/icons.tsx'
import { Mark, Wordmark } from '../ui/Mark.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { exactly, inRail, navIcons, pathOf, useCurrentEntry, useNavigation } from './nav.ts'
import { PaletteButton } from './PaletteOpener.tsx'

const groups = ['day', 'market'] as const

/** Navigation: labels from 1100 px on (1400 px beside a panel, 1600 px beside a chat), icons only below, a bottom bar on phones. */
export function Rail() {
  const { t, lang } = useLanguage()
  const entries = inRail(useNavigation())
  const current = useCurrentEntry(entries)
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a low screen the list scrolls: bring the current entry into view.
    if (current) nav.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' })
  }, [current])
  return (
    <header className="admin-rail hidden bg-well md:block">
      <div className="sticky top-0 z-20 flex h-dvh flex-col gap-4.5 px-2 py-4.5 rail-words:px-3">
        <div className="grid justify-items-center gap-2 rail-words:flex rail-words:items-center rail-words:justify-between">
          <Link to="/admin" aria-label={t('shell.brand')} className="rounded-m rail-words:px-2">
            <span className="rail-words:hidden">
              <Mark size={32} />
            </span>
            <span className="hidden rail-words:inline">
              <Wordmark lang={lang} />
            </span>
          </Link>
          <Bell />
        </div>
        <PaletteButton />
        <nav
          ref={nav}
          aria-label={t('admin.nav')}
          className="-m-1 grid min-h-0 content-start gap-3 overflow-y-auto p-1"
        >
          {groups.map((group) => (
            <ul
              key={group}
              className="grid gap-0.5 not-first:border-t not-first:border-line not-first:pt-3 empty:hidden"
            >
              {entries.map((entry) =>
                entry.nav?.group === group ? (
                  <li key={entry.path}>
                    <RailLink entry={entry} isCurrent={entry === current} />
                  </li>
                ) : null,
              )}
            </ul>
          ))}
        </nav>
        <div className="mt-auto grid gap-2">
          <ShopLink />
          <AccountMenu />
        </div>
      </div>
    </header>
  )
}

const railLink = 'relative flex h-9.5 items-center gap-2.5 rounded-[10px] px-2.5 rail-icons:justify-center'

function RailLink({ entry, isCurrent }: { entry: AdminPage; isCurrent: boolean }) {
  const t = useT()
  const count = useNavCounts()[entry.path] ?? 0
  const Icon = navIcons[entry.nav?.icon ?? 'orders']
  return (
    <Link
      to={pathOf(entry)}
      activeOptions={exactly}
      aria-current={isCurrent ? 'page' : undefined}
      title={t(entry.label)}
      className={classes(railLink, isCurrent ? 'bg-gulf font-strong text-on-gulf' : 'text-ink-2 hover:bg-well-2')}
    >
      <Icon size={18} aria-hidden="true" />
      <span className="truncate leading-relaxed rail-icons:sr-only">{t(entry.label)}</span>
      {count > 0 && <NavCount count={count} isCurrent={isCurrent} />}
    </Link>
  )
}

export function NavCount({ count, isCurrent }: { count: number; isCurrent: boolean }) {
  return (
    <b
      className={classes(
        'ms-auto h-5 min-w-5 rounded-full px-1.5 text-center text-caption leading-5 rail-icons:absolute rail-icons:-end-1 rail-icons:-top-1 rail-icons:h-4 rail-icons:min-w-4 rail-icons:px-1 rail-icons:leading-4',
        isCurrent ? 'bg-aqua text-on-aqua' : 'bg-well-2 text-ink',
      )}
    >
      {count}
    </b>
  )
}

/** Link to the shop, which is another document. */
function ShopLink() {
  const t = useT()
  return (
    <a href="/" title={t('admin.nav.store')} className={classes(railLink, 'text-ink-2 hover:bg-well-2')}>
      <StoreIcon size={18} aria-hidden="true" />
      <span className="rail-icons:sr-only">{t('admin.nav.store')}</span>
      <EndIcon size={16} aria-hidden="true" className="ms-auto text-ink-3 rail-icons:hidden" />
    </a>
  )
}
