import { sameSlot, slotOf } from '@qatra/contract/calendar/slot'
import { sizeKey } from '@qatra/contract/products/sizes'
import { getSite } from '@qatra/contract/settings/site'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { track } from '../analytics/events.ts'
import { deliversTo, deliveryAreaQuery, useDeliveryArea } from '../app/delivery-area.ts'
import type { Page } from '../app/page.ts'
import type { HomeSearch } from '../app/routes/search.ts'
import { CartPanel } from '../cart/CartPanel.tsx'
import { loadCart } from '../cart/filled-cart.ts'
import { ParkedOnPhone } from '../cart/ParkedOnPhone.tsx'
import { productsQuery, sectionsOf, sizesOf, useVendors, vendorsQuery } from '../catalogue/api.ts'
import { read } from '../lib/api-client.ts'
import { findUser, useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { loadMessageGroups } from '../lib/language/messages.ts'
import { useChunk } from '../lib/use-chunk.ts'
import { Filters, useCleanAddress } from './Filters.tsx'
import { homeHead } from './head.ts'
import { CommonPromise, TrustRow } from './Promise.tsx'
import { VendorSection } from './VendorSection.tsx'

const route = getRouteApi('/')

function HomePage() {
  const t = useT()
  const { vendor: vendorParam, size, sort, q } = route.useSearch()
  const user = useUser()
  const area = useDeliveryArea()
  const inArea = useChunk(loadAreaHome, { need: area, loaded: areaHome })
  const listed = useVendors()
  const vendors = area && inArea ? inArea.inOrder(listed, area) : listed
  const { data: all = [] } = useQuery(productsQuery())
  const finding = useChunk(loadSearch, { need: q !== undefined, loaded: search })
  const found = useMemo(() => (finding && q ? finding.findProducts(q, all, listed) : null), [finding, q, all, listed])
  const products = found?.products ?? all
  const navigate = useNavigate()
  const chosen = vendors.find(({ id }) => id === vendorParam) ?? null
  useCleanAddress(vendorParam !== undefined && !chosen, () => {
    void navigate({
      to: '/',
      search: (old: HomeSearch) => ({ ...old, vendor: undefined }),
      replace: true,
      resetScroll: false,
    })
  })
  useFilterTracking(chosen, size)
  const queries = useQueryClient()
  const ordered = user && orders ? orders.ownFirst(queries, vendors, area) : vendors
  const [isFiltering, setFiltering] = useState(false)
  const filtering = useChunk(loadFilterBox, { need: sort ?? isFiltering, loaded: filterBox })
  const unsorted = sectionsOf(ordered, products, { vendor: chosen?.id, size })
  const sections =
    sort && filtering ? filtering.sorted(unsorted, sort, (id) => !area || deliversTo(area, id)) : unsorted
  const nothing = useChunk(loadSearch, { need: sections.length === 0, loaded: search })
  const offered = products.filter((product) => vendors.some(({ id }) => id === product.vendorId))
  const sizes = sizesOf(chosen ? offered.filter(({ vendorId }) => vendorId === chosen.id) : offered)
  const shown = sections.map(({ vendor }) => vendor)
  const [first, ...others] = shown
  const isOneDay = others.every((one) => first && sameSlot(slotOf(one), slotOf(first)))
  const Line = user && orders ? orders.PromiseLine : null
  return (
    <div className="wrap grid items-start gap-10 pb-8 md:pt-3 lg:grid-cols-[minmax(0,1fr)_336px]">
      <main id="main" className="min-w-0">
        {finding && q !== undefined && <finding.ProductSearch typed={q} />}
        {found ? (
          <h1 className="sr-only">{t('shell.search')}</h1>
        ) : (
          <>
            {area && inArea ? (
              <inArea.AreaPromise vendors={shown} area={area} Line={Line} />
            ) : (
              <CommonPromise vendors={shown} Line={Line} />
            )}
            <ParkedOnPhone />
            {user && orders && (
              <div className="grid grid-cols-1 gap-x-5 md:grid-cols-2 md:items-start">
                <orders.HomeOpenOrder />
                <orders.HomeOrderAgain />
              </div>
            )}
          </>
        )}
        {!found && (
          <Filters
            vendors={vendors}
            chosen={chosen?.id}
            sizes={sizes}
            size={size}
            isSize={(one) => size !== undefined && sizeKey(one) === sizeKey(size)}
            sort={sort}
            Box={filtering?.FilterBox}
            isOpen={isFiltering}
            setOpen={setFiltering}
          />
        )}
        {found && finding && (
          <finding.SearchResult found={found} sections={sections} sizes={sizesOf(all)} vendors={vendors} />
        )}
        {sections.map((section, index) => (
          <Fragment key={section.vendor.id}>
            <VendorSection
              section={section}
              isWhole={found !== null || chosen !== null || size !== undefined}
              isSorted={sort === 'litre'}
              showsDay={!isOneDay}
              className={index > 0 ? 'mt-7' : found ? 'mt-3' : ''}
            />
            {index === 0 && !found && (
              <>
                <TrustRow className="mt-5 flex justify-between text-ink-2 md:hidden" />
                {area && inArea && !chosen && <inArea.VendorRows vendors={vendors} area={area} />}
              </>
            )}
          </Fragment>
        ))}
        {sections.length === 0 && !found && nothing && (
          <nothing.NothingFound isFiltered={size !== undefined || chosen !== null} />
        )}
      </main>
      <CartPanel />
    </div>
  )
}

const importAreaHome = () => import('./AreaHome.tsx')
let areaHome: Awaited<ReturnType<typeof importAreaHome>> | null = null

/** A first visit has no area, so this code is not part of its load. */
async function loadAreaHome() {
  const [chunk] = await Promise.all([importAreaHome(), loadMessageGroups(['area'])])
  areaHome = chunk
  return chunk
}

const importOrders = () =>
  Promise.all([import('../orders/home/HomeOrders.tsx'), loadMessageGroups(['orders', 'cart'])]).then(([chunk]) => chunk)
let orders: Awaited<ReturnType<typeof importOrders>> | null = null

/** Orders are for signed-in users only, so their code is not part of the first load. */
async function loadOrders(queries: QueryClient) {
  if (!(await findUser(queries))) return
  const chunk = await importOrders()
  await chunk.loadHomeOrders(queries)
  orders = chunk
}

const importSearch = () =>
  Promise.all([
    import('./product-search.ts'),
    import('./ProductSearch.tsx'),
    import('./SearchResult.tsx'),
    loadMessageGroups(['search']),
  ]).then(([finding, field, result]) => ({ ...finding, ...field, ...result }))
let search: Awaited<ReturnType<typeof importSearch>> | null = null

async function loadSearch() {
  search = await importSearch()
  return search
}

const importFilterBox = () =>
  Promise.all([import('./FilterBox.tsx'), loadMessageGroups(['search'])]).then(([chunk]) => chunk)
let filterBox: Awaited<ReturnType<typeof importFilterBox>> | null = null

async function loadFilterBox() {
  filterBox = await importFilterBox()
  return filterBox
}

/** Reports the vendor and size filters to analytics. */
function useFilterTracking(vendor: { id: number; name: string } | null, size: string | undefined) {
  const { id, name } = vendor ?? {}
  useEffect(() => {
    if (id !== undefined && name !== undefined) track('vendor_selected', { vendorId: id, name })
  }, [id, name])
  useEffect(() => {
    if (size !== undefined) track('filter_applied', { filter: 'size', value: size })
  }, [size])
}

export const page: Page = {
  Component: HomePage,
  load: ({ queries, search: { q, sort } }) =>
    Promise.all([
      queries.ensureQueryData(deliveryAreaQuery()).then(
        ({ area }) => area && loadAreaHome(),
        () => null,
      ),
      queries.ensureQueryData(vendorsQuery()),
      queries.ensureQueryData(productsQuery()),
      loadCart(queries),
      queries.ensureQueryData(read(getSite)),
      loadOrders(queries),
      q === undefined ? null : loadSearch(),
      sort ? loadFilterBox() : null,
    ]),
  head: homeHead,
}
