import { mayOpen } from '@qatra/contract/admin'
import { bahrainDate, bahrainTime, formatDay } from '@qatra/contract/calendar/calendar'
import type { Input } from '@qatra/contract/endpoint'
import { customerSorts, exportCustomers, listCustomers, listCustomerTags } from '@qatra/contract/users/customers'
import { MOST_COUNTED } from '@qatra/contract/users/users'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Page, PageRequest } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import {
  dayIn,
  flagIn,
  idIn,
  instantIn,
  oneOf,
  pageNumber,
  readSearch,
  type StateOf,
  sortBy,
  textIn,
} from '../../lib/search-state.ts'
import { DownloadMenu } from '../../ui/admin/DownloadMenu.tsx'
import { UploadIcon } from '../../ui/admin/icons.ts'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { DateFilter } from '../../ui/admin/list/DateFilter.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { ColumnMenu, useColumns } from '../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { CustomerPanel } from './CustomerPanel.tsx'
import { CustomerCard, useCustomerColumns, useDueColumns } from './customer-columns.tsx'

export const customersShape = {
  q: textIn(100),
  vendor: idIn,
  tag: textIn(40),
  consent: oneOf(['true', 'false']),
  due: flagIn,
  firstFrom: dayIn,
  firstTo: dayIn,
  firstBefore: instantIn,
  sort: sortBy(['dueDate', 'lastOrderAt', 'spend', 'orderCount', 'name', 'createdAt'], '-lastOrderAt'),
  page: pageNumber,
  open: idIn,
}
type CustomersState = StateOf<typeof customersShape>

/** Names sort ascending, figures and times descending; the other direction is not offered. */
const sortOf = (sort: CustomersState['sort']) =>
  customerSorts.find((each) => each.replace('-', '') === sort.replace('-', '')) ?? '-lastOrderAt'

export function filtersOf({
  q,
  vendor,
  tag,
  consent,
  due,
  firstFrom,
  firstTo,
  firstBefore,
  sort,
}: CustomersState): NonNullable<Input<typeof exportCustomers>['query']> {
  return {
    sort: sortOf(sort),
    ...(q && { search: q }),
    ...(vendor && { vendorId: String(vendor) }),
    ...(tag && { tag }),
    ...(consent && { consent }),
    ...(due && { due: 'true' as const }),
    ...(firstFrom && { firstFrom }),
    ...(firstTo && { firstTo }),
    ...(firstBefore && { firstBefore }),
  }
}

const customersQuery = (state: CustomersState) =>
  read(listCustomers, { query: { ...filtersOf(state), page: state.page, limit: PAGE_SIZE } })

/** Columns hidden while the panel is open; it shows them. */
const besidePanel = new Set(['tags', 'consent'])

function CustomersPage() {
  const { t, lang } = useLanguage()
  const self = useUser()
  const list = useList(customersShape, customersQuery)
  const { state, setState, data } = list
  const { options: vendors } = useVendorNames()
  const { data: tags = [] } = useQuery(read(listCustomerTags))
  const own = useCustomerColumns()
  const all = useColumns('customers', own)
  const due = useColumns('due-customers', [...own.filter(({ key }) => key === 'name'), ...useDueColumns()])
  const columns = state.due ? due : all
  const { page } = state
  return (
    <ListPage
      list={list}
      title={t('customers.title')}
      subtitle={
        data && (data.total === MOST_COUNTED ? t('customers.most') : t('customers.count', { count: data.total }))
      }
      actions={
        mayOpen('/admin/customers/import', self) && (
          <Link to="/admin/customers/import" className={toolbarButtonClass()}>
            <UploadIcon size={16} aria-hidden="true" className="text-ink-3" />
            {t('customers.import')}
          </Link>
        )
      }
      search={t('customers.search')}
      filters={
        <>
          <ToolbarButton
            chosen={state.due}
            aria-pressed={state.due}
            onClick={() => setState(state.due ? { due: false, sort: '-lastOrderAt' } : { due: true, sort: 'dueDate' })}
          >
            {t('customers.due')}
          </ToolbarButton>
          {self?.role === 'super_admin' && (
            <ChoiceFilter label={t('admin.vendor')} searchable {...list.choice('vendor')} options={vendors} />
          )}
          {(tags.length > 0 || state.tag !== '') && (
            <ChoiceFilter
              label={t('customers.tags')}
              searchable={tags.length > 8}
              {...list.choice('tag')}
              options={tags.map(({ tag, count }) => ({ value: tag, label: tag, count }))}
            />
          )}
          <ChoiceFilter
            label={t('customers.consent')}
            {...list.choice('consent')}
            options={[
              { value: 'true' as const, label: t('customers.consent.yes') },
              { value: 'false' as const, label: t('customers.consent.no') },
            ]}
          />
          <DateFilter
            label={t('customers.first')}
            from={state.firstFrom}
            to={state.firstTo}
            onChange={({ from, to }) => setState({ firstFrom: from, firstTo: to, firstBefore: undefined })}
          />
          {state.firstBefore && (
            <ToolbarButton chosen onClick={() => setState({ firstBefore: undefined })}>
              {t('customers.firstBefore', {
                day: formatDay(bahrainDate(new Date(state.firstBefore)), lang, 'medium'),
                time: bahrainTime(new Date(state.firstBefore)),
              })}
              <CloseIcon size={14} aria-hidden="true" />
            </ToolbarButton>
          )}
        </>
      }
      tools={
        <>
          <ColumnMenu {...columns} />
          <DownloadMenu path={exportCustomers.path} query={filtersOf(state)} />
        </>
      }
      panel={
        state.open !== undefined && (
          <CustomerPanel key={state.open} id={state.open} onClose={() => setState({ open: undefined, page })} />
        )
      }
      label={t('customers.list')}
      columns={state.open === undefined ? columns.shown : columns.shown.filter(({ key }) => !besidePanel.has(key))}
      rowKey={({ id }) => String(id)}
      rowLabel={({ name, phone }) => name ?? phone}
      openKey={state.open === undefined ? undefined : String(state.open)}
      onOpen={({ id }) => setState({ open: id, page })}
      isDim={({ isActive }) => !isActive}
      empty={
        <EmptyState
          title={t(state.due ? 'customers.due.empty' : 'customers.empty')}
          text={t(state.due ? 'customers.due.emptyHint' : 'customers.empty.hint')}
        />
      }
      renderCard={(customer) => <CustomerCard customer={customer} isDue={state.due} />}
    />
  )
}

async function load({ queries, search }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(read(listVendors)),
    queries.ensureQueryData(read(listCustomerTags)),
    queries.ensureQueryData(customersQuery(readSearch(customersShape, search))),
  ])
}

export const page: Page = {
  Component: CustomersPage,
  showsWaiting: true,
  load,
  head: ({ t }) => ({ title: t('customers.title'), hidden: true }),
}
