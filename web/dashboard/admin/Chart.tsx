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

interface Scale {
  steps: readonly number[]
  /** Height above the bottom of the axis, 0 to 1. */
  heightOf(value: number): number
}

function scaleOf(columns: readonly Column[]): Scale {
  const steps = niceSteps(columns.flatMap(({ value, before }) => [value, before ?? 0]))
  const [bottom, top] = [steps[0] ?? 0, steps.at(-1) ?? 1]
  return { steps, heightOf: (value) => (value - bottom) / (top - bottom) }
}

const percent = (share: number) => `${share * 100}%`

/**
 * Bars or lines over time, from right to left in Arabic, with the previous period behind. Each column is a link whose
 * name says its figures.
 */
export function Chart({ label, columns, kind, hasNumbers }: ChartProps) {
  const scale = scaleOf(columns)
  const scroller = usePresentInSight(columns)
  return (
    <div className="flex h-60 break-inside-avoid">
      <div aria-hidden="true" className="relative mt-6 mb-8 w-10 flex-none text-caption text-ink-3">
        {scale.steps.map((step) => (
          <span
            key={step}
            className="absolute start-0 translate-y-1/2 leading-none"
            style={{ bottom: percent(scale.heightOf(step)) }}
          >
            <bdi>{formatCount(step)}</bdi>
          </span>
        ))}
      </div>
      <div ref={scroller} className="rail relative min-w-0 flex-1">
        <div
          className="relative flex w-full flex-none not-print:min-w-[calc(var(--columns)*24px)] not-print:max-md:min-w-[calc(var(--columns)*var(--least))]"
          style={{ '--columns': columns.length, '--least': columns.length > 7 ? '44px' : '56px' } as CSSProperties}
        >
          <div aria-hidden="true" className="absolute inset-x-0 top-6 bottom-8">
            {scale.steps.map((step) => (
              <span
                key={step}
                className={classes('absolute inset-x-0 border-t', step === 0 ? 'border-line-strong' : 'border-line')}
                style={{ bottom: percent(scale.heightOf(step)) }}
              />
            ))}
            {kind === 'line' && <Lines columns={columns} scale={scale} />}
          </div>
          <ol aria-label={label} className="relative flex w-full">
            {columns.map((column) => (
              <li
                key={column.key}
                data-present={column.tone === 'present' || undefined}
                className="flex min-w-0 flex-1"
              >
                <ColumnLink column={column} scale={scale} kind={kind} hasNumber={hasNumbers} />
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
  scale: Scale
  kind: ChartProps['kind']
  hasNumber: boolean
}

function ColumnLink({ column, scale, kind, hasNumber }: ColumnLinkProps) {
  const { mark, name, value, before, orders, tone } = column
  const isToCome = tone === 'to-come'
  const isAlwaysSaid = kind === 'line' && tone === 'present'
  const series = tone === 'present' ? 'series-present' : 'series-now'
  return (
    <OrdersLink
      orders={orders}
      title={name}
      className="group relative block w-full rounded-s hover:bg-well focus-visible:bg-well"
    >
      <span className="sr-only">{name}</span>
      <span aria-hidden="true" className="absolute inset-x-0 top-6 bottom-8 flex justify-center">
        {kind === 'bars' ? (
          <svg className="flip h-full w-[55%] max-w-12 min-w-2">
            {before !== null && <Bar value={before} place={0} scale={scale} series="series-before" />}
            {!isToCome && <Bar value={value} place={before === null ? 0.25 : 0.51} scale={scale} series={series} />}
          </svg>
        ) : (
          !isToCome && (
            <svg className="size-full overflow-visible">
              <circle
                cx="50%"
                cy={percent(1 - scale.heightOf(value))}
                r="5"
                className={classes(
                  series,
                  'stroke-surface stroke-2',
                  tone !== 'present' && 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
                )}
              />
            </svg>
          )
        )}
        {!isToCome && value !== 0 && (
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
            style={{
              bottom: `calc(${percent(scale.heightOf(Math.max(0, value)))} + ${kind === 'line' ? 6 : 0}px)`,
            }}
          >
            <bdi>{formatCount(Math.round(value))}</bdi>
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

interface BarProps {
  value: number
  /** Where it begins, 0 to 1 of the column. */
  place: number
  scale: Scale
  series: string
}

/** Half as wide as its column, from the line of 0, which cuts off the round corners of the bar's foot. */
function Bar({ value, place, scale, series }: BarProps) {
  const zero = 1 - scale.heightOf(0)
  const reach = Math.abs(scale.heightOf(value) - scale.heightOf(0))
  if (reach === 0) return null
  const isBelow = value < 0
  const half = isBelow ? 1 - zero : zero
  return (
    <svg y={isBelow ? percent(zero) : 0} height={percent(half)}>
      <rect
        x={percent(place)}
        y={percent(isBelow ? -1 : 1 - reach / half)}
        width={place === 0.25 ? '50%' : '48%'}
        height={percent(1 + reach / half)}
        rx="5"
        className={series}
      />
    </svg>
  )
}

/** Both lines, stretched over the columns; mirrored in right-to-left pages. */
function Lines({ columns, scale }: { columns: readonly Column[]; scale: Scale }) {
  const yOf = (value: number) => 100 - scale.heightOf(value) * 100
  const at = (value: number, index: number) => `${index + 0.5} ${yOf(value)}`
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
      {/* Dashed: on paper and in forced colours the form tells the lines apart. */}
      <polyline
        points={before.join(' ')}
        className="stroke-rest print:stroke-ink-2"
        strokeWidth="2"
        strokeDasharray="5 4"
        vectorEffect="non-scaling-stroke"
      />
      {past.length > 0 && (
        <polygon points={`0.5 ${yOf(0)} ${past.join(' ')} ${end} ${yOf(0)}`} className="fill-gulf" opacity="0.08" />
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
