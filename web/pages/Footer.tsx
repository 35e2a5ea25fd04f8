import type { Site } from '@qatra/contract/settings/site'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useInLang } from '../app/names.ts'
import { useT } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { DropIcon, FastIcon, ShieldIcon } from '../ui/icons.tsx'
import { useSite } from './company.ts'

const linkClass = 'flex min-h-tap w-fit min-w-tap items-center text-ink-2 hover:text-ink hover:underline'

/** Sign-in, checkout and confirmation have a footer of one line, to keep the person on the page. */
const quietPages = /^\/(login|magic-login|checkout)(\/|$)/

export function Footer({ children }: { children?: ReactNode }): ReactNode {
  const isShort = useRouterState({ select: ({ location }) => quietPages.test(location.pathname) })
  return (
    <footer className={classes('no-print border-t border-line bg-well', isShort ? 'mt-6' : 'mt-14')}>
      {isShort ? <ShortFooter /> : <FullFooter>{children}</FullFooter>}
    </footer>
  )
}

function ShortFooter() {
  const t = useT()
  const support = useSite()?.support
  return (
    <nav aria-label={t('shell.footer.links')} className="wrap flex flex-wrap gap-x-6 py-1 text-label">
      <PageLinks names={['privacy', 'terms']} />
      {support?.phone && (
        <a href={`tel:${support.phone}`} className={linkClass}>
          {t('footer.call')}
        </a>
      )}
    </nav>
  )
}

function PageLinks({ names }: { names: readonly ('about' | 'faqs' | 'privacy' | 'terms')[] }): ReactNode {
  const t = useT()
  return names.map((name) => (
    <Link key={name} to={`/${name}`} className={linkClass}>
      {t(`shell.footer.${name}`)}
    </Link>
  ))
}

function FullFooter({ children }: { children?: ReactNode }) {
  const t = useT()
  const site = useSite()
  return (
    <div className="wrap grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-x-6 gap-y-6 py-8 text-label lg:grid-cols-[2fr_1fr_1fr_1fr]">
      <div className="max-lg:col-span-full">
        <Marks />
        {site && <Company site={site} />}
      </div>
      <nav aria-label={t('shell.footer.links')}>
        <h2 className="mb-1 font-strong">{t('shell.footer.links')}</h2>
        <PageLinks names={['about', 'faqs', 'privacy', 'terms']} />
        {children}
      </nav>
      {site && <Contacts site={site} />}
    </div>
  )
}

function Marks() {
  const t = useT()
  const marks = [
    [t('footer.fresh'), DropIcon],
    [t('footer.fast'), FastIcon],
    [t('footer.reliable'), ShieldIcon],
  ] as const
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {marks.map(([label, Sign]) => (
        <li key={label} className="flex items-center gap-1.5 text-ink-2">
          <Sign size={18} aria-hidden="true" className="text-aqua-ink" />
          {label}
        </li>
      ))}
    </ul>
  )
}

function Company({ site: { company } }: { site: Site }) {
  const t = useT()
  const inLang = useInLang()
  const lines = [inLang(company.name, company.nameAr), inLang(company.address, company.addressAr)].filter(Boolean)
  return (
    <div className="mt-4 text-ink-3">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {(
        [
          ['footer.cr', company.crNumber],
          ['footer.vat', company.vatNumber],
        ] as const
      ).map(
        ([label, number]) =>
          number && (
            <p key={label}>
              {t(label)} <bdi dir="ltr">{number}</bdi>
            </p>
          ),
      )}
    </div>
  )
}

/** One column for each kind of contact that is configured. */
function Contacts({ site: { support, social, apps } }: { site: Site }) {
  const t = useT()
  const inLang = useInLang()
  const columns: [title: string, links: [string, string | null][], note?: string][] = [
    [
      t('footer.support'),
      [
        [t('footer.call'), support.phone && `tel:${support.phone}`],
        [t('footer.whatsapp'), support.whatsapp && `https://wa.me/${support.whatsapp.slice(1)}`],
        [t('footer.email'), support.email && `mailto:${support.email}`],
        [t('footer.instagram'), social.instagram],
        // Written the same in both languages.
        ['X', social.x],
        ['TikTok', social.tiktok],
      ],
      inLang(support.hours, support.hoursAr),
    ],
    [
      t('footer.apps'),
      [
        [t('footer.ios'), apps.ios],
        [t('footer.android'), apps.android],
      ],
    ],
  ]
  return columns.map(([title, links, note]) => {
    const known = links.flatMap(([label, href]) => (href ? [{ label, href }] : []))
    if (known.length === 0) return null
    return (
      <div key={title}>
        <h2 className="mb-1 font-strong">{title}</h2>
        {known.map(({ label, href }) => (
          <a key={href} href={href} rel="noreferrer" className={linkClass}>
            {label}
          </a>
        ))}
        {note && <p className="text-pretty text-ink-3">{note}</p>}
      </div>
    )
  })
}
