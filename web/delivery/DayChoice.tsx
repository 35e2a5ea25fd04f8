import { formatDay } from '@qatra/contract/calendar/calendar'
import type { DeliverySlot } from '@qatra/contract/calendar/slot'
import { useQuery } from '@tanstack/react-query'
import { useInLang } from '../app/names.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { DayChips } from './DayChips.tsx'
import { closedSpans, type deliveryDaysQuery, type OpenDay } from './days.ts'

interface DayChoiceProps {
  query: ReturnType<typeof deliveryDaysQuery>
  chosen: DeliverySlot | null
  onChoose(slot: DeliverySlot): void
  noteOf?: ((date: string) => string) | undefined
  className?: string
}

/** The days of the query with their loading, empty and error states. */
export function DayChoice({ query, ...chips }: DayChoiceProps) {
  const t = useT()
  const { data, isError, refetch } = useQuery(query)
  if (isError && !data)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-x-3 text-ink-2">
        {t('days.failed')}
        <button
          type="button"
          className="min-h-tap font-strong text-aqua-ink underline underline-offset-3"
          onClick={() => void refetch()}
        >
          {t('days.retry')}
        </button>
      </p>
    )
  if (!data)
    return (
      <div className="flex gap-2 overflow-hidden py-1">
        {[0, 1, 2, 3, 4].map((at) => (
          <Skeleton key={at} className="h-20 w-18 flex-none rounded-m" />
        ))}
      </div>
    )
  if (data.length === 0) return <p className="text-ink-2">{t('days.none')}</p>
  return (
    <>
      <DayChips {...chips} days={data} />
      <ClosedDays days={data} className={chips.className} />
    </>
  )
}

/** Why days are closed, in one sentence for each reason. */
function ClosedDays({ days, className }: { days: readonly OpenDay[]; className?: string | undefined }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const sentences = closedSpans(days).map(({ date, until, reason, name, nameAr }) => {
    const [from, to] = [formatDay(date, lang, 'long'), formatDay(until, lang, 'long')]
    const day = date === until ? from : t('days.span', { from, to })
    return t('days.why', { day, reason: inLang(name, nameAr) || t(`days.full.${reason}`) })
  })
  if (days.some(({ closedBefore }) => closedBefore.some(({ reason }) => reason === 'friday')))
    sentences.push(t('days.full.friday'))
  if (sentences.length === 0) return null
  return <p className={classes('mt-2 text-label text-ink-3', className)}>{sentences.join(' ')}</p>
}
