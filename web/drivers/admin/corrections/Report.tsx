import { formatDay } from '@qatra/contract/calendar/calendar'
import type { Correction } from '@qatra/contract/corrections'
import type { ReactNode } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { dayIn, idIn, oneOf, pageNumber, type StateOf, useSearchState } from '../../../lib/search-state.ts'
import { DownloadMenu } from '../../../ui/admin/DownloadMenu.tsx'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { DateFilter, rangeOf } from '../../../ui/admin/list/DateFilter.tsx'
import { ListPage } from '../../../ui/admin/list/ListPage.tsx'
import type { wholeList } from '../../../ui/admin/list/use-list.ts'
import { Tabs } from '../../../ui/admin/Tabs.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useVendorNames } from '../../../users/admin/person-cache.ts'

export const reportShape = {
  view: oneOf(['drivers', 'payments', 'vat']),
  from: dayIn,
  to: dayIn,
  vendor: idIn,
  page: pageNumber,
}

/** This month, unless other days are chosen. */
export function filtersOf({ from, to, vendor }: StateOf<typeof reportShape>) {
  const month = rangeOf('month', new Date())
  return { from: from ?? to ?? month.from, to: to ?? month.to, ...(vendor && { vendorId: String(vendor) }) }
}

interface ReportProps<Row> {
  list: ReturnType<typeof wholeList<Row>>
  view: 'corrections' | 'drivers' | 'payments' | 'vat'
  /** Cards above the table. */
  sums: ReactNode
  /** Below them. */
  note?: ReactNode
  /** Path of the table. */
  file: string
  columns: readonly Column<Row>[]
  rowKey(row: NoInfer<Row>): string
  rowLabel(row: NoInfer<Row>): string
  renderCard(row: NoInfer<Row>): ReactNode
}

/** A report about money: its tab, sums, and a table with a file. */
export function Report<Row>({ view, sums, note, file, ...list }: ReportProps<Row>) {
  const { t, lang } = useLanguage()
  const [state, setState] = useSearchState(reportShape)
  const { from, to } = filtersOf(state)
  const { options: vendors, nameOf } = useVendorNames()
  const user = useUser()
  const isMarket = user?.role === 'super_admin'
  const vendor = isMarket ? state.vendor : user?.vendorId
  const days = t('admin.date.between', { from: formatDay(from, lang, 'medium'), to: formatDay(to, lang, 'medium') })
  return (
    <ListPage
      title={t('reports.title')}
      // On paper, where tabs and filters are not shown.
      subtitle={
        <span className="hidden print:inline">
          {[t(`reports.${view}`), ...(vendor ? [nameOf(vendor)] : []), days].join(' · ')}
        </span>
      }
      head={
        <>
          <Tabs
            label={t('reports.title')}
            chosen={view}
            items={[
              { key: 'corrections', label: t('reports.corrections'), search: { view: undefined } },
              { key: 'drivers', label: t('reports.drivers'), search: { view: 'drivers' } },
              { key: 'payments', label: t('reports.payments'), search: { view: 'payments' } },
              { key: 'vat', label: t('reports.vat'), search: { view: 'vat' } },
            ]}
          />
          <ul className="rail gap-2 px-4 pt-3 md:px-6 empty:hidden print:flex-wrap print:gap-x-6 print:px-0">{sums}</ul>
          {note && <p className="px-4 pt-2 text-caption text-ink-2 md:px-6 print:px-0">{note}</p>}
        </>
      }
      filters={
        <>
          <DateFilter label={t('reports.days')} from={from} to={to} onChange={setState} />
          {isMarket && (
            <ChoiceFilter
              label={t('admin.vendor')}
              values={vendor ? [vendor] : []}
              options={vendors}
              onChange={([chosen]) => setState({ vendor: chosen })}
            />
          )}
        </>
      }
      tools={<DownloadMenu path={file} query={filtersOf(state)} />}
      label={t(`reports.${view}`)}
      empty={<EmptyState title={t(`reports.${view}.none`)} text={t(`reports.${view}.none.hint`)} />}
      {...list}
    />
  )
}

/** A card of sums. */
export function Sum({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <li className="flex-none rounded-m bg-well px-3.5 py-2 print:px-0">
      <b className="block font-strong">{title}</b>
      {children}
    </li>
  )
}

export function Person({ person: { name } }: { person: Correction['person'] }) {
  const t = useT()
  return name === null ? <span className="text-ink-3">{t('reports.nobody')}</span> : <bdi>{name}</bdi>
}
