import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { listManagedVendors, type ManagedVendor } from '@qatra/contract/vendors/admin'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { oneOf, pageNumber, readSearch, type StateOf, textIn } from '../../lib/search-state.ts'
import { SearchFilter } from '../../ui/admin/list/FilterBar.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { type Column, ColumnMenu, useColumns } from '../../ui/admin/table/table-columns.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'

const shape = { search: textIn(100), state: oneOf(['on', 'off']), page: pageNumber }

const queryOf = ({ search, state, page }: StateOf<typeof shape>) =>
  read(listManagedVendors, {
    query: {
      page,
      limit: PAGE_SIZE,
      ...(search ? { search } : {}),
      ...(state ? { isActive: state === 'on' ? ('true' as const) : ('false' as const) } : {}),
    },
  })

function useVendorColumns(): Column<ManagedVendor>[] {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const amount = (bhd: number) => <bdi>{formatMoney(fromBhd(bhd), lang)}</bdi>
  return [
    {
      key: 'name',
      title: t('admin.vendors.vendor'),
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
      title: t('admin.vendors.fee'),
      align: 'end',
      width: 130,
      cell: ({ deliveryFee }) => amount(deliveryFee),
    },
    {
      key: 'minimum',
      title: t('admin.vendors.minimum'),
      align: 'end',
      width: 140,
      from: 'lg',
      cell: ({ minDeliveryAmount }) => amount(minDeliveryAmount),
    },
    { key: 'areas', title: t('admin.vendors.areas'), align: 'end', width: 90, cell: ({ areaIds }) => areaIds.length },
    {
      key: 'products',
      title: t('admin.vendors.products'),
      align: 'end',
      width: 100,
      from: 'lg',
      cell: ({ productCount }) => productCount,
    },
    {
      key: 'cutOff',
      title: t('admin.vendors.cutOff'),
      width: 110,
      from: 'xl',
      cell: ({ cutOff }) => <bdi>{cutOff ?? '—'}</bdi>,
    },
    {
      key: 'state',
      title: t('admin.vendors.state'),
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
      {t(isActive ? 'admin.vendors.on' : 'admin.vendors.off')}
    </span>
  )
}

function Component() {
  const t = useT()
  const nameIn = useNameIn()
  const navigate = useNavigate()
  const list = useList(shape, queryOf)
  const { state, setState, data } = list
  const columns = useColumns('vendors', useVendorColumns())
  const openKey = useRouterState({ select: ({ location }) => /\/admin\/vendors\/([^/]+)/.exec(location.pathname)?.[1] })
  return (
    <ListPage
      list={list}
      title={t('admin.nav.vendors')}
      subtitle={data ? t('admin.vendors.count', { count: data.total }) : undefined}
      actions={
        <Link to="/admin/vendors/new" search={true} className={buttonClass('gulf', 'small')}>
          <PlusIcon size={18} aria-hidden="true" />
          {t('admin.vendors.new')}
        </Link>
      }
      head={
        <Tabs
          label={t('admin.vendors.state')}
          chosen={state.state ?? 'all'}
          items={[
            { key: 'all', label: t('admin.vendors.all'), search: { state: undefined } },
            { key: 'on', label: t('admin.vendors.on'), search: { state: 'on' } },
            { key: 'off', label: t('admin.vendors.off'), search: { state: 'off' } },
          ]}
        />
      }
      filters={
        <SearchFilter
          label={t('admin.vendors.search')}
          value={state.search}
          onChange={(search) => setState({ search }, { replace: true })}
        />
      }
      tools={<ColumnMenu {...columns} />}
      panel={openKey ? <Outlet /> : null}
      label={t('admin.nav.vendors')}
      columns={columns.shown}
      rowKey={({ id }) => String(id)}
      rowLabel={nameIn}
      openKey={openKey}
      onOpen={({ id }) => void navigate({ to: '/admin/vendors/$id', params: { id: String(id) }, search: true })}
      isDim={({ isActive }) => !isActive}
      empty={<EmptyState title={t('admin.vendors.empty')} text={t('admin.vendors.empty.hint')} />}
      renderCard={(vendor) => <VendorCard vendor={vendor} />}
    />
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
          {t('admin.vendors.areaCount', { count: vendor.areaIds.length })}
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
  head: ({ t }) => ({ title: t('admin.nav.vendors'), hidden: true }),
}
