import type { User } from '@qatra/contract/users/auth'
import type { Role } from '@qatra/contract/users/roles'
import { useRouter } from '@tanstack/react-router'
import { useT } from '../../lib/language/i18n.tsx'
import { BoxIcon, GridIcon, SignOutIcon, UserIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { iconButton, navLink } from '../layout/header-classes.ts'
import { useSignOut } from './sign-out.ts'

/** Admin link of each role. Admin pages are documents of another build, so links to them load a document. */
const workOf: Partial<Record<Role, { href: string; label: 'shell.admin' | 'shell.sales' | 'shell.deliveries' }>> = {
  super_admin: { href: '/admin/dashboard', label: 'shell.admin' },
  vendor_admin: { href: '/admin/dashboard', label: 'shell.admin' },
  vendor_staff: { href: '/admin/dashboard', label: 'shell.admin' },
  vendor_sales: { href: '/admin/sales/place-order', label: 'shell.sales' },
  driver: { href: '/admin/orders', label: 'shell.deliveries' },
}

export function WorkLink({ user }: { user: User }) {
  const t = useT()
  const work = workOf[user.role]
  return work ? (
    <a href={work.href} className={navLink}>
      {t(work.label)}
    </a>
  ) : null
}

export function AccountMenu({ user: { name, role } }: { user: User }) {
  const t = useT()
  const work = workOf[role]
  const router = useRouter()
  const leave = useSignOut()
  return (
    <Menu
      label={t('shell.account.menu')}
      buttonLabel={t('shell.account')}
      className={iconButton}
      button={<UserIcon size={22} aria-hidden="true" />}
      choices={[
        {
          key: 'profile',
          label: name ? <bdi className="truncate">{name}</bdi> : t('shell.profile'),
          icon: UserIcon,
          onChoose: () => void router.navigate({ to: '/profile' }),
        },
        {
          key: 'orders',
          label: t('shell.orders'),
          icon: BoxIcon,
          onChoose: () => void router.navigate({ to: '/orders' }),
        },
        ...(work
          ? [{ key: 'work', label: t(work.label), icon: GridIcon, onChoose: () => location.assign(work.href) }]
          : []),
        { key: 'sign-out', label: t('shell.signOut'), icon: SignOutIcon, onChoose: () => void leave() },
      ]}
    />
  )
}
