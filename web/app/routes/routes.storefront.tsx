import { getSite } from '@qatra/contract/settings/site'
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, notFound, Outlet, rootRouteId } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Analytics } from '../../analytics/Analytics.tsx'
import { ConsentButton } from '../../analytics/ConsentButton.tsx'
import { AreaLine } from '../../areas/AreaLine.tsx'
import { CartProvider } from '../../cart/CartProvider.tsx'
import { FloatingCart } from '../../cart/FloatingCart.tsx'
import { SwitchDialog } from '../../cart/SwitchDialog.tsx'
import { Invited, loadInvitations } from '../../invitations/Invited.tsx'
import { read } from '../../lib/api-client.ts'
import { findUser } from '../../lib/current-user.ts'
import { Footer } from '../../pages/Footer.tsx'
import { NotFoundPage, page as notFoundPage } from '../../pages/NotFoundPage.tsx'
import { page as homePage } from '../../products/HomePage.tsx'
import { ProductPending } from '../../products/ProductPending.tsx'
import { deliveryAreaQuery } from '../delivery-area.ts'
import { Layout } from '../layout/Layout.tsx'
import { lazyPage, readyPage } from '../page.ts'
import { loadAccountParts } from '../session/account.ts'
import { Impersonated } from '../session/Impersonated.tsx'
import { homeSearch, langSearch, linkSearch, loginSearch, phoneSearch, telegramSearch } from './search.ts'

export { NotFoundPage }

/** Data of the frame around every page; the server preloads it for the admin area too. */
export const loadFrame = (queries: QueryClient) =>
  Promise.all([findUser(queries), queries.ensureQueryData(read(getSite)), loadInvitations(queries)])

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: langSearch,
  // Without the area a page is complete, so its failure does not matter.
  loader: ({ context: { queries } }) =>
    Promise.all([
      loadFrame(queries),
      queries.prefetchQuery(deliveryAreaQuery()),
      // After a failure the header tries again.
      findUser(queries).then((user) => user && loadAccountParts().catch(() => undefined)),
    ]),
  component: Shell,
  notFoundComponent: NotFoundPage,
})
// Explicit return types: links inside these components are typed by the route tree that contains them.
function Shell(): ReactNode {
  return (
    <CartProvider>
      <Layout
        areaLine={<AreaLine />}
        banner={
          <>
            <Impersonated />
            <Invited />
          </>
        }
        footer={
          <Footer>
            <ConsentButton className="flex min-h-tap w-fit items-center text-ink-2 hover:text-ink hover:underline" />
          </Footer>
        }
        consent={<Analytics />}
        floating={
          <>
            <FloatingCart />
            <SwitchDialog />
          </>
        }
      >
        <Outlet />
      </Layout>
    </CartProvider>
  )
}

const getParentRoute = () => root

// Separate constants: inside `addChildren` the routes would lose their types.
const home = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: homeSearch,
  ...readyPage(homePage),
})
const product = createRoute({
  getParentRoute,
  path: '/products/$id',
  pendingComponent: ProductPending,
  ...lazyPage('products/ProductPage.tsx', () => import('../../products/ProductPage.tsx'), ['product']),
})
const orders = createRoute({
  getParentRoute,
  path: '/orders',
  ...lazyPage('orders/OrdersPage.tsx', () => import('../../orders/OrdersPage.tsx'), ['orders', 'days', 'cart']),
})
const order = createRoute({
  getParentRoute,
  path: '/orders/$id',
  ...lazyPage('orders/OrderPage.tsx', () => import('../../orders/OrderPage.tsx'), [
    'order-edit',
    'orders',
    'days',
    'bottles',
    'cart',
    'checkout',
    'validation',
  ]),
})
const checkout = createRoute({
  getParentRoute,
  path: '/checkout',
  ...lazyPage('checkout/CheckoutPage.tsx', () => import('../../checkout/CheckoutPage.tsx'), [
    'area',
    'days',
    'bottles',
    'cart',
    'checkout',
    'validation',
  ]),
})
const success = createRoute({
  getParentRoute,
  path: '/checkout/success/$orderId',
  ...lazyPage('orders/SuccessPage.tsx', () => import('../../orders/SuccessPage.tsx'), [
    'checkout',
    'orders',
    'days',
    'bottles',
    'cart',
    'offline',
  ]),
})
const login = createRoute({
  getParentRoute,
  path: '/login',
  validateSearch: loginSearch,
  ...lazyPage('auth/LoginPage.tsx', () => import('../../auth/LoginPage.tsx'), ['login', 'validation']),
})
const magicLogin = createRoute({
  getParentRoute,
  path: '/magic-login/$token',
  validateSearch: linkSearch,
  ...lazyPage('auth/MagicLinkPage.tsx', () => import('../../auth/MagicLinkPage.tsx'), ['login']),
})
const magicLoginBare = createRoute({
  getParentRoute,
  path: '/magic-login',
  validateSearch: linkSearch,
  ...lazyPage('auth/MagicLinkPage.tsx', () => import('../../auth/MagicLinkPage.tsx'), ['login']),
})
const profile = createRoute({
  getParentRoute,
  path: '/profile',
  ...lazyPage('profile/ProfilePage.tsx', () => import('../../profile/ProfilePage.tsx'), [
    'bottles',
    'days',
    'profile',
    'checkout',
    'validation',
    'offline',
  ]),
})
const invitations = createRoute({
  getParentRoute,
  path: '/invitations',
  ...lazyPage('invitations/InvitationsPage.tsx', () => import('../../invitations/InvitationsPage.tsx'), [
    'invitations',
  ]),
})
const about = createRoute({
  getParentRoute,
  path: '/about',
  ...lazyPage('pages/AboutPage.tsx', () => import('../../pages/AboutPage.tsx'), ['pages']),
})
const faqs = createRoute({
  getParentRoute,
  path: '/faqs',
  ...lazyPage('pages/FaqsPage.tsx', () => import('../../pages/FaqsPage.tsx'), ['pages']),
})
const privacy = createRoute({
  getParentRoute,
  path: '/privacy',
  ...lazyPage('pages/PrivacyPage.tsx', () => import('../../pages/PrivacyPage.tsx'), ['pages']),
})
const terms = createRoute({
  getParentRoute,
  path: '/terms',
  ...lazyPage('pages/TermsPage.tsx', () => import('../../pages/TermsPage.tsx'), ['pages']),
})
/** The simulated phones: the only code of demo/ that pages load, and only where the simulator runs. */
function phonePage(...declared: Parameters<typeof lazyPage>) {
  const page = lazyPage(...declared)
  const loader: typeof page.loader = async (given) => {
    const site = await given.context.queries.ensureQueryData(read(getSite))
    if (!site.simulator) throw notFound({ routeId: rootRouteId })
    return page.loader(given)
  }
  return { ...page, loader }
}
const simulator = createRoute({
  getParentRoute,
  path: '/simulator',
  validateSearch: phoneSearch,
  ...phonePage('../demo/phones/SimulatorPage.tsx', () => import('../../../demo/phones/SimulatorPage.tsx'), [
    'simulator',
    'validation',
  ]),
})
const simulatorTelegram = createRoute({
  getParentRoute,
  path: '/simulator/telegram',
  validateSearch: telegramSearch,
  ...phonePage(
    '../demo/phones/telegram/TelegramPhonePage.tsx',
    () => import('../../../demo/phones/telegram/TelegramPhonePage.tsx'),
    ['simulator', 'validation'],
  ),
})
const offline = createRoute({
  getParentRoute,
  path: '/offline',
  ...lazyPage('app/offline/OfflinePage.tsx', () => import('../offline/OfflinePage.tsx'), ['offline']),
})
const unknown = createRoute({ getParentRoute, path: '$', ...readyPage(notFoundPage) })

export { root as shopRoot }
export const shopRoutes = [
  home,
  product,
  orders,
  order,
  checkout,
  success,
  login,
  magicLogin,
  magicLoginBare,
  profile,
  invitations,
  about,
  faqs,
  privacy,
  terms,
  simulator,
  simulatorTelegram,
  offline,
  unknown,
] as const
export const routeTree = root.addChildren(shopRoutes)
