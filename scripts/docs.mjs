import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, root } from './bootstrap.mjs'

/** npm run docs: writes the generated pages of docs/. */
await main(async () => {
  const { describeSettings } = await import('../server/config/settings-page.ts')
  writeFileSync(join(root, 'docs/settings.md'), describeSettings())
  return 0
})
