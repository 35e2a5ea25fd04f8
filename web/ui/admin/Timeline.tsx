import type { ReactNode } from 'react'

export interface TimelineItem {
  key: string | number
  title: ReactNode
  /** The actor, and the impersonated person. */
  by?: ReactNode
  note?: ReactNode
  /** Formatted time; `exact` is the instant. */
  time: string
  exact?: string
}

/** List of events, newest first. */
export function Timeline({ label, items }: { label: string; items: readonly TimelineItem[] }) {
  return (
    <ol aria-label={label}>
      {items.map(({ key, title, by, note, time, exact }) => (
        <li
          key={key}
          className="relative grid grid-cols-[9px_minmax(0,1fr)_auto] gap-x-3 pb-2.5 leading-normal before:mt-1.5 before:size-2.25 before:rounded-full before:bg-gulf not-last:after:absolute not-last:after:start-1 not-last:after:top-4 not-last:after:-bottom-1.5 not-last:after:w-px not-last:after:bg-line last:pb-0"
        >
          <div className="min-w-0">
            {title}
            {by && <div className="text-caption text-ink-3">{by}</div>}
            {note && (
              <p dir="auto" className="text-as-page text-ink-2">
                {note}
              </p>
            )}
          </div>
          <time dateTime={exact} className="text-caption text-ink-3">
            <bdi>{time}</bdi>
          </time>
        </li>
      ))}
    </ol>
  )
}
