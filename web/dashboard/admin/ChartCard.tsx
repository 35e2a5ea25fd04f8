import type { OrdersAsked } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { useState } from 'react'
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
  /** Unit of a column: day or hour. */
  unit: string
  legend: { now: string; present?: string; before: string | null }
  className?: string
}

/** A chart, or its numbers as a table. */
export function ChartCard({ title, columns, kind, hasNumbers = false, unit, legend, className }: ChartCardProps) {
  const t = useT()
  const [isTable, setTable] = useState(false)
  return (
    <Card
      title={title}
      {...(className ? { className } : {})}
      end={
        <>
          {!isTable && <Legend {...legend} />}
          <ToolbarButton
            icon={isTable ? ChartIcon : TableIcon}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
            title={t(isTable ? 'dashboard.chart' : 'dashboard.table')}
            className="px-2.5 max-md:w-tap max-md:justify-center"
          >
            <span className="sr-only">{`${t(isTable ? 'dashboard.chart' : 'dashboard.table')}: ${title}`}</span>
          </ToolbarButton>
        </>
      }
    >
      {isTable ? (
        <NumberTable columns={columns} unit={unit} legend={legend} />
      ) : (
        <Chart label={title} columns={columns} kind={kind} hasNumbers={hasNumbers} />
      )}
    </Card>
  )
}

function Legend({ now, present, before }: ChartCardProps['legend']) {
  const colours = [
    ['bg-gulf', now],
    ['bg-aqua', present],
    ['bg-rest', before],
  ] as const
  return (
    <ul className="flex flex-wrap gap-x-4 text-caption text-ink-2">
      {colours.map(
        ([colour, words]) =>
          words && (
            <li key={colour} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2.5 rounded-[3px] ${colour}`} />
              {words}
            </li>
          ),
      )}
    </ul>
  )
}

function NumberTable({ columns, unit, legend }: Pick<ChartCardProps, 'columns' | 'unit' | 'legend'>) {
  const hasBefore = columns.some(({ before }) => before !== null)
  return (
    <div className="max-h-90 overflow-y-auto">
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
              <td className="text-end">{tone === 'to-come' ? '–' : <Count orders={orders} count={value} />}</td>
              {hasBefore && (
                <td className="text-end">
                  {before === null || !ordersBefore ? '–' : <Count orders={ordersBefore} count={before} />}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Count = ({ orders, count }: { orders: OrdersAsked; count: number }) => (
  <OrdersLink orders={orders} className={`${quietLink} justify-end`}>
    {formatCount(count)}
  </OrdersLink>
)
