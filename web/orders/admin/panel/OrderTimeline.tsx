import type { AdminOrder } from '@qatra/contract/orders/admin'
import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { momentOf } from '../../../ui/admin/day-words.ts'
import { Timeline } from '../../../ui/admin/Timeline.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { timelineQuery } from '../order-cache.ts'
import { linesOf, useAuthorText, useEventText } from './timeline-text.ts'

/** The order's history, newest first. */
export function OrderTimeline({ id, items }: Pick<AdminOrder, 'id' | 'items'>) {
  const { t, lang } = useLanguage()
  const eventText = useEventText(items)
  const authorText = useAuthorText()
  const { data, isError, refetch } = useQuery(timelineQuery(id))
  if (isError && !data) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-ink-2">
        {t('desk.timelineMissing')}
        <ToolbarButton onClick={() => void refetch()}>{t('admin.retry')}</ToolbarButton>
      </p>
    )
  }
  if (!data) {
    return (
      <div className="grid gap-3" aria-busy="true">
        <Skeleton className="h-9" />
        <Skeleton className="h-9 w-4/5" />
      </div>
    )
  }
  return (
    <Timeline
      label={t('desk.timeline')}
      items={linesOf(data).map((entry) => ({
        key: entry.id,
        title: eventText(entry),
        by: <bdi>{authorText(entry)}</bdi>,
        time: momentOf(entry.at, lang),
        exact: entry.at,
        ...(entry.notes ? { note: <span className="break-words whitespace-pre-line">{entry.notes}</span> } : {}),
      }))}
    />
  )
}
