import { sameSlot, slotOf } from '@qatra/contract/calendar/slot'
import { sizeKey } from '@qatra/contract/products/sizes'
import { getSite } from '@qatra/contract/settings/site'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ComponentType, useEffect, useMemo } from 'react'
import { track } from '../analytics/events.ts'
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
import { useChunk } from '../lib/use-chunk.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SizeFilter, useCleanAddress, VendorPicker } from './Filters.tsx'
import { homeHead } from './head.ts'
import { ProductSearch } from './ProductSearch.tsx'
import { PromisePanel, TrustRow } from './Promise.tsx'
import { VendorSection } from './VendorSection.tsx'

const route = getRouteApi('/')

function HomePage() {
  const t = useT()
  const { vendor: vendorParam, size, q } = route.useSearch()
  const user = useUser()
  const area = useDeliveryArea()
  const inArea = useChunk(loadAreaHome, { need: area, loaded: areaHome })
  const listed = useVendors()
  const vendors = area && inArea ? inArea.inOrder(listed, area) : listed
  const { data: all = [] } = useQuery(productsQuery())
  const finding = useChunk(loadSearch, { need: q, loaded: search })
  const found = useMemo(
    () => (finding && q !== undefined ? finding.findProducts(q, all, listed) : null),
    [finding, q, all, listed],
  )
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
  const filter = { vendor: chosen?.id, size }
  const sections = sectionsOf(vendors, products, filter)
  const offered = products.filter((product) => vendors.some(({ id }) => id === product.vendorId))
  const sizes = sizesOf(chosen ? offered.filter(({ vendorId }) => vendorId === chosen.id) : offered)
  const shown = sections.map(({ vendor }) => vendor)
  const [first, ...others] = shown
  const isOneDay = others.every((one) => first && sameSlot(slotOf(one), slotOf(first)))
  return (
    <div className="wrap grid items-start gap-10 pt-4 pb-8 md:pt-6 lg:grid-cols-[minmax(0,1fr)_336px]">
      <main id="main" className="min-w-0">
        {found ? (
          <h1 className="sr-only">{t('catalogue.search')}</h1>
        ) : (
          <>
            {area && inArea ? (
              <inArea.AreaPromise vendors={shown} area={area} />
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
        {found && finding ? (
          <finding.SearchResult found={found} sections={sections} sizes={sizesOf(all)} vendors={vendors} />
        ) : (
          <>
            {user && orders && <orders.HomeOrderAgain />}
            {area && inArea ? (
              <inArea.VendorRows vendors={vendors} area={area} chosen={chosen?.id} />
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
            isWhole={found !== null || chosen !== null || size !== undefined}
            showsDay={!isOneDay}
          />
        ))}
        {sections.length === 0 && !found && <NothingFound isFiltered={size !== undefined || chosen !== null} />}
      </main>
      <CartPanel />
    </div>
  )
}

/** Without a filter there is nothing to try instead: the shop is being set up. */
function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  const t = useT()
  return (
    <div className="py-10">
      <EmptyState title={t('catalogue.none')} text={isFiltered && t('catalogue.noneHint')}>
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
let areaHome: Awaited<ReturnType<typeof importAreaHome>> | null = null

/** A first visit has no area, so this code is not part of its load. */
async function loadAreaHome() {
  const [chunk] = await Promise.all([importAreaHome(), loadMessageGroups(['area'])])
  areaHome = chunk
  return chunk
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

const importSearch = () =>
  Promise.all([import('./product-search.ts'), import('./SearchResult.tsx'), loadMessageGroups(['search'])]).then(
    ([{ findProducts }, { SearchResult }]) => ({ findProducts, SearchResult }),
  )
let search: Awaited<ReturnType<typeof importSearch>> | null = null

async function loadSearch() {
  search = await importSearch()
  return search
}

/** Loads the search while somebody begins to type; if that fails, the first letter tries again. */
const beginSearch = () => void loadSearch().catch(() => undefined)

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
