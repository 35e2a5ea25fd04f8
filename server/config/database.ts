import type { SettingName } from './settings.ts'
import { type Env, given, type Refuse, readChoice, valueOf } from './values.ts'

export interface DatabaseConfig {
  /** Null starts the embedded server under `dataDir`. */
  databaseUrl: string | null
  /** Without a pooler, for connections that need a session of their own. Null: `databaseUrl`. */
  databaseDirectUrl: string | null
  /** A streaming replica for customers' reads while the primary is away. */
  databaseReadUrl: string | null
  /** Connections for requests and the work of jobs, and as many to the replica. */
  databasePoolSize: number
  /** False behind a pooler that lends a connection for one transaction and does not keep named statements. */
  preparedStatements: boolean
}

function readDatabaseUrl(env: Env, name: SettingName, refuse: Refuse): string | null {
  const url = given(env, name)
  if (url && !/^postgres(ql)?:\/\//.test(url)) refuse(`${name} must begin with postgres://`)
  else if (url && !URL.canParse(url)) refuse(`${name} is not an address`)
  return url
}

export function readDatabase(env: Env, refuse: Refuse): DatabaseConfig {
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL', refuse)
  const databaseDirectUrl = readDatabaseUrl(env, 'DATABASE_DIRECT_URL', refuse)
  const databaseReadUrl = readDatabaseUrl(env, 'DATABASE_READ_URL', refuse)
  if (databaseDirectUrl && !databaseUrl) refuse('DATABASE_DIRECT_URL needs DATABASE_URL')
  if (databaseReadUrl && !databaseUrl) refuse('DATABASE_READ_URL needs DATABASE_URL')
  const databasePoolSize = Number(valueOf(env, 'DATABASE_POOL_SIZE'))
  if (!(Number.isInteger(databasePoolSize) && databasePoolSize >= 2 && databasePoolSize <= 100))
    refuse('DATABASE_POOL_SIZE is a number from 2 to 100')
  const preparedStatements = readChoice(env, 'DATABASE_PREPARED_STATEMENTS', refuse) === 'on'
  return { databaseUrl, databaseDirectUrl, databaseReadUrl, databasePoolSize, preparedStatements }
}
