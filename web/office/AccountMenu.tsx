import { useLanguage } from '../app/i18n.tsx'
import { useChangeLanguage } from '../app/language.ts'
import { useUser } from '../app/session.ts'
import { GlobeIcon, SignOutIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Avatar } from '../ui/office/Avatar.tsx'
import { KeyboardIcon } from '../ui/office/icons.ts'
import { showShortcuts } from './shortcut-events.ts'
import { useLeaveOffice } from './use-leave-office.ts'

export function useAccountChoices() {
  const { t, lang } = useLanguage()
  const change = useChangeLanguage()
  const leave = useLeaveOffice()
  const other = lang === 'ar' ? 'en' : 'ar'
  return [
    {
      key: 'language',
      lang: other,
      label: t(`shell.language.${other}`),
      icon: GlobeIcon,
      onChoose: () => void change(other),
    },
    { key: 'shortcuts', label: t('office.shortcuts'), icon: KeyboardIcon, onChoose: showShortcuts },
    { key: 'sign-out', label: t('shell.signOut'), icon: SignOutIcon, onChoose: () => void leave() },
  ]
}

/** Who is at work, at the foot of the rail. */
export function AccountMenu() {
  const { t } = useLanguage()
  const user = useUser()
  const choices = useAccountChoices()
  if (!user) return null
  const name = user.name ?? user.phone
  return (
    <Menu
      label={t('shell.account.menu')}
      place="above"
      className="flex w-full items-center gap-2.5 rounded-[10px] p-1 text-start hover:bg-well-2 rail-icons:justify-center rail-words:px-1.5"
      choices={choices}
      button={
        <>
          <Avatar name={name} />
          <span className="min-w-0 rail-icons:sr-only">
            <b className="block truncate leading-normal">
              <bdi>{name}</bdi>
            </b>
            <span className="block truncate text-caption text-ink-3">{t(`office.role.${user.role}`)}</span>
          </span>
        </>
      }
    />
  )
}
