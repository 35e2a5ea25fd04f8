import { accessSync, constants, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../lib/operator-error.ts'

/** How long a start waits for a previous process that is shutting down. */
const patienceMs = 1500

/** Another process uses this data folder. The message is one line for the operator. */
export class DataFolderInUse extends OperatorError {
  code = 'DATA_DIR_IN_USE' as const
  pid: number | null

  constructor(folder: string, pid: number | null) {
    const who = pid === null ? 'another process' : `process ${pid}`
    super(
      `The data folder ${folder} is in use by ${who}. Stop that one first, or start this one with its own DATA_DIR and PORT.`,
    )
    this.pid = pid
  }
}

/**
 * Locks a folder for this process until `release` or the end of the process. Node has no file locks; an exclusive
 * SQLite transaction is one: the kernel holds it (also between containers that share the folder) and releases it with
 * the process, so a kill leaves no stale lock.
 */
export function lockFolder(folder: string): { release: () => void } {
  const pidFile = join(folder, 'lock.pid')
  accessSync(folder, constants.W_OK | constants.X_OK)
  const holder = new DatabaseSync(join(folder, 'lock'), { timeout: patienceMs })
  try {
    holder.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    holder.close()
    if (isBusy(error)) throw new DataFolderInUse(folder, readPid(pidFile))
    throw error
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    release: () => {
      if (!holder.isOpen) return
      rmSync(pidFile, { force: true })
      holder.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}

function readPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return Number.isInteger(pid) ? pid : null
  } catch {
    return null
  }
}
