// Runs on the machine's own Node 20 with nothing installed: no dependencies, nothing newer than Node 20 has.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Node 24, one of the optional dependencies of package.json: everything but this bootstrap runs on it. */
export const node = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)

/** The units in deploy/ start it by this name. */
const nodeLink = join(root, 'node_modules/.bin/node')
const buildFolder = join(root, 'build')
const installStamp = join(root, 'node_modules/.qatra-install')
const npmRecord = join(root, 'node_modules/.package-lock.json')
const buildStamp = join(buildFolder, '.qatra-build')
const neededBytes = 1_500_000_000

/** A failure whose message is meant for the person at the keyboard; no stack trace is shown. */
export class Refusal extends Error {}

export function say(line) {
  console.log(line)
}

/** Runs a script's main function and turns its failure into a plain message and an exit code. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    console.error(error instanceof Refusal ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}

export function assertPlatform() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Refusal(`Node ${process.versions.node} is too old to begin with: Qatra needs Node 20.19 or later.`)
  }
  if (!['linux', 'darwin'].includes(process.platform) || !['x64', 'arm64'].includes(process.arch)) {
    throw new Refusal(`Qatra runs on Linux and macOS (x64, arm64); this is ${process.platform}-${process.arch}.`)
  }
  if (process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime) {
    throw new Refusal('This Linux has no glibc (Alpine?). Use Debian, Ubuntu, Fedora or a -slim container image.')
  }
}

/**
 * Installs what package-lock.json names, unless exactly that is there already: what building and serving need, and with
 * `tools` (tests, checks, drills) the development dependencies too.
 */
export async function ensureInstalled({ tools = false } = {}) {
  assertPlatform()
  const whole = installFingerprint()
  const wanted = tools ? whole : `${whole} without tools`
  const isThere = () => existsSync(node) && (isStamped(installStamp, whole) || isStamped(installStamp, wanted))
  if (isThere()) return
  await withLock(async () => {
    if (isThere()) return
    if (!isInstalledByHand({ tools })) await install({ tools })
    const { status } = spawnSync(node, ['--version'], { stdio: 'ignore' })
    if (status !== 0) {
      throw new Refusal('Node 24 is missing or does not run here (`npm config get omit` must not say optional).')
    }
    runAllowedScripts()
    // npm 9, which Debian 13 has, makes none.
    rmSync(nodeLink, { force: true })
    symlinkSync(relative(dirname(nodeLink), node), nodeLink)
    writeFileSync(installStamp, wanted)
  })
}

/** Builds browser and server code, unless the last build was made of exactly these sources. */
export async function ensureBuilt({ isForced = false } = {}) {
  if (!isForced && isStamped(buildStamp, buildFingerprint())) return
  await withLock(async () => {
    const wanted = buildFingerprint()
    if (!isForced && isStamped(buildStamp, wanted)) return
    rmSync(buildStamp, { force: true })
    say('Building …')
    const code = await run(node, [join(root, 'scripts/bundle.mjs')])
    if (code !== 0) throw new Refusal('The build failed; the reason is printed above.')
    writeFileSync(buildStamp, wanted)
  })
}

/**
 * Runs a program with this terminal; signals reach it, its exit code (128 + signal) comes back.
 * `ownGroup`: an own process group, which gets each signal once (or `stopWith`); what is left in it at its end is killed.
 */
export function run(command, args, { ownGroup = false, stopWith, ...options } = {}) {
  return new Promise((done, fail) => {
    const grouped = ownGroup ? { detached: true, stdio: ['ignore', 'inherit', 'inherit'] } : {}
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...grouped, ...options })
    const forward = (signal) => child.kill(stopWith ?? signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    // If npm is killed without passing a signal on, stop the server too.
    const parent = process.ppid
    const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500)
    child.once('error', fail)
    child.once('exit', (code, signal) => {
      clearInterval(watch)
      for (const each of signals) process.off(each, forward)
      if (ownGroup) killGroup(child.pid)
      done(code ?? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0))
    })
  })
}

function killGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** The environment for tools: this project's programs and Node 24 first. */
export function toolEnvironment(extra = {}) {
  return { ...process.env, ...extra, PATH: [dirname(node), dirname(nodeLink), process.env.PATH].join(':') }
}

export function buildFingerprint() {
  const hash = createHash('sha256')
  const take = (file) => hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  for (const folder of ['contract', 'server', 'web', 'demo']) {
    for (const file of sourcesOf(join(root, folder))) take(file)
  }
  for (const file of ['package-lock.json', 'scripts/bundle.mjs', 'scripts/notices.mjs']) take(join(root, file))
  return hash.digest('hex')
}

function sourcesOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.\w+$|\.tsbuildinfo$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.split(sep).includes('node_modules'))
    .sort()
}

function installFingerprint() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const name of ['package-lock.json', 'package.json', '.npmrc']) hash.update(readFileSync(join(root, name)))
  return hash.digest('hex')
}

/** Whether npm was run here by hand: then npm's record in node_modules has every package of the lock file that is wanted. */
function isInstalledByHand({ tools }) {
  if (!existsSync(npmRecord) || !existsSync(node)) return false
  const present = readJson(npmRecord).packages
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/')) return true
    const isSpare = wanted.optional || wanted.devOptional || wanted.peer || (wanted.dev && !tools)
    return path in present ? present[path].version === wanted.version : isSpare
  })
}

async function install({ tools }) {
  assertDiskSpace()
  say(`Installing dependencies${tools ? ', with those of the tests' : ''} (once; about a minute) …`)
  // From the lock file alone, into a new node_modules. No package's script is run (.npmrc).
  const args = `ci --${tools ? 'include' : 'omit'}=dev --no-audit --no-fund --loglevel=error`.split(' ')
  // npm tells its scripts where it is; without it (`node scripts/start.mjs`) it is looked up.
  const npm = process.env.npm_execpath
  const [command, rest] = npm ? [process.execPath, [npm, ...args]] : ['npm', args]
  const child = spawn(command, rest, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
    process.stderr.write(chunk)
  })
  const code = await new Promise((done) => {
    child.once('error', (error) => {
      output += error.message
      done(1)
    })
    child.once('close', done)
  })
  if (code !== 0) throw new Refusal(explainInstallFailure(output))
}

/** The install scripts that package.json allows, of the packages that are there. npm would run all or none of them. */
function runAllowedScripts() {
  for (const [name, isAllowed] of Object.entries(readJson(join(root, 'package.json')).allowScripts)) {
    const folder = join(root, 'node_modules', name)
    if (!isAllowed || !existsSync(folder)) continue
    const { scripts } = readJson(join(folder, 'package.json'))
    const { status } = spawnSync(scripts.postinstall, { cwd: folder, shell: true, stdio: 'inherit' })
    if (status !== 0) throw new Refusal(`The install script of ${name} failed; the reason is printed above.`)
  }
}

export function explainInstallFailure(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full: dependencies and build need about 1.5 GB.'
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)) {
    return 'The npm registry cannot be reached. Check the network and `npm config get registry`, then start again.'
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return `This user may not write in ${root}. Start as the folder's owner.`
  if (/EINTEGRITY/.test(output)) return 'A package is not the one package-lock.json names (EINTEGRITY).'
  if (/spawn npm ENOENT/.test(output)) return 'npm is not installed (it comes with Node; on Debian: apt install npm).'
  return 'Installing the dependencies failed; the reason is printed above.'
}

function assertDiskSpace() {
  const { bavail, bsize } = statfsSync(root)
  if (bavail * bsize < neededBytes) {
    throw new Refusal(
      `Only ${Math.round((bavail * bsize) / 1e6)} MB are free at ${root}; dependencies and build need about 1.5 GB.`,
    )
  }
}

/** Two starts in one clone at once: the second waits for the first instead of installing over it. */
async function withLock(work) {
  mkdirSync(buildFolder, { recursive: true })
  const lock = join(buildFolder, '.lock')
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  let hasSaidSo = false
  try {
    while (!tryLink(mine, lock)) {
      const holder = readNumber(lock)
      if (holder !== null && !isAlive(holder)) {
        removeStale(lock, holder)
        continue
      }
      if (!hasSaidSo) say(`Waiting for another start here (process ${holder ?? 'unknown'}) to install and build …`)
      hasSaidSo = true
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    const drop = () => rmSync(lock, { force: true })
    process.once('exit', drop)
    try {
      return await work()
    } finally {
      process.off('exit', drop)
      drop()
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Moved aside first: of two that find the same dead holder, only one moves its file; a living one's is put back. */
function removeStale(lock, holder) {
  const aside = `${lock}.stale.${process.pid}`
  try {
    renameSync(lock, aside)
    if (readNumber(aside) !== holder) tryLink(aside, lock)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  rmSync(aside, { force: true })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readNumber(file) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || null
  } catch {
    return null
  }
}

const isStamped = (file, fingerprint) => existsSync(file) && readFileSync(file, 'utf8') === fingerprint
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
