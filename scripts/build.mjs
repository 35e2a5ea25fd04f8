import { ensureBuilt, ensureInstalled, main } from './bootstrap.mjs'

await main(async () => {
  await ensureInstalled()
  await ensureBuilt({ isForced: true })
})
