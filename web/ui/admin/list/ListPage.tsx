import type { ReactNode } from 'react'
import { AdminPageLayout, type AdminPageLayoutProps } from '../AdminPageLayout.tsx'
import { DataTable } from '../table/DataTable.tsx'
import type { DataTableProps } from '../table/table-model.ts'
import { FilterBar, SearchFilter } from './FilterBar.tsx'
import type { List } from './use-list.ts'

type LayoutPart = Pick<AdminPageLayoutProps, 'title' | 'subtitle' | 'isSubtitleWide' | 'actions' | 'head' | 'panel'>
type ListTable<Row> = Pick<DataTableProps<Row>, keyof List<Row>['table']>

interface ListPageProps<Row> extends LayoutPart, Omit<DataTableProps<Row>, keyof List<Row>['table']> {
  list: {
    query: Pick<List<Row>['query'], 'isPending'>
    table: ListTable<Row>
    search?: List<Row>['search']
  }
  /** Label of the search, if the list has the parameter `q`. */
  search?: string
  filters?: ReactNode
  /** At the end of the filters' line. */
  tools?: ReactNode
  /** Below the table: dialogs. */
  children?: ReactNode
}

/** Admin page of one list: title, `head`, search, filters, tools, table, and a panel beside them. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { list, title, subtitle, isSubtitleWide, actions, head, panel, search, filters, tools, children, ...table } =
    props
  return (
    <AdminPageLayout
      title={title}
      isWaiting={list.query.isPending}
      subtitle={subtitle}
      isSubtitleWide={isSubtitleWide}
      actions={actions}
      head={
        <>
          {head}
          {(search || filters || tools) && (
            <FilterBar end={tools}>
              {search && list.search && <SearchFilter label={search} {...list.search} />}
              {filters}
            </FilterBar>
          )}
        </>
      }
      panel={panel}
    >
      <DataTable {...list.table} {...table} />
      {children}
    </AdminPageLayout>
  )
}
