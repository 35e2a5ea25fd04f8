import type { OrdersAsked } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { type CSSProperties, useEffect, useRef } from 'react'
import { classes } from '../../ui/class-names.ts'
import { OrdersLink } from './links.tsx'
import { niceSteps } from './scale.ts'

export interface Column {
  key: string
  /** Label below the axis; empty if there is no room for all. */
  mark: string
  /** Name of the column: the day or hour. */
  title: string
  /** Full description, for screen readers and the tooltip. */
  name: string
  value: number
  before: number | null
  orders: OrdersAsked
  tone: 'plain' | 'present' | 'to-come'
}

interface ChartProps {
  label: string
  columns: readonly Column[]
  /** Two lines for many columns, pairs of bars for few. */
  kind: 'bars' | 'line'
  /** Show a number over every bar instead of only on hover. */
  hasNumbers: boolean
}

/** Bars or lines over time, from right to left in Arabic, with the previous period behind. Each column is a link. */
export function Chart({ label, columns, kind, hasNumbers }: ChartProps) {
  const steps = niceSteps(Math.max(0, ...columns.flatMap(({ value, before }) => [value, before ?? 0])))
  const top = steps.at(-1) ?? 1
  const scroller = usePresentInSight(columns)
  return (
    <div className="flex h-60">
      <div aria-hidden="true" className="relative mt-6 mb-8 w-10 flex-none text-caption text-ink-3">
        {steps.map((step) => (
          <span
            key={step}
            className="absolute start-0 translate-y-1/2 leading-none"
            style={{ bottom: `${(step / top) * 100}%` }}
          >
            {formatCount(step)}
          </span>
        ))}
      </div>
      <div ref={scroller} className="rail relative min-w-0 flex-1">
        <div
          className="relative flex w-full min-w-[calc(var(--columns)*24px)] flex-none max-md:min-w-[calc(var(--columns)*var(--least))]"
          style={{ '--columns': columns.length, '--least': columns.length > 7 ? '44px' : '56px' } as CSSProperties}
        >
          <div aria-hidden="true" className="absolute inset-x-0 top-6 bottom-8">
            {steps.map((step) => (
              <span
                key={step}
                className="absolute inset-x-0 border-t border-line"
                style={{ bottom: `${(step / top) * 100}%` }}
              />
            ))}
            {kind === 'line' && <Lines columns={columns} top={top} />}
          </div>
          <ol aria-label={label} className="relative flex w-full">
            {columns.map((column) => (
              <li
                key={column.key}
                data-present={column.tone === 'present' || undefined}
                className="flex min-w-0 flex-1"
              >
                <ColumnLink column={column} top={top} kind={kind} hasNumber={hasNumbers} />
              </li>
            ))}
          </ol>
        </div>
      </div>
    </div>
  )
}

interface ColumnLinkProps {
  column: Column
  top: number
  kind: ChartProps['kind']
  hasNumber: boolean
}

function ColumnLink({ column, top, kind, hasNumber }: ColumnLinkProps) {
  const { mark, name, value, before, orders, tone } = column
  const share = (n: number) => `${(n / top) * 100}%`
  const isToCome = tone === 'to-come'
  const isAlwaysSaid = kind === 'line' && tone === 'present'
  return (
    <OrdersLink
      orders={orders}
      title={name}
      className="group relative block w-full rounded-s hover:bg-well focus-visible:bg-well"
    >
      <span className="sr-only">{name}</span>
      <span aria-hidden="true" className="absolute inset-x-0 top-6 bottom-8 flex items-end justify-center gap-px">
        {kind === 'bars' && before !== null && (
          <span className="w-[26%] max-w-5.5 rounded-t-[5px] bg-rest" style={{ height: share(before) }} />
        )}
        {kind === 'bars' && !isToCome && (
          <span
            className={classes('w-[26%] max-w-6 min-w-2 rounded-t-[5px]', tone === 'present' ? 'bg-aqua' : 'bg-gulf')}
            style={{ height: share(value) }}
          />
        )}
        {kind === 'line' && !isToCome && (
          <span
            className={classes(
              'absolute size-2.5 translate-y-1/2 rounded-full border-2 border-surface',
              tone === 'present'
                ? 'bg-aqua'
                : 'bg-gulf opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
            )}
            style={{ bottom: share(value) }}
          />
        )}
        {!isToCome && value > 0 && (
          <b
            className={classes(
              'absolute mb-1 text-caption leading-tight',
              kind === 'bars' &&
                before !== null &&
                hasNumber &&
                'translate-x-[calc(13px*var(--towards))] max-md:translate-x-0',
              !hasNumber &&
                !isAlwaysSaid &&
                'rounded-s bg-surface px-1 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
            )}
            style={{ bottom: `calc(${share(value)} + ${kind === 'line' ? 6 : 0}px)` }}
          >
            {formatCount(value)}
          </b>
        )}
      </span>
      <span
        aria-hidden="true"
        className={classes(
          'absolute inset-x-0 bottom-0 h-7 text-center text-caption leading-7 whitespace-nowrap',
          tone === 'present' ? 'font-strong text-ink' : 'text-ink-2',
        )}
      >
        {mark}
      </span>
    </OrdersLink>
  )
}

/** Both lines, stretched over the columns; mirrored in right-to-left pages. */
function Lines({ columns, top }: { columns: readonly Column[]; top: number }) {
  const at = (value: number, index: number) => `${index + 0.5} ${100 - (value / top) * 100}`
  const past = columns.flatMap(({ value, tone }, index) => (tone === 'to-come' ? [] : [at(value, index)]))
  const before = columns.flatMap(({ before: value }, index) => (value === null ? [] : [at(value, index)]))
  const end = Math.max(0, past.length - 1) + 0.5
  return (
    <svg
      viewBox={`0 0 ${columns.length} 100`}
      preserveAspectRatio="none"
      className="flip absolute inset-0 size-full overflow-visible"
      fill="none"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <polyline points={before.join(' ')} className="stroke-rest" strokeWidth="2" vectorEffect="non-scaling-stroke" />
      {past.length > 0 && (
        <polygon points={`0.5 100 ${past.join(' ')} ${end} 100`} className="fill-gulf" opacity="0.08" />
      )}
      <polyline points={past.join(' ')} className="stroke-gulf" strokeWidth="2.5" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** Scrolls the current column into view if the columns do not fit. */
function usePresentInSight(columns: readonly Column[]) {
  const scroller = useRef<HTMLDivElement>(null)
  const first = columns[0]?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll again when the columns change.
  useEffect(() => {
    const box = scroller.current
    const present = box?.querySelector('[data-present]')
    if (!box || !present || box.scrollWidth <= box.clientWidth) return
    const [around, inside] = [box.getBoundingClientRect(), present.getBoundingClientRect()]
    box.scrollLeft += inside.left + inside.width / 2 - around.left - around.width / 2
  }, [first, columns.length])
  return scroller
}
