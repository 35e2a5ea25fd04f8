import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, main, node, root, say, toolEnvironment } from './bootstrap.mjs'

/** The server from its sources, started again at every change; the browser's files built again at every change. */
await main(async () => {
  await ensureInstalled()
  const env = toolEnvironment({ NODE_ENV: 'development' })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const web = { cwd: join(root, 'web'), env, stdio: 'inherit' }
  for (const args of [['build'], ['build', '--ssr']]) {
    const { status } = spawnSync(node, [vite, ...args, '--logLevel', 'warn'], web)
    if (status !== 0) return status
  }
  const children = [
    spawn(node, [vite, 'build', '--watch', '--logLevel', 'warn'], web),
    spawn(node, [vite, 'build', '--ssr', '--watch', '--logLevel', 'warn'], web),
    spawn(
      node,
      ['--watch', '--watch-path=server', '--watch-path=contract', '--watch-path=build/web-server', 'server/main.ts'],
      { cwd: root, env, stdio: 'inherit' },
    ),
  ]
  say('Watching contract/, server/ and web/; reload the page to see a change. Ctrl-C ends it.')
  const end = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  const codes = await Promise.all(
    children.map(
      (child) =>
        new Promise((done) =>
          child.once('exit', (code) => {
            end()
            done(code ?? 0)
          }),
        ),
    ),
  )
  return Math.max(...codes)
})
