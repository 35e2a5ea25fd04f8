import { useCallback, useMemo, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { Button } from '../../Button.tsx'
import { AgainIcon } from '../../icons.tsx'
import { raiseToasts } from '../../Toast.tsx'
import { useScreen } from '../media.ts'
import { CardSkeletons } from '../skeletons.tsx'
import { TableBody } from './TableBody.tsx'
import { TableFoot } from './TableFoot.tsx'
import { TableHead } from './TableHead.tsx'
import { fitting, useWidthOf } from './table-fit.ts'
import { wholeNames } from './table-look.ts'
import type { DataTableProps } from './table-model.ts'
import { useRowSelection } from './use-row-selection.ts'
import { useTableKeys } from './use-table-keys.ts'

const SKELETON_ROWS = 12

/** Keeps toasts above the foot, so that they do not cover the actions for the selected rows. */
const useRoomForToasts = () =>
  useCallback((bar: HTMLElement | null) => {
    if (!bar) return
    const watch = new ResizeObserver(() =>
      raiseToasts(`${bar.offsetHeight + (Number.parseFloat(getComputedStyle(bar).bottom) || 0)}px`),
    )
    watch.observe(bar)
    return () => {
      watch.disconnect()
      raiseToasts('0px')
    }
  }, [])

/** Table of one page of rows, sorted and filtered by the server, with selection. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, rowKey, error, empty, bulk, openKey, onOpen, notice } = props
  const isPhone = useScreen('phone')
  const box = useRef<HTMLDivElement>(null)
  const [visited, setVisited] = useState<string | null>(null)
  const width = useWidthOf(box)
  const bar = useRoomForToasts()
  const hasTick = props.onSelect !== undefined
  const columns = useMemo(() => fitting(props.columns, width, hasTick), [props.columns, width, hasTick])
  const selection = useRowSelection(props)
  const keys = rows?.map((row) => rowKey(row)) ?? []
  useTableKeys({
    box,
    keys,
    openKey,
    open: (key) => {
      const row = rows?.[keys.indexOf(key)]
      if (row !== undefined) onOpen?.(row)
    },
    toggle: selection.toggle,
  })

  const stop = visited !== null && keys.includes(visited) ? visited : keys[0]
  const given = { ...props, columns, selection }
  const isBroken = !!error && !rows
  const isEmpty = rows?.length === 0
  return (
    <div ref={box} className="flex flex-1 flex-col">
      {isBroken ? (
        <TableError {...(props.onRetry ? { onRetry: props.onRetry } : {})} />
      ) : isEmpty ? (
        <div className="grid flex-1 place-items-center px-6 py-12">{empty}</div>
      ) : isPhone ? (
        <TableCards {...props} />
      ) : (
        <table aria-label={props.label} aria-busy={rows === undefined} className="w-full table-fixed border-collapse">
          <TableHead {...given} />
          <TableBody
            {...given}
            skeletonRows={SKELETON_ROWS}
            {...(bulk === undefined ? {} : { stop, onVisit: setVisited })}
          />
        </table>
      )}
      <div ref={bar} className="foot-bar no-print mt-auto">
        {notice}
        {!isBroken && !isEmpty && (
          <TableFoot
            {...props}
            bulk={selection.count > 0 ? bulk : null}
            selectedCount={selection.count}
            lastRow={stop}
          />
        )}
      </div>
    </div>
  )
}

function TableCards<Row>({ label, rows, rowKey, renderCard, cardLines, openKey, onOpen }: DataTableProps<Row>) {
  if (!rows) {
    return (
      <div className="border-t border-line" aria-busy="true">
        <CardSkeletons lines={cardLines} />
      </div>
    )
  }
  return (
    <ul aria-label={label} className={`border-t border-line ${wholeNames}`}>
      {rows.map((row) => {
        const key = rowKey(row)
        return (
          <li key={key} className="border-b border-line" aria-current={key === openKey ? 'true' : undefined}>
            {onOpen ? (
              <button
                type="button"
                data-row={key}
                className="block w-full px-4 py-3 text-start"
                onClick={() => onOpen(row)}
              >
                {renderCard(row)}
              </button>
            ) : (
              <div data-row={key} className="px-4 py-3">
                {renderCard(row)}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function TableError({ onRetry }: { onRetry?(): void }) {
  const t = useT()
  return (
    <div role="alert" className="grid flex-1 content-center justify-items-center gap-1 px-6 py-12 text-center">
      <p className="text-heading">{t('admin.failed')}</p>
      <p className="text-ink-2">{t('admin.failed.hint')}</p>
      {onRetry && (
        <Button tone="gulf" icon={AgainIcon} className="mt-3" onClick={onRetry}>
          {t('admin.retry')}
        </Button>
      )}
    </div>
  )
}
