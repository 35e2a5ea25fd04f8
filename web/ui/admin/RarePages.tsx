import { navigationOf } from '@qatra/contract/admin'
import { Link } from '@tanstack/react-router'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { buttonClass } from '../Button.tsx'
import { useIsTalking } from './nav-counts.ts'

/** Pages that are opened rarely, for the page of the settings. */
export function RarePages() {
  const t = useT()
  const user = useUser()
  const isTalking = useIsTalking()
  const pages = user ? navigationOf(user).filter(({ nav }) => nav?.isRare && (isTalking || !nav.needsTalk)) : []
  if (pages.length === 0) return null
  return (
    <nav aria-label={t('admin.nav.rare')} className="flex flex-wrap gap-2">
      {pages.map(({ path, label }) => (
        <Link key={path} to={path as '/admin'} className={buttonClass('quiet', 'small')}>
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}
