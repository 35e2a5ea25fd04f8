import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { createEntry, type Entry } from './response-cache.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
/** Already compressed formats. */
const packed = new Set(['.ico', '.jpg', '.png', '.webp', '.woff2'])

/** Such file names contain a hash of the contents. */
const FOREVER = 'public, max-age=31536000, immutable'
/** Revalidated by browsers and proxies every time. */
const REVALIDATE = 'no-cache'
const AN_HOUR = 'public, max-age=3600, stale-while-revalidate=86400'
/** The build has about forty files of one or two megabytes; anything much larger is a mistake. */
const MAX_BYTES = 32_000_000

export interface StaticFiles {
  find: (path: string) => Entry | null
  size: number
}

/** The browser build in memory, compressed once. Files are found by exact path only, so no URL leads out of the folder. */
export function readStaticFiles(folder: string, headers: Readonly<Record<string, string>>): StaticFiles {
  const files = new Map<string, Entry>()
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const contentType = types[extname(entry.name)]
    // Skips Vite's manifest, which is in a hidden folder.
    if (!entry.isFile() || !contentType || path.includes('/.')) continue
    bytes += statSync(file).size
    if (bytes > MAX_BYTES) throw new Error(`${folder} holds more than ${MAX_BYTES} bytes`)
    const cacheControl = path.startsWith('/assets/') ? FOREVER : path.endsWith('-worker.js') ? REVALIDATE : AN_HOUR
    const compress = !packed.has(extname(entry.name))
    const brotli = existsSync(`${file}.br`) ? { brotli: readFileSync(`${file}.br`) } : {}
    const answer = { body: readFileSync(file), contentType, cacheControl, headers, isFile: true, ...brotli }
    files.set(path, createEntry(answer, { compress }))
  }
  return { find: (path) => files.get(path) ?? null, size: files.size }
}
