import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, main, node, root, run } from './bootstrap.mjs'
import { serverEnv, serverFlags } from './serving.mjs'

const endsWithParent = { QATRA_ENDS_WITH_PARENT: 'true' }
const env = { ...serverEnv, ...process.env }

await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const args = [...serverFlags, join(root, 'build/server/main.js')]
  // Where this already is Node 24 (from the second start on) the server takes this process over; the first start's
  // Node 20 cannot be replaced and stays as a thin parent.
  if (process.execve && process.platform === 'linux') {
    process.chdir(root)
    const isUnderNpm = process.env.npm_lifecycle_event === 'start'
    process.execve(node, [node, ...args], isUnderNpm ? { ...env, ...endsWithParent } : env)
  }
  return await run(node, args, { env: { ...env, ...endsWithParent } })
})
