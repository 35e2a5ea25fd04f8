import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { AdminUser } from '@qatra/contract/users/users'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { classes } from '../../ui/class-names.ts'

const dots = {
  online: 'bg-aqua',
  recent: 'bg-gulf',
  today: 'inset-ring-2 inset-ring-gulf',
  away: 'inset-ring-2 inset-ring-line-strong',
}

/** How recently a person was active: a dot with a label; screen readers also get the time. */
export function ActivityDot({
  person: { activity, lastActiveAt },
}: {
  person: Pick<AdminUser, 'activity' | 'lastActiveAt'>
}) {
  const { t, lang } = useLanguage()
  const at = lastActiveAt && formatDateTime(new Date(lastActiveAt), lang)
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap" title={at ?? undefined}>
      <span aria-hidden="true" className={classes('size-2.25 flex-none rounded-full', dots[activity])} />
      {t(at === null ? 'users.activity.never' : `users.activity.${activity}`)}
    </span>
  )
}
