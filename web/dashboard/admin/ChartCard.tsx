import type { OrdersAsked } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { type ReactNode, useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { ChartIcon, TableIcon } from '../../ui/admin/icons.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Card, quietLink } from './Card.tsx'
import { Chart, type Column } from './Chart.tsx'
import { OrdersLink } from './links.tsx'

export interface ChartColumn extends Column {
  /** The orders counted by `before`. */
  ordersBefore: OrdersAsked | null
}

interface ChartCardProps {
  title: string
  columns: readonly ChartColumn[]
  kind: 'bars' | 'line'
  hasNumbers?: boolean
  /** How the table writes a value. */
  show?(value: number): string
  /** Beside the title. */
  choice?: ReactNode
  /** Unit of a column: day or hour. */
  unit: string
  legend: { now: string; present?: string; before: string | null }
  className?: string
}

/** A chart, or its numbers as a table. */
export function ChartCard(props: ChartCardProps) {
  const { title, columns, kind, hasNumbers = false, choice, legend, className } = props
  const t = useT()
  const [isTable, setTable] = useState(false)
  return (
    <Card
      title={title}
      {...(className ? { className } : {})}
      end={
        <>
          {!isTable && <Legend {...legend} />}
          {choice}
          <ToolbarButton
            icon={isTable ? ChartIcon : TableIcon}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
            title={t(isTable ? 'dashboard.chart' : 'dashboard.table')}
            className="no-print px-2.5 max-md:w-tap max-md:justify-center"
          >
            <span className="sr-only">{`${t(isTable ? 'dashboard.chart' : 'dashboard.table')}: ${title}`}</span>
          </ToolbarButton>
        </>
      }
    >
      {!isTable && <Chart label={title} columns={columns} kind={kind} hasNumbers={hasNumbers} />}
      {/* Paper shows both: nothing can be pointed at there. */}
      <NumberTable {...props} isHidden={!isTable} />
    </Card>
  )
}

function Legend({ now, present, before }: ChartCardProps['legend']) {
  const series = [
    ['series-now', now],
    ['series-present', present],
    ['series-before', before],
  ] as const
  return (
    <ul className="flex flex-wrap gap-x-4 text-caption text-ink-2">
      {series.map(
        ([one, words]) =>
          words && (
            <li key={one} className="flex items-center gap-1.5">
              <svg aria-hidden="true" className="size-2.5">
                <rect width="100%" height="100%" rx="3" className={one} />
              </svg>
              {words}
            </li>
          ),
      )}
    </ul>
  )
}

function NumberTable({ columns, unit, legend, show = formatCount, isHidden }: ChartCardProps & { isHidden: boolean }) {
  const hasBefore = columns.some(({ before }) => before !== null)
  return (
    <div className={isHidden ? 'not-print:hidden print:columns-2 print:gap-8' : 'overflow-y-auto not-print:max-h-90'}>
      <table className="w-full">
        <thead>
          <tr className="text-caption text-ink-3">
            <th scope="col" className="py-1.5 text-start">
              {unit}
            </th>
            <th scope="col" className="text-end">
              {legend.now}
            </th>
            {hasBefore && (
              <th scope="col" className="text-end">
                {legend.before}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {columns.map(({ key, title, value, before, orders, ordersBefore, tone }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1 text-start font-regular">
                {title}
              </th>
              <td className="text-end">{tone === 'to-come' ? '–' : <Figure orders={orders} text={show(value)} />}</td>
              {hasBefore && (
                <td className="text-end">
                  {before === null || !ordersBefore ? '–' : <Figure orders={ordersBefore} text={show(before)} />}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Figure = ({ orders, text }: { orders: OrdersAsked; text: string }) => (
  <OrdersLink orders={orders} className={`${quietLink} justify-end`}>
    <bdi>{text}</bdi>
  </OrdersLink>
)
