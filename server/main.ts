import { type Config, ConfigError, readConfig } from './config/config.ts'

const EX_CONFIG = 78

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(EX_CONFIG)
  }
}

const config = configOrExit()
// Reports configuration errors before the other modules are loaded.
const { run } = await import('./run.ts')
await run(config)
process.exit()
