import { spawn } from 'node:child_process'
import { ensureInstalled, main, node, root, toolEnvironment } from './bootstrap.mjs'

/** Serves the pages from their sources with hot reload, and restarts the server when its sources change. */
await main(async () => {
  await ensureInstalled()
  const port = Number(process.env.PORT ?? 3000)
  const behind = Number(process.env.DEV_SERVER_PORT ?? port + 1)
  const origin = process.env.PUBLIC_URL ?? `http://localhost:${port}`
  const env = toolEnvironment({ NODE_ENV: 'development', PUBLIC_URL: origin, DRAIN_SECONDS: '0' })
  const start = (args, more) => spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...env, ...more } })
  const children = [
    start(
      [
        '--watch',
        '--watch-preserve-output',
        '--watch-path=server',
        '--watch-path=contract',
        '--watch-path=demo',
        'server/main.ts',
      ],
      {
        PORT: String(behind),
        QATRA_PAGES: 'elsewhere',
      },
    ),
    start(['scripts/dev-pages.mjs'], { PORT: String(port), DEV_SERVER_PORT: String(behind) }),
  ]
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
