import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'

/** How PostgreSQL's programs are run: directly, in a user namespace, or as another user. */
export type Account = { prefix: string[]; uid?: number; gid?: number; name: string }

type PasswordEntry = { name: string; uid: number; gid: number }

/**
 * PostgreSQL refuses to run as root. As root it runs as the owner of an existing database folder; else in a user
 * namespace that maps root to nobody (needs no other user, works below a closed home); else as `postgres`.
 */
export function chooseAccount(dataFolder: string): Account {
  const uid = process.geteuid?.()
  if (uid === undefined) return { prefix: [], name: userInfo().username }
  const known = readPasswordFile()
  const owner = existsSync(dataFolder) ? statSync(dataFolder) : null

  if (owner && owner.uid !== uid) {
    const name = known.find((entry) => entry.uid === owner.uid)?.name ?? `user ${owner.uid}`
    if (uid !== 0) {
      throw new OperatorError(
        `The database folder ${dataFolder} belongs to ${name}. Start as ${name}, or give this user its own DATA_DIR.`,
      )
    }
    return { prefix: [], uid: owner.uid, gid: owner.gid, name }
  }

  // initdb looks its user up by number and fails if there is no entry.
  const isNamed = known.some((entry) => entry.uid === uid)
  if (uid !== 0 && isNamed) return { prefix: [], name: userInfo().username }
  const account = known.find((entry) => entry.name === 'nobody') ?? known.find((entry) => entry.uid !== 0)
  if (account && mayUseNamespace(account.uid)) {
    return { prefix: namespacePrefix(account.uid), name: uid === 0 ? 'root (in a user namespace)' : `user ${uid}` }
  }
  if (uid !== 0) return { prefix: [], name: `user ${uid}` }

  const postgres = known.find((entry) => entry.name === 'postgres')
  if (postgres) return { prefix: [], uid: postgres.uid, gid: postgres.gid, name: postgres.name }
  throw new OperatorError(
    'PostgreSQL does not run as root, user namespaces are refused here (unshare --user) and there is no user "postgres". ' +
      'Start as an ordinary user, create that user (useradd --system postgres), or set DATABASE_URL.',
  )
}

/** Lets the database's group traverse the data folder without listing it. */
export function grantTraversal({ gid }: Account, dataDir: string): void {
  const { mode, uid } = statSync(dataDir)
  if (gid === undefined || (mode & 0o077) !== 0) return
  chownSync(dataDir, uid, gid)
  chmodSync(dataDir, 0o710)
}

/** Another user must be able to traverse to the folder; throws with the first closed folder and the remedy. */
export function assertReachable(account: Account, folders: string[]): void {
  const { uid, gid } = account
  if (uid === undefined) return
  for (const folder of folders) {
    for (let step = folder; ; step = dirname(step)) {
      if (existsSync(step)) {
        const { mode, uid: ownerId, gid: groupId } = statSync(step)
        const bit = ownerId === uid ? 0o100 : groupId === gid ? 0o010 : 0o001
        if ((mode & bit) === 0) {
          throw new OperatorError(
            `PostgreSQL runs as ${account.name} here, and ${step} (mode ${(mode & 0o777).toString(8)}) is closed to it. ` +
              `Open it (chmod o+x ${step}), move DATA_DIR or the project out of it, start as an ordinary user, or set DATABASE_URL.`,
          )
        }
      }
      if (step === dirname(step)) break
    }
  }
}

export function mayUseNamespace(uid: number): boolean {
  if (process.platform !== 'linux') return false
  const [command = '', ...args] = namespacePrefix(uid)
  return spawnSync(command, [...args, 'true'], { stdio: 'ignore', timeout: 2000 }).status === 0
}

function namespacePrefix(uid: number): string[] {
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${uid}`]
}

function readPasswordFile(): PasswordEntry[] {
  if (!existsSync('/etc/passwd')) return []
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 7)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
