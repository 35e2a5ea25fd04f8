/** Exit codes of sysexits.h. After 78 another start changes nothing; deploy/qatra.service starts again after 75. */
export const exitCodes = { config: 78, later: 75 }

/** A failure that the operator can mend; the message is one sentence that says how. */
export class OperatorError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode = exitCodes.config) {
    super(message)
    this.exitCode = exitCode
  }
}

interface Place {
  host?: string
  port?: number
  databaseUrl: string | null
  dataDir: string
}

/** SQLSTATEs of a database that DATABASE_URL leads to, and what to do. None repeats the address: it has the password. */
const ofDatabase = {
  '3D000': 'The server of DATABASE_URL has no database of that name; create it, or correct the name.',
  '28000': 'The database refuses the user of DATABASE_URL; correct the name, or allow it in pg_hba.conf.',
  '28P01': 'The database refuses the password of DATABASE_URL; correct it.',
  '42501': 'The role of DATABASE_URL may not create tables there; make it the owner of the database.',
  '42P07': 'The database of DATABASE_URL has tables of another program; name an empty one. Nothing was changed.',
  '42710': 'The database of DATABASE_URL has types of another program; name an empty one. Nothing was changed.',
}
const ofPort = {
  EADDRINUSE: ({ host, port }: Place) =>
    `Port ${port} of ${host} is taken by another program; stop that one, or choose another: PORT=3001`,
  EACCES: ({ port }: Place) => `This user may not listen on port ${port}; choose one above 1023: PORT=3000`,
  EADDRNOTAVAIL: ({ host }: Place) => `HOST ${host} is no address of this machine; 0.0.0.0 is every one of them`,
}
const ofFiles = {
  EACCES: 'cannot be read and written by this user; chown it, or set another DATA_DIR',
  EPERM: 'belongs to another user; chown it, or set another DATA_DIR',
  EROFS: 'is read-only here; remount its disk (systemd: add it to ReadWritePaths), or set another DATA_DIR',
  ENOTDIR: 'is below a file; set another DATA_DIR',
  EEXIST: 'is no folder; set another DATA_DIR',
}
const unreachable =
  /^(E(CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|PIPE|NOENT)|08\w{3}|57P0\w|53300)$/

/** Drizzle wraps the database's error in `cause`. */
function codeOf(error: Error): string {
  if ('code' in error) return String(error.code)
  return error.cause instanceof Error ? codeOf(error.cause) : ''
}

/** What to do about a failure at the start of a program; null where only the stack helps. */
export function explainFailure(error: unknown, place: Place): OperatorError | null {
  if (!(error instanceof Error)) return null
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || /No space left|disk is full/i.test(error.message))
    return new OperatorError(`The disk is full; make room where ${place.dataDir} is.`, exitCodes.later)
  if (error instanceof OperatorError) return error
  if ('syscall' in error && error.syscall === 'listen') {
    const words = code in ofPort && ofPort[code as keyof typeof ofPort] // a key of it
    return words ? new OperatorError(words(place)) : null
  }
  if ('path' in error && code in ofFiles)
    return new OperatorError(`${String(error.path)} ${ofFiles[code as keyof typeof ofFiles]}.`)
  if (!place.databaseUrl) return null
  if (code in ofDatabase) return new OperatorError(ofDatabase[code as keyof typeof ofDatabase])
  if (code === '25006')
    return new OperatorError('The database of DATABASE_URL is a standby; name the primary.', exitCodes.later)
  if (code === '55P03')
    return new OperatorError('Another process has locked the tables (a migration?); start again.', exitCodes.later)
  if (unreachable.test(code) || /timeout expired|Connection terminated|trying to connect/.test(error.message))
    return new OperatorError(
      `The database of DATABASE_URL is not reached (${code || 'no answer'}); is it running, and are host and port right?`,
      exitCodes.later,
    )
  return error.message === 'The server does not support SSL connections' || /CERT|SSL|TLS/.test(code)
    ? new OperatorError(`The TLS of DATABASE_URL does not fit its server (${code || error.message}); correct sslmode.`)
    : null
}
