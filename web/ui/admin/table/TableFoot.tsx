import { IMPERSONATED_PAGES } from '@qatra/contract/users/impersonation'
import type { ReactNode } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { CloseIcon, EndIcon, type Icon, StartIcon } from '../../icons.tsx'
import type { DataTableProps } from './table-model.ts'

type TableFootProps<Row> = Pick<DataTableProps<Row>, 'page' | 'limit' | 'total' | 'onPage' | 'onSelect' | 'sum'> & {
  bulk: ReactNode
  selectedCount: number
  /** The row to focus after the selection is cleared. */
  lastRow: string | undefined
}

const noneSelected: ReadonlySet<string> = new Set()
const foot = 'flex min-h-14 items-center gap-3 px-4 md:px-6'

/** Row range and paging; while rows are selected, the actions for them. */
export function TableFoot<Row>(props: TableFootProps<Row>) {
  const { page = 1, limit, total, onPage, onSelect, sum, bulk, selectedCount, lastRow } = props
  const t = useT()
  const isActing = !!useUser()?.impersonatedBy
  if (bulk) {
    return (
      <section
        aria-label={t('admin.bulk')}
        data-bulk=""
        data-focus-after={lastRow && `[data-row="${CSS.escape(lastRow)}"]`}
        className={`deep rise ${foot} items-start py-2`}
      >
        <span role="status" className="flex min-h-8.5 flex-none items-center font-strong">
          {t('admin.selected', { count: selectedCount })}
        </span>
        <div className="flex flex-wrap items-center gap-2 text-ink">{bulk}</div>
        <button
          type="button"
          aria-label={t('admin.clearSelection')}
          className="ms-auto grid size-8.5 place-items-center rounded-[10px] hover:bg-deep-track focus-visible:outline-on-deep-aqua max-md:size-tap"
          onClick={() => onSelect?.(noneSelected)}
        >
          <CloseIcon size={18} aria-hidden="true" />
        </button>
      </section>
    )
  }
  if (limit === undefined) return null
  const pages = Math.max(1, Math.ceil((total ?? 0) / limit))
  const last = isActing ? Math.min(pages, IMPERSONATED_PAGES) : pages
  const first = (page - 1) * limit + 1
  return (
    <div className={`${foot} justify-between border-t border-line bg-page text-caption text-ink-3`}>
      <span role="status" className="min-w-24">
        {total !== undefined && (
          <bdi>{t('admin.range', { from: Math.min(first, total), to: Math.min(first + limit - 1, total), total })}</bdi>
        )}
      </span>
      {sum && <span className="font-strong text-ink">{sum}</span>}
      {pages > last && page >= last && <span role="note">{t('admin.firstPages', { count: last })}</span>}
      <nav aria-label={t('admin.pages')} className="flex gap-2">
        <Turn label={t('admin.previousPage')} icon={StartIcon} isOff={page <= 1} onTurn={() => onPage?.(page - 1)} />
        <Turn label={t('admin.nextPage')} icon={EndIcon} isOff={page >= last} onTurn={() => onPage?.(page + 1)} />
      </nav>
    </div>
  )
}

function Turn({ label, icon: Sign, isOff, onTurn }: { label: string; icon: Icon; isOff: boolean; onTurn(): void }) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isOff || undefined}
      className="grid size-8.5 place-items-center rounded-[10px] bg-well text-ink hover:bg-well-2 aria-disabled:text-ink-off aria-disabled:hover:bg-well max-md:size-tap"
      onClick={isOff ? undefined : onTurn}
    >
      <Sign size={16} aria-hidden="true" />
    </button>
  )
}
