import { classes } from '../class-names.ts'
import { Skeleton } from '../Skeleton.tsx'

/** Parts of placeholders; placeholders of whole pages are in Pending.tsx. */

const widths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3']

/** A line of text; the caller sets the width. */
export function LineSkeleton({ at, className }: { at: number; className?: string }) {
  return <Skeleton className={classes('h-4', widths[at % widths.length], className)} />
}

/** Filters and tools above a list. */
export function ChipSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, at) => (
    <Skeleton key={at} className={classes('h-8.5 rounded-[10px] max-md:h-tap', at % 2 === 0 ? 'w-28' : 'w-24')} />
  ))
}

/** Count beside a title. */
export function CountSkeleton() {
  return <Skeleton className="h-4 w-16" />
}

interface CardSkeletonsProps {
  count?: number
  /** Number of text lines in one card. */
  lines?: number | undefined
  /** Starts with an avatar. */
  rounded?: boolean
}

/** Cards of a list on a phone or in a narrow column. */
export function CardSkeletons({ count = 8, lines = 2, rounded = false }: CardSkeletonsProps) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, card) => (
        <div key={card} className="flex items-center gap-3 border-b border-line px-4 py-3">
          {rounded && <Skeleton className="size-10 rounded-full" />}
          <span className="grid min-w-0 flex-1">
            {Array.from({ length: lines }, (_, line) => (
              <span key={line} className="flex h-6 items-center">
                <LineSkeleton at={card + line} className={line === 0 ? 'h-4.5' : undefined} />
              </span>
            ))}
          </span>
        </div>
      ))}
    </div>
  )
}
