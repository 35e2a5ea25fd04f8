import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, main, node, root, run } from './bootstrap.mjs'

// npm run backup, restore, move: the command is the first argument.
await main(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const env = { INIT_CWD: process.cwd(), ...process.env }
  return await run(node, [join(root, 'build/server/backup.js'), ...process.argv.slice(2)], { env })
})
