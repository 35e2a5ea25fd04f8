import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { assets, sourceAssets } from './vite/assets.ts'
import { lightContract } from './vite/contract.ts'
import { messages } from './vite/messages.ts'

const root = import.meta.dirname
const clientFolder = resolve(root, '../build/web')
const serverFolder = resolve(root, '../build/web-server')

/** `vite build` makes build/web; `vite build --ssr`, run after it, makes build/web-server/entry-server.js. */
export default defineConfig(({ command, isSsrBuild }) => ({
  root,
  plugins: [
    tailwindcss(),
    react(),
    lightContract(resolve(root, '../contract'), root),
    messages(resolve(root, '../contract/messages')),
    command === 'build' ? assets(clientFolder) : sourceAssets(root),
  ],
  publicDir: isSsrBuild ? false : 'public',
  ssr: command === 'build' ? { noExternal: true } : {},
  optimizeDeps: { entries: ['app/entry-client.tsx'] },
  build: {
    target: 'es2022',
    outDir: isSsrBuild ? serverFolder : clientFolder,
    emptyOutDir: true,
    manifest: !isSsrBuild,
    // Data addresses would need holes in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ssrEmitAssets: false,
    rolldownOptions: {
      input: resolve(root, isSsrBuild ? 'app/entry-server.tsx' : 'app/entry-client.tsx'),
      output: isSsrBuild
        ? { entryFileNames: '[name].js' }
        : {
            // Few files: each costs its round trip, and larger ones compress better. What every page runs on, which
            // changes less often than the pages; what stands around every page; what pages share; what forms check by.
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                {
                  name: 'base',
                  test: /node_modules\/(react|react-dom|scheduler|@tanstack|@lingui|use-sync-external-store)\//,
                  priority: 3,
                },
                { name: 'shapes', test: /\?shapes$|node_modules\/zod\//, priority: 3 },
                { name: 'shell', tags: ['$initial'], priority: 2 },
                {
                  name: 'shared',
                  test: /web\/(ui|products|cart|vendors)\/|contract\/calendar|lucide-react/,
                  minShareCount: 2,
                },
              ],
            },
          },
    },
  },
}))
