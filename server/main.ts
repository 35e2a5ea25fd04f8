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
// A wrong configuration is told at once, before the rest is even read.
const { run } = await import('./run.ts')
await run(config)
process.exit()
