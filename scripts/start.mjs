import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, main, node, root, run } from './bootstrap.mjs'

const endsWithParent = { QATRA_ENDS_WITH_PARENT: 'true' }
// glibc keeps memory apart for every thread that ever asked for some; two such places are enough for zlib's threads. And
// what a socket reads into (64 KB) goes back to the system when it is done with, not into a heap full of holes: 25 MB.
const env = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072', ...process.env }

await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // A small young generation, and a limit by which V8 collects sooner: half the memory at the same speed. Source maps
  // would cost 17 MB; the bundle keeps its names, so a stack can be read without them.
  const args = ['--max-semi-space-size=4', '--max-old-space-size=512', join(root, 'build/server/main.js')]
  // Where this already is Node 24 (from the second start on) the server takes this process over; the first start's
  // Node 20 cannot be replaced and stays as a thin parent.
  if (process.execve && process.platform === 'linux') {
    process.chdir(root)
    const isUnderNpm = process.env.npm_lifecycle_event === 'start'
    process.execve(node, [node, ...args], isUnderNpm ? { ...env, ...endsWithParent } : env)
  }
  return await run(node, args, { env: { ...env, ...endsWithParent } })
})
