import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useT } from '../app/i18n.tsx'

export function Footer(): ReactNode {
  const t = useT()
  return (
    <footer className="mt-14 border-t border-line">
      <nav aria-label={t('shell.footer.links')} className="wrap flex flex-wrap gap-x-6 py-4 text-label">
        {(['about', 'faqs', 'privacy'] as const).map((name) => (
          <Link key={name} to={`/${name}`} className="flex min-h-tap items-center text-ink-2 hover:text-ink">
            {t(`shell.footer.${name}`)}
          </Link>
        ))}
      </nav>
    </footer>
  )
}
