import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, main, node, root, run } from './bootstrap.mjs'

const endsWithParent = { QATRA_ENDS_WITH_PARENT: 'true' }
// glibc keeps memory apart for every thread that ever asked for some; two such places are enough for zlib's threads.
const env = { MALLOC_ARENA_MAX: '2', ...process.env }

await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // A young generation of 4 MB instead of 16 keeps the idle process at half its size.
  const args = ['--enable-source-maps', '--max-semi-space-size=4', join(root, 'build/server/main.js')]
  // Where this already is Node 24 (from the second start on) the server takes this process over; the first start's
  // Node 20 cannot be replaced and stays as a thin parent.
  if (process.execve && process.platform === 'linux') {
    process.chdir(root)
    const isUnderNpm = process.env.npm_lifecycle_event === 'start'
    process.execve(node, [node, ...args], isUnderNpm ? { ...env, ...endsWithParent } : env)
  }
  return await run(node, args, { env: { ...env, ...endsWithParent } })
})
