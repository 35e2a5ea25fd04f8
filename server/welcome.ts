import type { Config } from './config/config.ts'
import { MissingTimeouts } from './database/db.ts'
import { UnknownSchema } from './database/migrate.ts'

interface SignIn {
  phone: string
  role: string
  vendorId: number | null
}

/** Start message for the console: the shop's URL and who may sign in. */
export function welcome({ role, host, port, publicUrl, simulator }: Config, signIns: readonly SignIn[] = []): string[] {
  if (role === 'worker') return ['', `  Qatra · قطرة   worker, health at http://${host}:${port}/readyz`, '']
  const lines = ['', `  Qatra · قطرة   ${publicUrl}`]
  if (simulator) lines.push(`  Test phone     ${publicUrl}/simulator   codes and messages arrive there, and here`)
  if (signIns.length > 0) lines.push('', '  Demo sign-ins')
  for (const { phone, role, vendorId } of signIns)
    lines.push(`    ${phone}   ${role}${vendorId === null ? '' : `, vendor ${vendorId}`}`)
  return [...lines, '']
}

/** A one-line explanation of a known start failure; null where only a stack trace helps. */
export function explainFailure(error: unknown, { host, port, databaseUrl, dataDir }: Config): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken by another program. Choose another: PORT=3001`
  if (code === 'EACCES') return `This user may not listen on port ${port}. Choose one above 1023: PORT=3000`
  if (error instanceof Error && /No space left|disk is full/i.test(error.message))
    return `The disk is full: make room where ${dataDir} is, and start again. (${error.message})`
  if (error instanceof MissingTimeouts) return error.message
  if (error instanceof UnknownSchema)
    return `${error.message}, which cannot upgrade it. Nothing was changed. Start with an empty database: ${
      databaseUrl ? 'another DATABASE_URL' : `another DATA_DIR than ${dataDir}`
    }. To keep the data, run the version that made it.`
  if (code === 'EADDRNOTAVAIL') return `HOST ${host} is no address of this machine`
  if (databaseUrl && typeof code === 'string' && /^(E[A-Z]+|28\w{3}|3D000|08\w{3}|57P0\w)$/.test(code)) {
    // Does not print the URL: it contains the password.
    return `The database of DATABASE_URL does not let us in (${code}); is it running, and is the address right?`
  }
  return null
}
