import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, main, node, root, run } from './bootstrap.mjs'

await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const args = ['--enable-source-maps', join(root, 'build/server/main.js')]
  // Where this already is Node 24 (from the second start on) the server takes this process over; the first start's
  // Node 20 cannot be replaced and stays as a thin parent.
  if (process.execve && process.platform === 'linux') {
    process.chdir(root)
    process.execve(node, [node, ...args], process.env)
  }
  return await run(node, args)
})
