import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { assets, manifests, sourceAssets } from './vite/assets.ts'
import { lightContract } from './vite/contract.ts'
import { floor } from './vite/floor.ts'
import { allowedInAdmin, allowedInShop } from './vite/floor-allowed.ts'
import { viewportHeights } from './vite/floor-css.ts'
import { floors, targetOf } from './vite/floor-data.ts'
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
  const oldest = isAdmin ? floor(floors.admin, allowedInAdmin) : floor(floors.shop, allowedInShop)
  return {
    root,
    plugins: [
      tailwindcss(),
      react(),
      lightContract(resolve(root, '../contract'), root, { withAdmin: !isShop, isSplit: !isAdmin }),
      messages(resolve(root, '../contract/messages'), { first: isAdmin ? 'admin' : 'shop', withAdmin: !isShop }),
      ...(isShop ? [withoutAdmin()] : []),
      command === 'build' ? assets(clientFolder) : sourceAssets(root),
      ...(isShop || isAdmin ? [viewportHeights(), oldest] : []),
    ],
    // The shim is for React 17.
    resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
    publicDir: isSsrBuild || isAdmin ? false : 'public',
    ssr: command === 'build' ? { noExternal: true } : {},
    // Otherwise the server would load React's development build too.
    define: isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify('production') } : {},
    optimizeDeps: { entries: ['app/entry-client.tsx', 'app/entry-admin.tsx'] },
    build: {
      target: isSsrBuild ? 'es2022' : targetOf(isAdmin ? floors.admin : floors.shop),
      outDir: isSsrBuild ? serverFolder : clientFolder,
      emptyOutDir: !isAdmin,
      manifest: isSsrBuild ? false : isAdmin ? manifests.admin : manifests.shop,
      // The Content-Security-Policy does not allow data URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      ssrEmitAssets: false,
      rolldownOptions: {
        input: resolve(
          root,
          isSsrBuild ? 'app/entry-server.tsx' : isAdmin ? 'app/entry-admin.tsx' : 'app/entry-client.tsx',
        ),
        output: isSsrBuild
          ? { entryFileNames: '[name].js' }
          : {
              // Few chunks, since larger ones compress better: libraries of every page, which
              // change less often than the pages; the page frame; shared modules; form validation.
              codeSplitting: {
                // Admin chunks include their dependencies (tables, charts, maps), which are evaluated first.
                includeDependenciesRecursively: isAdmin,
                groups: [
                  {
                    name: 'base',
                    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!react-table|table-core)[\w-]+|@lingui\/[\w-]+|use-sync-external-store)\//,
                    priority: 3,
                  },
                  isAdmin
                    ? { name: 'contract', test: /\/contract\/[\w-]+\.ts$|node_modules\/zod\//, priority: 3 }
                    : { name: 'shapes', test: /\?shapes$|node_modules\/zod\//, priority: 3 },
                  { name: 'shell', tags: ['$initial'], priority: 2 },
                  {
                    name: 'shared',
                    test: isAdmin
                      ? /web\/(ui|products|cart|vendors)\/|contract\/calendar|lucide-react/
                      : /web\/(products|cart|vendors)\/|web\/ui\/(Chip|Wave)|contract\/calendar|lucide-react\/.*\/phone\.mjs/,
                    minShareCount: 2,
                    priority: 1,
                  },
                  // The catalogue uses no field, badge or icon of these, so the first visit does not load them.
                  { name: 'forms', test: /web\/(ui|lib)\/|lucide-react/, minShareCount: 2 },
                ],
              },
            },
      },
    },
  }
})
