import { readConfig } from '../../config/config.ts'
import { run } from '../../run.ts'
import { standInWeb } from './stand-in-web.ts'

// The whole process as `main.ts` runs it, with pages that need no build.
await run(readConfig(process.env), standInWeb())
process.exit()
