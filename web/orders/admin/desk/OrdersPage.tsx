import { formatDay } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { type AdminOrder, countOrders, listOrders } from '@qatra/contract/orders/admin'
import { shortId } from '@qatra/contract/orders/order-id'
import { isClosed, isStep, type OrderStatus, orderStatuses } from '@qatra/contract/orders/order-status'
import { getMe } from '@qatra/contract/users/auth'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { SearchFilter } from '../../../ui/admin/list/FilterBar.tsx'
import { Tabs } from '../../../ui/admin/Tabs.tsx'
import { DataTable } from '../../../ui/admin/table/DataTable.tsx'
import { useColumns } from '../../../ui/admin/table/table-columns.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import { DriverDialog } from '../DriverDialog.tsx'
import { useDrivers } from '../drivers.ts'
import { orderQuery, timelineQuery } from '../order-cache.ts'
import { OrderPanel } from '../panel/OrderPanel.tsx'
import { useStops } from '../use-stops.ts'
import { useUndoQueue } from '../use-undo-queue.ts'
import { BulkBar, RefusedOrders } from './BulkBar.tsx'
import { useOrderColumns } from './columns.tsx'
import { DayChips } from './DayChips.tsx'
import { DeskFilters } from './DeskFilters.tsx'
import { deskStateOf, filtersOf, isFiltered, listQueryOf, noFilters, PAGE_SIZE, tableSortOf } from './desk-search.ts'
import { LiveHint, useArrivals } from './LiveHint.tsx'
import { OrderCard } from './OrderCard.tsx'
import { SavedViews } from './SavedViews.tsx'
import { type Bulk, mayMove, useBulk } from './use-bulk.ts'
import { type Desk, dayAfter, driversOf, opensOnDay, useDesk, useDeskRights } from './use-desk.ts'
import { isSelectable, useSelection } from './use-selection.ts'

function OrdersPage() {
  const { t } = useLanguage()
  const desk = useDesk()
  const { state, setState, list } = desk
  const rights = useDeskRights()
  const [assigned, setAssigned] = useState<AdminOrder | null>(null)
  const arrivals = useArrivals(desk)
  const undoQueue = useUndoQueue()
  const bulk = useBulk(undoQueue)
  const { rows, marked, selected, select, whole } = useSelection(desk, undoQueue)
  // Closed orders alone would need a call for each past day.
  const { byOrder: stops } = useStops(rows?.filter(({ status }) => !isClosed(status)))
  const { initials } = useDrivers(driversOf(state, rights.seesDrivers))
  const all = useOrderColumns({ state, ...rights, onAssign: setAssigned, stops, initials })
  const columns = useColumns('orders', all)
  const openOrder = ({ id }: AdminOrder) => {
    void undoQueue.settle()
    setState({ open: id, page: state.page }, { replace: state.open !== undefined })
  }
  const setEntered = useOpenFound(desk, openOrder)
  const { data } = list
  return (
    <AdminPageLayout
      title={t('desk.title')}
      subtitle={
        <>
          <span className="no-print">
            <SavedViews state={state} setState={setState} />
          </span>
          {data && <PrintedHead data={data} />}
        </>
      }
      actions={
        <>
          <SearchFilter
            label={t('desk.search')}
            className="desk:w-72"
            value={state.q}
            onChange={(q) => setState({ q }, { replace: true })}
            onEnter={(text) => setEntered({ text })}
          />
          {rights.mayPlace && (
            <Link to={'/admin/sales/place-order' as '/admin'} className={buttonClass('gulf', 'small', 'max-md:flex-1')}>
              <PlusIcon size={18} aria-hidden="true" />
              {t('desk.new')}
            </Link>
          )}
        </>
      }
      head={
        <>
          {rights.isAdmin && <DayChips {...desk} />}
          <StatusTabs {...desk} />
          <DeskFilters {...desk} columns={columns} />
          <RefusedOrders bulk={bulk} undoQueue={undoQueue} open={state.open} />
        </>
      }
      panel={
        state.open && (
          <OrderPanel
            id={state.open}
            undoQueue={undoQueue}
            onClose={() => setState({ open: undefined, page: state.page })}
          />
        )
      }
    >
      <DataTable
        label={t('desk.title')}
        columns={columns.shown}
        rows={rows}
        rowKey={({ id }) => id}
        rowLabel={({ id, customerName }) => t('desk.rowName', { id: shortId(id), customer: customerName })}
        sort={tableSortOf(state)}
        isCompact
        onSort={(sort) => setState({ sort: sort as typeof state.sort })}
        openKey={state.open}
        onOpen={openOrder}
        {...(rights.mayAssign
          ? {
              selected,
              onSelect: select,
              maySelect: isSelectable,
              bulk: <BulkBar rows={marked} bulk={bulk} whole={whole} />,
            }
          : {})}
        isDim={({ status }) => status === 'delivered' || status === 'cancelled'}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={<NoOrders {...desk} />}
        renderCard={(order) => <OrderCard order={order} stop={stops.get(order.id)} initials={initials} />}
        cardLines={4}
        page={state.page}
        limit={PAGE_SIZE}
        total={data?.total}
        onPage={(page) => setState({ page })}
        notice={<LiveHint count={arrivals.count} onShow={() => void arrivals.show()} />}
        sum={data && <Foot data={data} />}
      />
      {assigned && <RowDriverDialog order={assigned} bulk={bulk} onClose={() => setAssigned(null)} />}
    </AdminPageLayout>
  )
}

/** Enter in the search opens the only result; of several results the first row gets the focus. */
function useOpenFound({ state, list }: Desk, openOrder: (order: AdminOrder) => void) {
  const [entered, setEntered] = useState<{ text: string } | null>(null)
  const isAnswered = entered !== null && entered.text === state.q && !list.isPlaceholderData && !list.isFetching
  const latest = useRef(openOrder)
  useEffect(() => {
    latest.current = openOrder
  })
  const found = list.data?.items
  useEffect(() => {
    if (!isAnswered) return
    setEntered(null)
    const [first, second] = found ?? []
    if (first && !second) latest.current(first)
    else if (first) document.querySelector<HTMLElement>('[data-row]')?.focus()
  }, [isAnswered, found])
  return setEntered
}

/** On paper, where the filters are not shown: the day and the number of orders. */
function PrintedHead({ data: { day, total } }: { data: NonNullable<Desk['list']['data']> }) {
  const { t, lang } = useLanguage()
  const parts = [...(day ? [formatDay(day, lang, 'long')] : []), t('desk.print.orders', { count: total })]
  return <span className="hidden print:inline">{parts.join(' · ')}</span>
}

function Foot({ data }: { data: NonNullable<Desk['list']['data']> }) {
  const { t, lang } = useLanguage()
  const parts = [
    data.sum === null
      ? t('desk.moreThan', { count: data.total })
      : t('desk.sum', { money: formatMoney(fromBhd(data.sum), lang) }),
    ...(data.sortedAmong === null ? [] : [t('desk.sortedAmong', { count: data.sortedAmong })]),
  ]
  return <bdi>{parts.join(' · ')}</bdi>
}

function StatusTabs({ state, counts }: Desk) {
  const { t } = useLanguage()
  const { isAdmin } = useDeskRights()
  const { data } = counts
  const [only, second] = state.status
  const chosen = only === undefined ? 'all' : second === undefined ? only : ''
  // If a search has too many results, statuses are not counted to the end.
  const isPartly = data !== undefined && state.q !== '' && data.all >= data.most
  const isShown = (status: OrderStatus) =>
    !data || isStep(data, status) || data.counts[status] > 0 || state.status.includes(status)
  const tab = (key: string, label: string, given: number | undefined, status: readonly OrderStatus[]) => {
    const count = isPartly && key !== 'all' ? undefined : given
    const isOpen = data !== undefined && count !== undefined && count >= data.most
    return {
      key,
      label: isOpen ? `${label} ${t('desk.andMore', { count })}` : label,
      count: counts.isPending ? ('waiting' as const) : isOpen ? undefined : count,
      search: { status: status.length > 0 ? status : undefined, day: dayAfter(state, { status }, isAdmin) },
    }
  }
  return (
    <Tabs
      label={t('desk.tabs')}
      chosen={chosen}
      items={[
        tab('all', t('desk.all'), data?.all, []),
        ...orderStatuses
          .filter((status) => isShown(status))
          .map((status) => tab(status, t(`admin.status.${status}`), data?.counts[status], [status])),
      ]}
    />
  )
}

function NoOrders({ state, setState }: Desk) {
  const { t } = useLanguage()
  const { isDriver, isSales } = useDeskRights()
  if (state.day && !isFiltered({ ...state, day: undefined })) {
    return (
      <EmptyState title={t('desk.emptyDay')} text={t('desk.emptyDayHint')}>
        <Button onClick={() => setState({ day: 'all' })}>{t('desk.chip.all')}</Button>
      </EmptyState>
    )
  }
  if (isFiltered(state)) {
    return (
      <EmptyState title={t('desk.emptyFiltered')} text={t('desk.emptyFilteredHint')}>
        {state.q !== '' && isFiltered({ ...state, q: '' }) ? (
          <Button onClick={() => setState({ ...noFilters, q: state.q })}>
            {t('desk.searchAll', { text: state.q })}
          </Button>
        ) : (
          <Button onClick={() => setState(noFilters)}>{t('desk.clearFilters')}</Button>
        )}
      </EmptyState>
    )
  }
  if (isDriver) return <EmptyState title={t('desk.emptyDriver')} text={t('desk.emptyDriverHint')} />
  return (
    <EmptyState
      title={t(isSales ? 'desk.emptySales' : 'desk.empty')}
      text={isSales ? undefined : t('desk.emptyHint')}
    />
  )
}

interface RowDriverDialogProps {
  order: AdminOrder
  bulk: Bulk
  onClose(): void
}

/** Assigns a driver from the row; can be undone like a bulk action. */
function RowDriverDialog({ order, bulk, onClose }: RowDriverDialogProps) {
  return (
    <DriverDialog
      orders={[order]}
      current={order.assignedDriverId}
      removable={order.assignedDriverId !== null}
      startable={mayMove(order, 'shipped')}
      onClose={onClose}
      onChoose={(driver, isStarting) => {
        onClose()
        bulk.assign([order], driver, isStarting)
      }}
    />
  )
}

export const page: Page = {
  Component: OrdersPage,
  showsWaiting: true,
  load({ queries, search }) {
    const state = deskStateOf(search, opensOnDay(queries.getQueryData(read(getMe).queryKey)?.role))
    // The page shows the load error with a retry.
    const wanted = [
      queries.prefetchQuery(read(listOrders, { query: listQueryOf(state) })),
      queries.prefetchQuery(read(countOrders, { query: filtersOf(state) })),
      ...(state.open
        ? [queries.prefetchQuery(orderQuery(state.open)), queries.prefetchQuery(timelineQuery(state.open))]
        : []),
    ]
    return Promise.all(wanted)
  },
  head: ({ t }) => ({ title: t('desk.title'), hidden: true }),
}
