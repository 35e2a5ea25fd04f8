import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import type { ReactNode } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { Segmented } from '../../ui/admin/Segmented.tsx'
import { classes } from '../../ui/class-names.ts'

interface CardProps {
  title: string
  end?: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ title, end, className, children }: CardProps) {
  return (
    <section
      aria-label={title}
      className={classes('min-w-0 rounded-l p-5 inset-ring inset-ring-line print:break-inside-avoid', className)}
    >
      <header className="mb-3 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-heading">{title}</h2>
        {end && <div className="ms-auto flex flex-wrap items-center gap-x-4 gap-y-1">{end}</div>}
      </header>
      {children}
    </section>
  )
}

/** Style of a link in a card's head, or alone in a line. */
export const quietLink =
  'inline-flex min-h-6 min-w-6 items-center text-aqua-ink hover:underline max-md:min-h-tap max-md:min-w-tap'

export const measures = ['orders', 'revenue'] as const
export type Measure = (typeof measures)[number]

export interface MeasuredProps {
  seen: Dashboard
  measure: Measure
  onMeasure(measure: Measure): void
  className?: string
}

/** Whether days and areas are shown by number of orders or by revenue. */
export function MeasureChoice({ measure, onMeasure }: Pick<MeasuredProps, 'measure' | 'onMeasure'>) {
  const t = useT()
  return (
    <span className="no-print contents">
      <Segmented
        label={t('dashboard.measure')}
        value={measure}
        options={measures.map((value) => ({ value, label: t(`dashboard.${value}`) }))}
        onChange={onMeasure}
      />
    </span>
  )
}
