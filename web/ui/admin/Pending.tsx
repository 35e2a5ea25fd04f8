import type { ReactNode } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import type { MessageKey } from '../../lib/language/message-key.ts'
import { classes } from '../class-names.ts'
import { Skeleton } from '../Skeleton.tsx'
import { CardSkeletons, ChipSkeletons, LineSkeleton } from './skeletons.tsx'

/**
 * Placeholders, one for each kind of page. Their parts are placed as by `AdminPageLayout`, `Tabs`, `FilterBar`,
 * `DataTable` and `Form`, so that the layout does not shift when the content arrives.
 */
interface PendingProps {
  /** Title of the page, if the navigation has the same. */
  title?: MessageKey
}

interface DeskPendingProps extends PendingProps {
  /** A search field and a button at the title's end. */
  search?: boolean | undefined
  button?: boolean | undefined
  /** Number of lines with search and buttons below the title on a phone. */
  phoneLines?: number | undefined
  /** The first of these lines is a segmented control, which is taller. */
  choice?: boolean | undefined
  /** A button beside the title. */
  chip?: boolean | undefined
  tabs?: number | undefined
  filters?: number | undefined
  /** Number of lines with filters on a phone. */
  filterLines?: number | undefined
  tools?: number | undefined
  children: ReactNode
}

function DeskPending(props: DeskPendingProps) {
  const { title, search, button, phoneLines = 0, choice, chip, tabs, filters, filterLines = 1, tools, children } = props
  const t = useT()
  return (
    <main id="main" aria-busy="true" className="flex min-w-0 flex-col md:min-h-dvh">
      <span role="status" className="sr-only">
        {t('shell.loading')}
      </span>
      <header className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 md:px-6">
        <h1 className="text-title">{title ? t(title) : <Skeleton className="my-1 h-5.75 w-36" />}</h1>
        {chip && <Skeleton className="h-8.5 w-24 rounded-[10px] max-md:h-tap" />}
        {(search || button) && (
          <div className={classes('ms-auto flex items-center gap-2', phoneLines > 0 && 'max-md:hidden')}>
            {search && <Skeleton className="h-9 w-62 rounded-[10px]" />}
            {button && <Skeleton className="h-9.5 w-28 rounded-m max-md:h-tap" />}
          </div>
        )}
        {Array.from({ length: phoneLines }, (_, at) => (
          <Skeleton
            key={at}
            className={classes('w-full rounded-[10px] md:hidden', choice && at === 0 ? 'h-12.5' : 'h-tap')}
          />
        ))}
      </header>
      {tabs !== undefined && (
        <div className="rail gap-1 border-b border-line px-2 md:px-6">
          {Array.from({ length: tabs }, (_, at) => (
            <span key={at} className="flex h-10.5 flex-none items-center px-2.5 max-md:h-tap">
              <Skeleton className="h-4 w-14" />
            </span>
          ))}
        </div>
      )}
      {filters !== undefined && (
        <div className="px-4 py-3 md:px-6">
          <div className={classes('flex flex-wrap items-center gap-2 max-md:hidden', !search && 'min-h-9')}>
            <ChipSkeletons count={filters} />
            <div className="ms-auto flex gap-2">{tools && <ChipSkeletons count={tools} />}</div>
          </div>
          <div className="grid gap-2 md:hidden">
            {Array.from({ length: filterLines }, (_, line) => (
              <div key={line} className="flex gap-2">
                <ChipSkeletons count={2} />
              </div>
            ))}
          </div>
        </div>
      )}
      {children}
    </main>
  )
}

interface TablePendingProps extends Omit<DeskPendingProps, 'children'> {
  columns?: number
  cardLines?: number
}

/** Placeholder of a table: head, filters, column titles, rows; on a phone cards. */
export function TablePending({ columns = 5, cardLines, ...desk }: TablePendingProps) {
  return (
    <DeskPending {...desk}>
      <div className="max-md:hidden">
        <div className="flex h-9 items-center gap-4 border-b border-line px-6">
          {Array.from({ length: columns }, (_, at) => (
            <span key={at} className="flex-1">
              <Skeleton className="h-3 w-14" />
            </span>
          ))}
        </div>
        {Array.from({ length: 12 }, (_, row) => (
          <div key={row} className="flex h-11.25 items-center gap-4 border-b border-line px-6">
            {Array.from({ length: columns }, (_, at) => (
              <span key={at} className="flex-1">
                <LineSkeleton at={at + row} />
              </span>
            ))}
          </div>
        ))}
      </div>
      <div className="md:hidden">
        <CardSkeletons lines={cardLines} />
      </div>
    </DeskPending>
  )
}

/** Placeholder of a form: labels, fields, button. */
export function FormPending({ fields = 6, ...desk }: Omit<DeskPendingProps, 'children'> & { fields?: number }) {
  return (
    <DeskPending {...desk}>
      <div className="grid w-full max-w-180 gap-4 px-4 pt-1 pb-10 md:px-6">
        {Array.from({ length: fields }, (_, at) => (
          <div key={at}>
            <Skeleton className="mb-2 h-4 w-24" />
            <Skeleton quiet className="h-12 rounded-m" />
          </div>
        ))}
        <Skeleton className="mt-2 h-12 w-32 rounded-m" />
      </div>
    </DeskPending>
  )
}

/** Placeholder of a page about one item in several parts: an order, a campaign, a connection. */
export function PartsPending({ parts = 3, ...desk }: Omit<DeskPendingProps, 'children'> & { parts?: number }) {
  return (
    <DeskPending {...desk}>
      <div className="max-w-240 px-4 py-6 md:px-6">
        <PartShapes count={parts} />
      </div>
    </DeskPending>
  )
}

export function PartShapes({ count = 3 }: { count?: number }) {
  return (
    <div className="grid gap-8" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className="grid gap-3">
          <Skeleton className="h-5 w-40" />
          <Skeleton quiet className="h-28 rounded-l" />
        </div>
      ))}
    </div>
  )
}

/** Placeholder of a map, a month or a board with a list beside it. */
export function BoardPending({ list, ...desk }: Omit<DeskPendingProps, 'children'> & { list?: boolean }) {
  return (
    <DeskPending {...desk}>
      <div
        className={classes(
          'grid flex-1 gap-5 px-4 pb-7 md:px-6',
          list && 'desk:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]',
        )}
      >
        <Skeleton quiet className="min-h-100 rounded-l desk:min-h-140" />
        {list && (
          <div className="grid content-start desk:order-first">
            <CardSkeletons />
          </div>
        )}
      </div>
    </DeskPending>
  )
}

/** Placeholder of stacked cards: stops, parts of a sale. */
export function CardsPending({ cards = 4, ...desk }: Omit<DeskPendingProps, 'children'> & { cards?: number }) {
  return (
    <DeskPending {...desk}>
      <div className="grid w-full max-w-180 gap-4 px-4 pb-10 md:px-6">
        {Array.from({ length: cards }, (_, at) => (
          <Skeleton key={at} quiet className="h-32 rounded-l" />
        ))}
      </div>
    </DeskPending>
  )
}

/** Placeholder of the dashboard: figures, charts, and the rankings beside the map. */
export function TilesPending({ title, wide }: PendingProps & { wide?: boolean }) {
  return (
    <DeskPending {...(title ? { title } : {})} search={wide} phoneLines={2} choice>
      <div className="grid gap-5 px-4 pb-7 md:px-6">
        <TileShapes />
      </div>
    </DeskPending>
  )
}

export function TileShapes() {
  return (
    <>
      <Skeleton className="h-102 rounded-l md:h-54 xl:h-33" />
      <div className="grid gap-5 xl:grid-cols-[minmax(0,1fr)_412px]">
        <div className="grid gap-5 md:grid-cols-2">
          <Skeleton quiet className="h-78 rounded-l md:col-span-2" />
          <Skeleton quiet className="h-78 rounded-l" />
          <Skeleton quiet className="h-78 rounded-l" />
        </div>
        <Skeleton quiet className="h-161 rounded-l" />
      </div>
    </>
  )
}

/** Placeholder of the inbox: list and open conversation. */
export function ColumnsPending({ title }: PendingProps) {
  const t = useT()
  return (
    <main
      id="main"
      aria-busy="true"
      className="grid h-[calc(100dvh-60px)] min-h-0 grid-cols-[minmax(0,1fr)] md:h-dvh md:grid-cols-[300px_minmax(0,1fr)] xl:grid-cols-[328px_minmax(0,1fr)]"
    >
      <span role="status" className="sr-only">
        {t('shell.loading')}
      </span>
      <div className="flex min-h-0 flex-col overflow-hidden border-line md:border-e">
        <div className="flex min-h-16 items-center px-5">
          <h1 className="text-title">{title ? t(title) : <Skeleton className="my-1 h-5.75 w-36" />}</h1>
        </div>
        <div className="grid gap-2.5 px-4 pb-2.5">
          <Skeleton className="h-9 rounded-[10px] max-md:h-tap" />
          <Skeleton className="h-8.5 rounded-[10px] max-md:h-12.5" />
        </div>
        <div className="border-t border-line">
          <CardSkeletons rounded />
        </div>
      </div>
      <div className="hidden bg-well md:block" />
    </main>
  )
}
