import { choiceName } from '@qatra/contract/users/permissions'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useChangeLanguage } from '../app/language/language.ts'
import { signOut } from '../app/session/session.ts'
import { useUser } from '../lib/current-user.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Avatar } from '../ui/admin/Avatar.tsx'
import { KeyboardIcon } from '../ui/admin/icons.ts'
import { Menu } from '../ui/admin/Menu.tsx'
import { NameOrPhone } from '../ui/Bidi.tsx'
import { GlobeIcon, LockIcon, SignOutIcon } from '../ui/icons.tsx'
import { shortcutsRequested } from './shortcut-events.ts'

export function useAccountChoices() {
  const { t, lang } = useLanguage()
  const change = useChangeLanguage()
  const leave = useLeaveAdmin()
  const navigate = useNavigate()
  const other = lang === 'ar' ? 'en' : 'ar'
  return [
    {
      key: 'language',
      lang: other,
      label: t(`shell.language.${other}`),
      icon: GlobeIcon,
      onChoose: () => void change(other),
    },
    {
      key: 'security',
      label: t('admin.nav.security'),
      icon: LockIcon,
      onChoose: () => void navigate({ to: '/admin/security' }),
    },
    { key: 'shortcuts', label: t('admin.shortcuts'), icon: KeyboardIcon, onChoose: () => shortcutsRequested.emit() },
    { key: 'sign-out', label: t('shell.signOut'), icon: SignOutIcon, onChoose: () => void leave() },
  ]
}

/** The signed-in person, at the bottom of the rail. */
export function AccountMenu() {
  const { t } = useLanguage()
  const user = useUser()
  const choices = useAccountChoices()
  if (!user) return null
  return (
    <Menu
      label={t('shell.account.menu')}
      place="above"
      className="flex w-full items-center gap-2.5 rounded-[10px] p-1 text-start hover:bg-well-2 rail-icons:justify-center rail-words:px-1.5"
      choices={choices}
      button={
        <>
          <Avatar name={user.name ?? user.phone} />
          <span className="min-w-0 rail-icons:sr-only">
            <b className="block truncate leading-normal">
              <NameOrPhone {...user} />
            </b>
            <span className="block truncate text-caption text-ink-3">{t(`admin.role.${choiceName(user)}`)}</span>
          </span>
        </>
      }
    />
  )
}

/** Ends the session and goes to the shop, which is another document. */
function useLeaveAdmin() {
  const queries = useQueryClient()
  return async () => {
    // Offline no other document can load; the admin area shows a notice and leaves once the session has ended.
    if (await signOut(queries)) location.assign('/')
  }
}
