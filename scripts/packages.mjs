import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './bootstrap.mjs'

/** Where a Chromium may be. The headless shell comes first: it needs less processor time than the whole browser. */
export const chromiumPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

export function isProgram(name) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
}

/** Installs Debian packages if apt-get exists and the user is root. Returns whether that succeeded. */
export function installPackages(packages) {
  if (process.platform !== 'linux' || process.geteuid() !== 0) return false
  if (spawnSync('apt-get', ['--version']).status !== 0) return false
  say(`Installing ${packages.join(', ')} …`)
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], options)
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options).status === 0
}
