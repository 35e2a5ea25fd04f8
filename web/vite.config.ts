import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { assets, manifests, sourceAssets } from './vite/assets.ts'
import { lightContract } from './vite/contract.ts'
import { firstVisit, lightPreload } from './vite/first-visit.ts'
import { floor, viewportHeights } from './vite/floor.ts'
import { allowed, floors, targetOf } from './vite/floor-data.ts'
import { messages } from './vite/messages.ts'
import { withoutAdmin } from './vite/without-admin.ts'

const root = import.meta.dirname
const clientFolder = resolve(root, '../build/web')
const serverFolder = resolve(root, '../build/web-server')

/**
 * `vite build` makes build/web, `vite build --mode admin` adds the files of the admin area, and `vite build --ssr`, run
 * after both, makes build/web-server/entry-server.js. The separate builds keep code of the admin area out of the shop,
 * even if both import the same module.
 */
export default defineConfig(({ command, isSsrBuild, mode }) => {
  const isAdmin = mode === 'admin'
  const isShop = command === 'build' && !isAdmin && !isSsrBuild
  const oldest = isAdmin ? floor(floors.admin, allowed.admin) : floor(floors.shop, allowed.shop)
  return {
    root,
    plugins: [
      tailwindcss(),
      react(),
      lightContract(resolve(root, '../contract'), root, { withAdmin: !isShop, isSplit: !isAdmin }),
      messages(resolve(root, '../contract/messages'), { first: isAdmin ? 'admin' : 'shop', withAdmin: !isShop }),
      ...(isShop
        ? [
            withoutAdmin(),
            lightPreload(),
            firstVisit({
              page: 'products/HomePage.tsx',
              messages: ['virtual:messages/shop.ar', 'virtual:messages/shop.en'],
            }),
          ]
        : []),
      command === 'build' ? assets(clientFolder) : sourceAssets(root),
      ...(isShop || isAdmin ? [viewportHeights(), oldest] : []),
    ],
    resolve: {
      alias: [
        // The shim is for React 17.
        { find: 'use-sync-external-store/shim/with-selector', replacement: 'use-sync-external-store/with-selector' },
        { find: /^\.\.?\/createLucideIcon\.mjs$/, replacement: resolve(root, 'ui/create-icon.ts') },
      ],
    },
    publicDir: isSsrBuild || isAdmin ? false : 'public',
    ssr: command === 'build' ? { noExternal: true } : {},
    // Otherwise the server would load React's development build too.
    define: isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify('production') } : {},
    optimizeDeps: { entries: ['app/entry-client.tsx', 'app/entry-admin.tsx'] },
    build: {
      // Safari 15.4 as a target would replace every class field, with slower and larger code, because of the bug that `floor`
      // checks for. All browsers of the floors have the rest of ES2022 but static blocks, which `floor` checks for too.
      target: 'es2022',
      cssTarget: targetOf(isAdmin ? floors.admin : floors.shop),
      outDir: isSsrBuild ? serverFolder : clientFolder,
      // The two builds for browsers write to one folder at the same time; scripts/bundle.mjs empties it.
      emptyOutDir: isSsrBuild,
      manifest: isSsrBuild ? false : isAdmin ? manifests.admin : manifests.shop,
      // Read by scripts/notices.mjs.
      license: { fileName: isAdmin ? '.vite/licences.admin.json' : '.vite/licences.json' },
      // The Content-Security-Policy does not allow data URLs.
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files) => files.filter((file) => !/\/(base|rolldown-runtime)-/.test(file)),
      },
      reportCompressedSize: false,
      ssrEmitAssets: false,
      rolldownOptions: {
        treeshake: { propertyReadSideEffects: false },
        input: resolve(
          root,
          isSsrBuild ? 'app/entry-server.tsx' : isAdmin ? 'app/entry-admin.tsx' : 'app/entry-client.tsx',
        ),
        output: isSsrBuild
          ? { entryFileNames: '[name].js' }
          : {
              postBanner: ({ moduleIds }) =>
                moduleIds.some((id) => id.includes('/node_modules/')) ? '/*! Licences: /licences.txt */' : '',
              // Few chunks, since larger ones compress better: libraries of every page, which
              // change less often than the pages; the page frame; shared modules; form validation.
              codeSplitting: {
                // Admin chunks include their dependencies (tables, charts, maps), which are evaluated first.
                includeDependenciesRecursively: isAdmin,
                groups: [
                  {
                    name: 'base',
                    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!.*infiniteQueryObserver|.*useInfiniteQuery)[\w-]+|@lingui\/[\w-]+|use-sync-external-store)\//,
                    priority: 3,
                  },
                  isAdmin
                    ? {
                        name: 'contract',
                        test: /\/contract\/(?:(?:calendar|dashboard|lib|notifications|settings|vendors)\/)?[\w-]+\.ts$|node_modules\/zod\//,
                        priority: 3,
                      }
                    : { name: 'shapes', test: /\?shapes$|node_modules\/zod\//, priority: 3 },
                  { name: 'shell', tags: ['$initial'], priority: 2 },
                  // Loaded with the first item of a cart.
                  ...(isAdmin
                    ? []
                    : [
                        {
                          name: 'cart',
                          test: /web\/(cart\/(MiniCart|FullCart|CartLines|CartSums|LineBottles|priced-cart|CheckoutButton|ParkedCart|OutsideNotice|use-cart-actions)|ui\/Progress)\./,
                          priority: 1.5,
                        },
                      ]),
                  {
                    name: 'shared',
                    test: isAdmin
                      ? /web\/(ui|products|cart|vendors)\/|contract\/calendar|lucide-react/
                      : /web\/(products|cart|vendors)\//,
                    minShareCount: 2,
                    priority: 1,
                  },
                  // For the first product of another vendor, and for dialogs of some pages.
                  { name: 'dialog', test: /web\/(ui\/Dialog|cart\/SwitchQuestion)/, priority: 1 },
                  // The catalogue uses no field, badge or icon of these, so the first visit does not load them.
                  { name: 'forms', test: /web\/(ui\/|lib\/(?!event-source))|lucide-react/, minShareCount: 2 },
                ],
              },
            },
      },
    },
  }
})
