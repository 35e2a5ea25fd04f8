import { fromBhd } from '@qatra/contract/money'
import { listManagedVendors, type ManagedVendor } from '@qatra/contract/vendors-office'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { read } from '../../app/call.ts'
import { useLang, useT } from '../../app/i18n.tsx'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { oneOf, pageNumber, readSearch, textIn, useSearchState } from '../../app/search-state.ts'
import { formatMoney } from '@qatra/contract/money'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { DataTable } from '../../ui/office/DataTable.tsx'
import { Desk } from '../../ui/office/Desk.tsx'
import { FilterBar, SearchFilter } from '../../ui/office/FilterBar.tsx'
import { Tabs } from '../../ui/office/Tabs.tsx'
import { ColumnMenu, type Column, useColumns } from '../../ui/office/table-columns.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'

const shape = { search: textIn(100), state: oneOf(['on', 'off']), page: pageNumber }
const LIMIT = 50

function queryOf({ search, state, page }: ReturnType<typeof readSearch<typeof shape>>) {
  return read(listManagedVendors, {
    query: {
      page,
      limit: LIMIT,
      ...(search ? { search } : {}),
      ...(state ? { isActive: state === 'on' ? ('true' as const) : ('false' as const) } : {}),
    },
  })
}

function useVendorColumns(): Column<ManagedVendor>[] {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const amount = (bhd: number) => <bdi>{formatMoney(fromBhd(bhd), lang)}</bdi>
  return [
    {
      key: 'name',
      title: t('office.vendors.vendor'),
      fixed: true,
      cell: (vendor) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <VendorEmblem {...vendor} name={nameIn(vendor)} size={30} />
          <span dir="auto" className="min-w-0 truncate font-strong leading-relaxed">
            {nameIn(vendor)}
          </span>
        </span>
      ),
    },
    {
      key: 'fee',
      title: t('office.vendors.fee'),
      align: 'end',
      width: 130,
      cell: ({ deliveryFee }) => amount(deliveryFee),
    },
    {
      key: 'minimum',
      title: t('office.vendors.minimum'),
      align: 'end',
      width: 140,
      from: 'lg',
      cell: ({ minDeliveryAmount }) => amount(minDeliveryAmount),
    },
    { key: 'areas', title: t('office.vendors.areas'), align: 'end', width: 90, cell: ({ areaIds }) => areaIds.length },
    {
      key: 'products',
      title: t('office.vendors.products'),
      align: 'end',
      width: 100,
      from: 'lg',
      cell: ({ productCount }) => productCount,
    },
    {
      key: 'cutOff',
      title: t('office.vendors.cutOff'),
      width: 110,
      from: 'xl',
      cell: ({ cutOff }) => <bdi>{cutOff ?? '—'}</bdi>,
    },
    {
      key: 'state',
      title: t('office.vendors.state'),
      width: 110,
      cell: ({ isActive }) => <StateMark isActive={isActive} />,
    },
  ]
}

export function StateMark({ isActive }: { isActive: boolean }) {
  const t = useT()
  return (
    <span
      className={
        isActive
          ? 'inline-flex rounded-full bg-gulf-soft px-2.5 text-caption leading-6 text-gulf'
          : 'inline-flex rounded-full px-2.5 text-caption leading-6 text-ink-3 inset-ring inset-ring-line'
      }
    >
      {t(isActive ? 'office.vendors.on' : 'office.vendors.off')}
    </span>
  )
}

function Component() {
  const t = useT()
  const nameIn = useNameIn()
  const navigate = useNavigate()
  const [filters, setFilters] = useSearchState(shape)
  const { data, error, isPending, refetch } = useQuery(queryOf(filters))
  const columns = useColumns('vendors', useVendorColumns())
  const openKey = useRouterState({ select: ({ location }) => /\/admin\/vendors\/([^/]+)/.exec(location.pathname)?.[1] })
  const state = filters.state ?? 'all'
  return (
    <Desk
      title={t('office.nav.vendors')}
      isWaiting={isPending}
      subtitle={data ? t('office.vendors.count', { count: data.total }) : undefined}
      actions={
        <Link to="/admin/vendors/new" search={(before: object) => before} className={buttonClass('gulf', 'small')}>
          <PlusIcon size={18} aria-hidden="true" />
          {t('office.vendors.new')}
        </Link>
      }
      head={
        <>
          <Tabs
            label={t('office.vendors.state')}
            chosen={state}
            items={[
              { key: 'all', label: t('office.vendors.all'), search: { state: undefined } },
              { key: 'on', label: t('office.vendors.on'), search: { state: 'on' } },
              { key: 'off', label: t('office.vendors.off'), search: { state: 'off' } },
            ]}
          />
          <FilterBar end={<ColumnMenu {...columns} />}>
            <SearchFilter
              label={t('office.vendors.search')}
              value={filters.search}
              onChange={(search) => setFilters({ search }, { replace: true })}
            />
          </FilterBar>
        </>
      }
      panel={openKey ? <Outlet /> : null}
    >
      <DataTable
        label={t('office.nav.vendors')}
        columns={columns.shown}
        rows={data?.items}
        rowKey={({ id }) => String(id)}
        rowLabel={nameIn}
        openKey={openKey}
        onOpen={({ id }) =>
          void navigate({ to: '/admin/vendors/$id', params: { id: String(id) }, search: (before: object) => before })
        }
        isDim={({ isActive }) => !isActive}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t('office.vendors.empty')} text={t('office.vendors.empty.hint')} />}
        renderCard={(vendor) => <VendorCard vendor={vendor} />}
        page={filters.page}
        limit={LIMIT}
        total={data?.total}
        onPage={(page) => setFilters({ page })}
      />
    </Desk>
  )
}

function VendorCard({ vendor }: { vendor: ManagedVendor }) {
  const t = useT()
  const lang = useLang()
  const name = useNameIn()(vendor)
  return (
    <span className="flex items-center gap-3">
      <VendorEmblem {...vendor} name={name} size={40} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-start font-strong leading-relaxed">
          {name}
        </span>
        <span className="block text-caption text-ink-3">
          <bdi>{formatMoney(fromBhd(vendor.deliveryFee), lang)}</bdi> ·{' '}
          {t('office.vendors.areaCount', { count: vendor.areaIds.length })}
        </span>
      </span>
      <StateMark isActive={vendor.isActive} />
    </span>
  )
}

export const page: Page = {
  Component,
  showsWaiting: true,
  load: ({ queries, search }) => queries.ensureQueryData(queryOf(readSearch(shape, search))),
  head: ({ t }) => ({ title: t('office.nav.vendors'), hidden: true }),
}
