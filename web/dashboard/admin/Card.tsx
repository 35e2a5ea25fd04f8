import type { ReactNode } from 'react'
import { classes } from '../../ui/class-names.ts'

interface CardProps {
  title: string
  end?: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ title, end, className, children }: CardProps) {
  return (
    <section aria-label={title} className={classes('min-w-0 rounded-l p-5 inset-ring inset-ring-line', className)}>
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
