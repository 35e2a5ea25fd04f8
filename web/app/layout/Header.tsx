import { Link, useRouterState } from '@tanstack/react-router'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { DownIcon, GlobeIcon, SearchIcon, UserIcon } from '../../ui/icons.tsx'
import { Wordmark } from '../../ui/Mark.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useChangeLanguage } from '../language/language.ts'
import type { HomeSearch } from '../routes/search.ts'
import { useAccountParts } from '../session/account.ts'
import { iconButton, navLink } from './header-classes.ts'

export function Header() {
  const { t, lang } = useLanguage()
  const parts = useAccountParts()
  const user = useUser()
  return (
    <header className="no-print border-line md:border-b">
      <div className="wrap flex min-h-15 items-center justify-between md:min-h-18 md:gap-8">
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
          {user && parts && <parts.WorkLink user={user} />}
        </nav>
        <div className="-me-2 flex flex-wrap items-center justify-end md:me-0 md:gap-x-4">
          <Link
            to="/"
            search={(old: HomeSearch) => ({ ...old, q: old.q ?? '' })}
            aria-label={t('shell.search')}
            className={iconButton}
          >
            <SearchIcon size={22} aria-hidden="true" />
          </Link>
          <LanguageMenu />
          <Account />
        </div>
      </div>
    </header>
  )
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
  const parts = useAccountParts()
  const href = useRouterState({ select: ({ location }) => location.pathname })
  if (user && parts) return <parts.AccountMenu user={user} />
  if (user)
    return (
      <Link to="/profile" aria-label={t('shell.account')} className={iconButton}>
        <UserIcon size={22} aria-hidden="true" />
      </Link>
    )
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
