import { useEffect, useRef } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { AscendingIcon, DescendingIcon } from '../icons.ts'
import type { Column } from './table-columns.tsx'
import { hiddenBelow, padding, tickBox } from './table-look.ts'
import type { DataTableProps } from './table-model.ts'
import type { RowSelection } from './use-row-selection.ts'

type TableHeadProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'sort' | 'onSort' | 'onSelect'> & {
  selection: RowSelection<Row>
}

/** Sticky head of the table. */
export function TableHead<Row>({ columns, sort, onSort, onSelect, selection }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {onSelect && (
          <th scope="col" className={classes(cell, 'w-13 ps-6 text-start')}>
            <SelectAll isOn={selection.isAll} isPartly={selection.isPartly} onChange={selection.toggleAll} />
          </th>
        )}
        {columns.map((column, at) => (
          <HeadCell
            key={column.key}
            column={column}
            sort={sort}
            {...(onSort ? { onSort } : {})}
            className={padding(at + (onSelect ? 1 : 0), at === columns.length - 1)}
          />
        ))}
      </tr>
    </thead>
  )
}

const cell =
  'sticky top-0 z-10 h-9 bg-page px-2 text-caption whitespace-nowrap text-ink-3 shadow-[inset_0_-1px_var(--line)]'

interface SelectAllProps {
  isOn: boolean
  isPartly: boolean
  onChange(): void
}

function SelectAll({ isOn, isPartly, onChange }: SelectAllProps) {
  const t = useT()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly && !isOn
  }, [isPartly, isOn])
  return (
    <label className={tickBox}>
      <input
        ref={box}
        type="checkbox"
        className="tick"
        aria-label={t('admin.selectAll')}
        checked={isOn}
        onChange={onChange}
      />
    </label>
  )
}

interface HeadCellProps<Row> {
  column: Column<Row>
  sort: string | undefined
  onSort?(sort: string): void
  className: string
}

function HeadCell<Row>({ column, sort, onSort, className }: HeadCellProps<Row>) {
  const t = useT()
  const { key, title, width, align, from, sortable, isText = false } = column
  const direction = sort === key ? 'up' : sort === `-${key}` ? 'down' : null
  const Sign = direction === 'up' ? AscendingIcon : DescendingIcon
  return (
    <th
      scope="col"
      aria-sort={direction === 'up' ? 'ascending' : direction === 'down' ? 'descending' : undefined}
      style={width ? { width } : undefined}
      className={classes(cell, className, align === 'end' ? 'text-end' : 'text-start', from && hiddenBelow[from])}
    >
      {sortable && onSort ? (
        <button
          type="button"
          className="inline-flex h-8 items-center gap-1 font-strong hover:text-ink"
          onClick={() => onSort(direction === 'down' || (direction === null && isText) ? key : `-${key}`)}
        >
          {title}
          {direction && <Sign size={14} aria-hidden="true" className="text-ink" />}
          {direction && (
            <span className="sr-only">{t(direction === 'up' ? 'admin.sortedUp' : 'admin.sortedDown')}</span>
          )}
        </button>
      ) : (
        title
      )}
    </th>
  )
}
