import { sizeKey } from '@qatra/contract/products/sizes'
import { getSite } from '@qatra/contract/settings/site'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ComponentType, useEffect, useMemo, useState } from 'react'
import { deliveryAreaQuery, useDeliveryArea } from '../app/delivery-area.ts'
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
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SizeFilter, useCleanAddress, VendorPicker } from './Filters.tsx'
import { homeHead } from './head.ts'
import { ProductSearch } from './ProductSearch.tsx'
import { PromisePanel, TrustRow } from './Promise.tsx'
import { useFilterTracking } from './use-filter-tracking.ts'
import { VendorSection } from './VendorSection.tsx'

const route = getRouteApi('/')

function HomePage() {
  const t = useT()
  const { vendor: vendorParam, size, q } = route.useSearch()
  const user = useUser()
  const area = useDeliveryArea()
  const areaHome = useAreaHome(area !== null)
  const listed = useVendors()
  const vendors = area && areaHome ? areaHome.inOrder(listed, area) : listed
  const { data: all = [] } = useQuery(productsQuery())
  const find = useSearch(q)
  const isSearch = find !== null && q !== undefined
  const products = useMemo(
    () => (find !== null && q !== undefined ? find(q, all, listed) : all),
    [find, q, all, listed],
  )
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
  const filter = { vendor: chosen?.id, size }
  const sections = sectionsOf(vendors, products, filter)
  const offered = products.filter((product) => vendors.some(({ id }) => id === product.vendorId))
  const sizes = sizesOf(chosen ? offered.filter(({ vendorId }) => vendorId === chosen.id) : offered)
  const shown = sections.map(({ vendor }) => vendor)
  const isOneDay = new Set(shown.map(({ promisedDate }) => promisedDate)).size < 2
  return (
    <div className="wrap grid items-start gap-10 pt-4 pb-8 md:pt-6 lg:grid-cols-[minmax(0,1fr)_336px]">
      <main id="main" className="min-w-0">
        {isSearch ? (
          <h1 className="sr-only">{t('catalogue.search')}</h1>
        ) : (
          <>
            {area && areaHome ? (
              <areaHome.AreaPromise vendors={shown} area={area} />
            ) : (
              <>
                <PromisePanel vendors={shown} isShort={user !== null} />
                {!user && <TrustRow />}
              </>
            )}
            <ParkedOnPhone />
            {user && orders && <orders.HomeOpenOrder />}
          </>
        )}
        <ProductSearch typed={q} onBegin={beginSearch} />
        {isSearch ? (
          <p role="status" className="pt-3 text-label text-ink-3">
            {t('catalogue.found', { count: sections.reduce((sum, section) => sum + section.products.length, 0) })}
          </p>
        ) : (
          <>
            {user && orders && <orders.HomeOrderAgain />}
            {area && areaHome ? (
              <areaHome.VendorRows vendors={vendors} area={area} chosen={chosen?.id} />
            ) : (
              <VendorPicker vendors={vendors} chosen={chosen?.id} />
            )}
            <SizeFilter
              sizes={sizes}
              chosen={size}
              isChosen={(one) => size !== undefined && sizeKey(one) === sizeKey(size)}
            />
          </>
        )}
        {sections.map((section) => (
          <VendorSection
            key={section.vendor.id}
            section={section}
            isWhole={isSearch || chosen !== null || size !== undefined}
            showsDay={!isOneDay}
          />
        ))}
        {sections.length === 0 && (
          <NothingFound isSearch={isSearch} isFiltered={isSearch || size !== undefined || chosen !== null} />
        )}
      </main>
      <CartPanel />
    </div>
  )
}

/** Without a filter there is nothing to try instead: the shop is being set up. */
function NothingFound({ isSearch, isFiltered }: { isSearch: boolean; isFiltered: boolean }) {
  const t = useT()
  return (
    <div className="py-10">
      <EmptyState
        title={t(isSearch ? 'catalogue.notFound' : 'catalogue.none')}
        text={isFiltered && t(isSearch ? 'catalogue.notFoundHint' : 'catalogue.noneHint')}
      >
        {isFiltered && (
          <Link to="/" className={buttonClass('aqua')}>
            {t('catalogue.reset')}
          </Link>
        )}
      </EmptyState>
    </div>
  )
}

const importAreaHome = () =>
  import('./AreaHome.tsx').then(({ inOrder, AreaPromise, VendorRows }) => ({ inOrder, AreaPromise, VendorRows }))
type AreaHome = Awaited<ReturnType<typeof importAreaHome>>
let AreaHome: AreaHome | null = null

/** A first visit has no area, so this code is not part of its load. */
async function loadAreaHome(): Promise<AreaHome> {
  const [chunk] = await Promise.all([importAreaHome(), loadMessageGroups(['area'])])
  AreaHome = chunk
  return chunk
}

/** Null until an area is known and its code is there. */
function useAreaHome(isNeeded: boolean): AreaHome | null {
  const [loaded, setLoaded] = useState(AreaHome)
  useEffect(() => {
    if (isNeeded && !loaded)
      loadAreaHome().then(setLoaded, (error: unknown) => console.warn('The page keeps its general part', error))
  }, [isNeeded, loaded])
  return loaded
}

let orders: { HomeOpenOrder: ComponentType; HomeOrderAgain: ComponentType } | null = null

/** Orders are for signed-in users only, so their code is not part of the first load. */
async function loadOrders(queries: QueryClient) {
  if (!(await findUser(queries))) return
  const [{ HomeOpenOrder, HomeOrderAgain, loadHomeOrders }] = await Promise.all([
    import('../orders/home/HomeOrders.tsx'),
    loadMessageGroups(['orders', 'cart']),
  ])
  await loadHomeOrders(queries)
  orders = { HomeOpenOrder, HomeOrderAgain }
}

let search: typeof import('./product-search.ts') | null = null

async function loadSearch() {
  search = await import('./product-search.ts')
}

/** Loads the search while somebody begins to type; if that fails, `useSearch` tries again. */
const beginSearch = () => void loadSearch().catch(() => undefined)

/** Null without a search, and until its code is loaded. */
function useSearch(q: string | undefined) {
  const [loaded, setLoaded] = useState(search)
  useEffect(() => {
    if (q === undefined || loaded) return
    loadSearch().then(
      () => setLoaded(search),
      () => undefined,
    )
  }, [q, loaded])
  return q === undefined ? null : (loaded?.findProducts ?? null)
}

export const page: Page = {
  Component: HomePage,
  load: ({ queries, search: { q } }) =>
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
    ]),
  head: homeHead,
}
