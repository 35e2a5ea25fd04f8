import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a start waits for a predecessor that is just draining. */
const patienceMs = 1500

/** Somebody else works in this data folder. The message is one line for the operator. */
export class DataFolderInUse extends Error {
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
 * Holds a folder for this process alone until `release` or the end of the process, however it ends. Node has no file
 * locks of its own; an exclusive SQLite transaction is one: the kernel keeps it (between containers that share the
 * folder too) and drops it with the process, so that a kill leaves nothing stale behind.
 */
export function lockFolder(folder: string): { release: () => void } {
  const pidFile = join(folder, 'lock.pid')
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
