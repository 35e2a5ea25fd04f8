import { type AdminProduct, exportProducts } from '@qatra/contract/products/admin'
import { Link, useNavigate } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { readSearch } from '../../lib/search-state.ts'
import { DownloadMenu } from '../../ui/admin/DownloadMenu.tsx'
import { UploadIcon } from '../../ui/admin/icons.ts'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { SearchFilter } from '../../ui/admin/list/FilterBar.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { useList } from '../../ui/admin/list/use-list.ts'
import { toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { ColumnMenu, useColumns } from '../../ui/admin/table/table-columns.tsx'
import { Money, Size } from '../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'
import { type AdminVendor, filterShape, filtersOf, listQuery, useAdminVendors, useMayWrite } from './api.ts'
import { useProductColumns } from './columns.tsx'

function ProductsPage() {
  const t = useT()
  const nameIn = useNameIn()
  const navigate = useNavigate()
  const isSuper = useUser()?.role === 'super_admin'
  const mayWrite = useMayWrite()
  const vendors = useAdminVendors()
  const list = useList(filterShape, listQuery)
  const { state: filters, setState: setFilters } = list
  const columns = useColumns('products', useProductColumns(vendors, isSuper))
  const isNarrowed = filters.text !== '' || filters.vendor !== undefined || filters.state !== undefined
  const open = ({ id }: AdminProduct) => void navigate({ to: '/admin/products/$id', params: { id: String(id) } })

  return (
    <ListPage
      list={list}
      title={t('adminProducts.title')}
      subtitle={list.data && t('adminProducts.count', { count: list.data.total })}
      actions={
        <>
          <SearchFilter
            label={t('adminProducts.search')}
            value={filters.text}
            onChange={(text) => setFilters({ text }, { replace: true })}
          />
          {mayWrite && (
            <Link to="/admin/products/new" className={buttonClass('gulf', 'small', 'max-md:flex-1')}>
              <PlusIcon size={18} aria-hidden="true" />
              {t('adminProducts.new')}
            </Link>
          )}
        </>
      }
      tools={
        <>
          <ColumnMenu {...columns} />
          <DownloadMenu path={exportProducts.path} query={filtersOf(filters)} className="max-md:hidden" />
          {mayWrite && (
            <Link to="/admin/products/upload" className={toolbarButtonClass()}>
              <UploadIcon size={16} aria-hidden="true" className="text-ink-3" />
              {t('adminProducts.upload')}
            </Link>
          )}
        </>
      }
      filters={
        <>
          {isSuper && (
            <ChoiceFilter
              label={t('admin.vendor')}
              {...list.choice('vendor')}
              options={vendors.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
            />
          )}
          <ChoiceFilter
            label={t('adminProducts.state')}
            {...list.choice('state')}
            options={[
              { value: 'active', label: t('adminProducts.active') },
              { value: 'inactive', label: t('adminProducts.inactive') },
            ]}
          />
        </>
      }
      label={t('adminProducts.title')}
      columns={columns.shown}
      rowKey={({ id }) => String(id)}
      rowLabel={(product) => nameIn(product)}
      onOpen={open}
      isDim={({ isActive }) => !isActive}
      empty={
        isNarrowed ? (
          <EmptyState title={t('adminProducts.noneFound')} text={t('adminProducts.noneFoundText')}>
            <Button onClick={() => setFilters({ text: '', vendor: undefined, state: undefined })}>
              {t('adminProducts.clearFilters')}
            </Button>
          </EmptyState>
        ) : (
          <EmptyState title={t('adminProducts.empty')} text={t('adminProducts.emptyText')} />
        )
      }
      renderCard={(product) => <Card product={product} vendors={isSuper ? vendors : []} />}
      sum={t('adminProducts.priceNote')}
    />
  )
}

function Card({ product, vendors }: { product: AdminProduct; vendors: readonly AdminVendor[] }) {
  const t = useT()
  const nameIn = useNameIn()
  const vendor = vendors.find(({ id }) => id === product.vendorId)
  return (
    <span className="flex items-center gap-3">
      <ProductThumb size={product.size} imageUrl={product.imageUrl} tint={vendor?.tint ?? null} px={48} />
      <span className="min-w-0 flex-1">
        <bdi className={`block truncate leading-[1.7] font-strong ${product.isActive ? '' : 'text-ink-2'}`}>
          {nameIn(product)}
        </bdi>
        <span className="block truncate leading-[1.7] text-ink-2">
          <Size size={product.size} /> · <Money bhd={product.price} />
          {vendor && (
            <>
              {' · '}
              <bdi>{nameIn(vendor)}</bdi>
            </>
          )}
        </span>
      </span>
      {!product.isActive && <span className="text-caption text-ink-3">{t('adminProducts.inactive')}</span>}
    </span>
  )
}

export const page: Page = {
  Component: ProductsPage,
  showsWaiting: true,
  load: ({ queries, search }) => queries.prefetchQuery(listQuery(readSearch(filterShape, search))),
  head: ({ t }) => ({ title: t('adminProducts.title'), hidden: true }),
}
