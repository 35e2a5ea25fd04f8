import type { MouseEvent } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { Skeleton } from '../../Skeleton.tsx'
import { LineSkeleton } from '../skeletons.tsx'
import type { Column } from './table-columns.tsx'
import { hiddenBelow, padding, tickBox, wholeNames } from './table-look.ts'
import { type DataTableProps, RowStop } from './table-model.ts'
import type { RowSelection } from './use-row-selection.ts'

type TableBodyProps<Row> = Pick<
  DataTableProps<Row>,
  'columns' | 'rows' | 'rowKey' | 'rowLabel' | 'openKey' | 'onOpen' | 'onSelect' | 'isDim' | 'isCompact' | 'isTall'
> & {
  selection: RowSelection<Row>
  skeletonRows: number
  /** Key of the only row in the Tab order; undefined if all rows are in it. */
  stop?: string | undefined
  onVisit?(key: string): void
}

export function TableBody<Row>(props: TableBodyProps<Row>) {
  const { columns, rows, rowKey, onSelect, skeletonRows } = props
  return (
    <tbody>
      {rows
        ? rows.map((item) => <BodyRow key={rowKey(item)} {...props} item={item} />)
        : Array.from({ length: skeletonRows }, (_, at) => (
            <SkeletonRow key={at} columns={columns} hasBox={onSelect !== undefined} height={height(props)} />
          ))}
    </tbody>
  )
}

const row = 'border-b border-line'
const height = ({ isCompact, isTall }: Pick<DataTableProps<unknown>, 'isCompact' | 'isTall'>) =>
  isTall ? 'h-17' : isCompact ? 'h-9' : 'h-11.25'
const cell = `overflow-hidden px-2 text-ellipsis whitespace-nowrap leading-[1.7] ${wholeNames}`

/** A click on a control of the row does not open the row. */
const isOnControl = ({ target, currentTarget }: MouseEvent) => {
  const control = target instanceof Element ? target.closest('a, button, input, label, select, [data-own-press]') : null
  return control !== null && currentTarget.contains(control)
}

function BodyRow<Row>(props: TableBodyProps<Row> & { item: Row }) {
  const { columns, item, rowKey, rowLabel, selection, openKey, onOpen, onSelect, isDim, stop, onVisit } = props
  const t = useT()
  const key = rowKey(item)
  const isOpen = key === openKey
  const isMarked = isOpen || selection.isSelected(key)
  const isStop = onVisit === undefined || stop === key
  const edge = isMarked && 'shadow-[inset_calc(3px*var(--towards))_0_var(--gulf)]'
  return (
    <tr
      data-row={key}
      tabIndex={-1}
      aria-current={isOpen ? 'true' : undefined}
      className={classes(
        row,
        height(props),
        'group/row outline-offset-[-2px]',
        isMarked ? 'bg-gulf-soft' : onOpen && 'hover:bg-well',
        onOpen && 'cursor-pointer',
        isDim?.(item) && 'text-ink-2',
      )}
      onFocus={() => onVisit?.(key)}
      onClick={(event) => {
        if (onOpen && !isOnControl(event)) onOpen(item)
      }}
    >
      {onSelect && (
        <td className={classes('ps-6', edge)}>
          <label className={classes(tickBox, !selection.canSelect(item) && 'invisible')}>
            <input
              type="checkbox"
              className="tick"
              tabIndex={isStop ? undefined : -1}
              aria-label={t('admin.selectRow', { name: rowLabel(item) })}
              checked={selection.isSelected(key)}
              disabled={!selection.canSelect(item)}
              // Shift selects the range from the last row; a click by keyboard has no Shift.
              onChange={({ nativeEvent }) =>
                selection.toggle(key, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              }
            />
          </label>
        </td>
      )}
      {columns.map((column, at) => (
        <td
          key={column.key}
          className={classes(
            cell,
            padding(at + (onSelect ? 1 : 0), at === columns.length - 1),
            column.align === 'end' && 'text-end',
            column.from && hiddenBelow[column.from],
            !onSelect && at === 0 && edge,
          )}
        >
          <RowStop value={isStop}>{column.cell(item)}</RowStop>
        </td>
      ))}
    </tr>
  )
}

interface SkeletonRowProps<Row> {
  columns: readonly Column<Row>[]
  hasBox: boolean
  height: string
}

function SkeletonRow<Row>({ columns, hasBox, height }: SkeletonRowProps<Row>) {
  return (
    <tr className={classes(row, height)}>
      {hasBox && (
        <td className="ps-6">
          <Skeleton className="size-4" />
        </td>
      )}
      {columns.map(({ key, from }, at) => (
        <td
          key={key}
          className={classes(
            'px-2',
            padding(at + (hasBox ? 1 : 0), at === columns.length - 1),
            from && hiddenBelow[from],
          )}
        >
          <LineSkeleton at={at} />
        </td>
      ))}
    </tr>
  )
}
