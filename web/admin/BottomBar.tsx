import type { AdminPage } from '@qatra/contract/admin-page'
import { choiceName } from '@qatra/contract/users/permissions'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { BellTab } from '../notifications/admin/Bell.tsx'
import { Avatar } from '../ui/admin/Avatar.tsx'
import { MoreIcon, StoreIcon } from '../ui/admin/icons.ts'
import { useNavCounts } from '../ui/admin/nav-counts.ts'
import { Sheet } from '../ui/admin/Sheet.tsx'
import { NameOrPhone } from '../ui/Bidi.tsx'
import { classes } from '../ui/class-names.ts'
import { SearchIcon } from '../ui/icons.tsx'
import { useAccountChoices } from './AccountMenu.tsx'
import { exactly, navIcons, pathOf, useCurrentEntry, useNavigation } from './nav.ts'
import { paletteRequested } from './palette-events.ts'
import { NavCount } from './Rail.tsx'

/** Number of entries in the bar, besides the bell and the menu. */
const MOST_IN_BAR = 3

/** The first entries of the navigation, and after them the pinned ones. */
function barOf(entries: readonly AdminPage[]): AdminPage[] {
  const pinned = entries.filter(({ nav }) => nav?.isPinned)
  return [...entries.filter((entry) => !pinned.includes(entry)).slice(0, MOST_IN_BAR - pinned.length), ...pinned]
}
const barItem = 'relative grid min-h-14 content-center justify-items-center gap-0.5 px-1 text-caption leading-snug'
const sheetItem = 'flex min-h-tap w-full items-center gap-3 rounded-m px-3 text-start text-body hover:bg-well'

/** Navigation on a phone: the most frequent pages in a bar, the others in a sheet. */
export function BottomBar() {
  const t = useT()
  const [open, setOpen] = useState(false)
  const entries = useNavigation()
  const current = useCurrentEntry(entries)
  const counts = useNavCounts()
  const inBar = barOf(entries)
  return (
    <>
      <nav
        aria-label={t('admin.nav')}
        className="admin-rail fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {inBar.map((entry) => {
          const Icon = navIcons[entry.nav?.icon ?? 'orders']
          const isCurrent = entry === current
          const count = counts[entry.path] ?? 0
          return (
            <Link
              key={entry.path}
              to={pathOf(entry)}
              activeOptions={exactly}
              aria-current={isCurrent ? 'page' : undefined}
              className={classes(barItem, isCurrent ? 'font-strong text-gulf' : 'text-ink-2')}
            >
              <span className="relative">
                <Icon size={20} aria-hidden="true" />
              </span>
              <span className="max-w-full truncate">{t(entry.nav?.short ?? entry.label)}</span>
              {count > 0 && (
                <span className="absolute start-1/2 top-1 ms-6.5">
                  <NavCount count={count} isCurrent />
                </span>
              )}
            </Link>
          )
        })}
        <BellTab className={classes(barItem, 'text-ink-2')} />
        <button
          type="button"
          aria-haspopup="dialog"
          className={classes(barItem, 'text-ink-2')}
          onClick={() => setOpen(true)}
        >
          <MoreIcon size={20} aria-hidden="true" />
          <span>{t('admin.nav.more')}</span>
        </button>
      </nav>
      {open && <MoreSheet entries={entries} current={current} onClose={() => setOpen(false)} />}
    </>
  )
}

interface MoreSheetProps {
  entries: ReturnType<typeof useNavigation>
  current: ReturnType<typeof useCurrentEntry>
  onClose(): void
}

function MoreSheet({ entries, current, onClose }: MoreSheetProps) {
  const t = useT()
  const user = useUser()
  const choices = useAccountChoices()
  if (!user) return null
  return (
    <Sheet
      label={t('admin.nav.more')}
      onClose={onClose}
      title={
        <span className="flex items-center gap-2.5">
          <Avatar name={user.name ?? user.phone} />
          <span className="min-w-0">
            <NameOrPhone {...user} className="block truncate" />
            <span className="block text-caption font-regular text-ink-3">{t(`admin.role.${choiceName(user)}`)}</span>
          </span>
        </span>
      }
    >
      <ul className="grid gap-0.5 p-2">
        <li className="mb-2 border-b border-line pb-2">
          <button
            type="button"
            aria-haspopup="dialog"
            className={sheetItem}
            onClick={() => {
              onClose()
              paletteRequested.emit()
            }}
          >
            <SearchIcon size={20} aria-hidden="true" />
            {t('admin.find.open')}
          </button>
        </li>
        {entries.map((entry) => {
          const Icon = navIcons[entry.nav?.icon ?? 'orders']
          const isCurrent = entry === current
          return (
            <li key={entry.path}>
              <Link
                to={pathOf(entry)}
                activeOptions={exactly}
                aria-current={isCurrent ? 'page' : undefined}
                onClick={onClose}
                className={classes(sheetItem, isCurrent && 'bg-gulf-soft font-strong text-gulf')}
              >
                <Icon size={20} aria-hidden="true" />
                {t(entry.label)}
              </Link>
            </li>
          )
        })}
        <li className="mt-2 border-t border-line pt-2">
          <a href="/" className={sheetItem}>
            <StoreIcon size={20} aria-hidden="true" />
            {t('admin.nav.store')}
          </a>
        </li>
        {choices
          .filter(({ key }) => key !== 'shortcuts')
          .map(({ key, lang, label, icon: Icon, onChoose }) => (
            <li key={key}>
              <button
                type="button"
                lang={lang}
                className={sheetItem}
                onClick={() => {
                  onClose()
                  onChoose()
                }}
              >
                <Icon size={20} aria-hidden="true" />
                {label}
              </button>
            </li>
          ))}
      </ul>
    </Sheet>
  )
}
