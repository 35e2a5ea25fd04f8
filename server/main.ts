import { type Config, readConfig } from './config/config.ts'
import { valueOf } from './config/values.ts'
import { explainFailure } from './lib/operator-error.ts'

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    const failure = explainFailure(error, { databaseUrl: null, dataDir: valueOf(process.env, 'DATA_DIR') })
    if (!failure) throw error
    process.stderr.write(`${failure.message}\n`)
    process.exit(failure.exitCode)
  }
}

const config = configOrExit()
// Reports configuration errors before the other modules are loaded.
const { run } = await import('./run.ts')
await run(config)
process.exit()
