import { useT } from '../../lib/language/i18n.tsx'
import { classes } from '../class-names.ts'
import { Skeleton } from '../Skeleton.tsx'

const widths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3']

/** A line of text; the caller sets the width. */
export function LineSkeleton({ at, className }: { at: number; className?: string }) {
  return <Skeleton className={classes('h-4', widths[at % widths.length], className)} />
}

/** Count beside a title. */
export function CountSkeleton() {
  return <Skeleton className="h-4 w-16" />
}

/** Cards of a list on a phone or in a narrow column, with this number of lines of text. */
export function CardSkeletons({ lines = 2 }: { lines?: number | undefined }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 8 }, (_, card) => (
        <div key={card} className="flex items-center gap-3 border-b border-line px-4 py-3">
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

const columns = [0, 1, 2, 3, 4, 5]

/** Filters, column titles and rows; on a phone cards. */
function ListShapes() {
  return (
    <>
      <div className="flex gap-2 px-4 py-3 md:px-6">
        <Skeleton className="h-8.5 w-28 rounded-[10px] max-md:h-tap" />
        <Skeleton className="h-8.5 w-24 rounded-[10px] max-md:h-tap" />
      </div>
      <div className="max-md:hidden">
        {Array.from({ length: 13 }, (_, row) => (
          <div key={row} className="flex h-11.25 items-center gap-4 border-b border-line px-6">
            {columns.map((at) => (
              <span key={at} className="flex-1">
                {row === 0 ? <Skeleton className="h-3 w-14" /> : <LineSkeleton at={at + row} />}
              </span>
            ))}
          </div>
        ))}
      </div>
      <div className="md:hidden">
        <CardSkeletons />
      </div>
    </>
  )
}

/** Labels, fields and a button. */
function FormShapes() {
  return (
    <div className="grid w-full max-w-180 gap-4 px-4 pt-1 pb-10 md:px-6">
      {columns.map((at) => (
        <div key={at}>
          <Skeleton className="mb-2 h-4 w-24" />
          <Skeleton quiet className="h-12 rounded-m" />
        </div>
      ))}
      <Skeleton className="mt-2 h-12 w-32 rounded-m" />
    </div>
  )
}

/** Placeholder of parts with a heading: of an order, a campaign, a connection. */
export function BoardShapes() {
  return (
    <div className="grid gap-8" aria-hidden="true">
      {Array.from({ length: 3 }, (_, at) => (
        <div key={at} className="grid gap-3">
          <Skeleton className="h-5 w-40" />
          <Skeleton quiet className="h-28 rounded-l" />
        </div>
      ))}
    </div>
  )
}

const layouts = {
  list: ListShapes,
  form: FormShapes,
  board: () => (
    <div className="max-w-240 px-4 py-6 md:px-6">
      <BoardShapes />
    </div>
  ),
}

/** Skeleton of a page while its chunk and required data load, one for each layout. */
export function PageSkeleton({
  layout = 'list',
  title,
}: {
  layout?: keyof typeof layouts
  title?: string | undefined
}) {
  const t = useT()
  const Shapes = layouts[layout]
  return (
    <main id="main" aria-busy="true" className="flex min-w-0 flex-col md:min-h-dvh">
      <span role="status" className="sr-only">
        {t('shell.loading')}
      </span>
      <header className="flex min-h-16 items-center px-4 py-3 md:px-6">
        <h1 className="text-title">{title ?? <Skeleton className="my-1 h-5.75 w-36" />}</h1>
      </header>
      <Shapes />
    </main>
  )
}
