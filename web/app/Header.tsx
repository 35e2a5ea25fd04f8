import type { Role } from '@qatra/contract/roles'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { BoxIcon, DownIcon, GlobeIcon, GridIcon, SignOutIcon, UserIcon } from '../ui/icons.tsx'
import { Wordmark } from '../ui/Mark.tsx'
import { Menu } from '../ui/Menu.tsx'
import { useLanguage, useT } from './i18n.tsx'
import { useChangeLanguage } from './language.ts'
import { useUser } from './session.ts'
import { useSignOut } from './sign-out.ts'

const navLink =
  'hidden h-tap items-center rounded-m px-3.5 text-ink-2 hover:text-ink aria-[current=page]:font-strong aria-[current=page]:text-ink md:flex'
const iconButton = 'grid size-tap place-items-center rounded-m text-ink hover:bg-well'

export function Header() {
  const { t, lang } = useLanguage()
  return (
    <header className="no-print border-line md:border-b">
      <div className="wrap flex h-15 items-center justify-between md:h-18 md:gap-8">
        <Link to="/" aria-label={t('shell.home')} className="flex h-tap items-center rounded-m">
          <Wordmark lang={lang} />
        </Link>
        <nav aria-label={t('shell.nav')} className="me-auto hidden gap-1 md:flex">
          <Link to="/" activeOptions={{ exact: true, includeSearch: false }} className={navLink}>
            {t('shell.products')}
          </Link>
          <Link to="/orders" className={navLink}>
            {t('shell.orders')}
          </Link>
          <WorkLink />
        </nav>
        <div className="-me-2 flex items-center md:me-0 md:gap-4">
          <LanguageMenu />
          <Account />
        </div>
      </div>
    </header>
  )
}

/** Admin link of each role. Admin pages are documents of another build, so links to them load a document. */
const workOf: Partial<Record<Role, { href: string; label: 'shell.admin' | 'shell.sales' | 'shell.deliveries' }>> = {
  super_admin: { href: '/admin/dashboard', label: 'shell.admin' },
  vendor_admin: { href: '/admin/dashboard', label: 'shell.admin' },
  vendor_staff: { href: '/admin/dashboard', label: 'shell.admin' },
  vendor_sales: { href: '/admin/sales/place-order', label: 'shell.sales' },
  driver: { href: '/admin/orders', label: 'shell.deliveries' },
}

function WorkLink() {
  const t = useT()
  const user = useUser()
  const work = user && workOf[user.role]
  return work ? (
    <a href={work.href} className={navLink}>
      {t(work.label)}
    </a>
  ) : null
}

function LanguageMenu() {
  const { t, lang } = useLanguage()
  const change = useChangeLanguage()
  const choices = (['ar', 'en'] as const).map((one) => ({
    key: one,
    lang: one,
    label: t(`shell.language.${one}`),
    chosen: one === lang,
    onChoose: () => void change(one),
  }))
  return (
    <Menu
      label={t('shell.language')}
      className="flex h-tap items-center gap-1.5 rounded-m px-1.5 font-strong text-gulf hover:bg-well md:px-2 md:text-ink"
      choices={choices}
      button={
        <>
          <GlobeIcon size={20} aria-hidden="true" />
          <span className="text-[0.9375rem]">
            <span className="sr-only">{t('shell.language')}: </span>
            {t(`shell.language.${lang}`)}
          </span>
          <DownIcon size={16} aria-hidden="true" />
        </>
      }
    />
  )
}

function Account() {
  const t = useT()
  const user = useUser()
  const href = useRouterState({ select: ({ location }) => location.pathname })
  if (user) return <AccountMenu name={user.name} role={user.role} />
  return (
    <Link
      to="/login"
      search={href.startsWith('/login') || href === '/' ? {} : { redirect: href }}
      className="flex h-tap min-w-tap items-center justify-center gap-2 rounded-m font-strong text-ink hover:bg-well md:px-4.5 md:inset-ring md:inset-ring-line"
    >
      <UserIcon size={20} aria-hidden="true" />
      <span className="sr-only md:not-sr-only">{t('shell.signIn')}</span>
    </Link>
  )
}

function AccountMenu({ name, role }: { name: string | null; role: Role }) {
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
