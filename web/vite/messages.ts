import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/** Message groups of the shop's first load: page frame, catalogue, units and sums. One chunk, `shop`. */
export const firstLoad = ['shell', 'catalogue', 'unit', 'totals']
/** Message groups of the admin area's first load. One chunk, `admin`. */
export const adminFirstLoad = ['shell', 'unit', 'totals', 'admin', 'admin-notifications']
/** Message groups that only the server uses. */
export const serverOnly =
  'auth bot bulk campaign-file canned-file customer-file media news order-file people-file places receipt reorder telegram test-order transcript'.split(
    ' ',
  )

const list = 'virtual:message-groups'
const wanted = /^virtual:messages\/([\w-]+)\.(ar|en)$/

interface Wanted {
  first?: 'shop' | 'admin'
  /** False leaves the messages of the admin area out of the shop's build. */
  withAdmin?: boolean
}

/**
 * `virtual:messages/shop.ar`: messages of one group and language, compiled from ICU text at build time, so that the
 * browser needs no parser. `virtual:message-groups` lists all groups, each as a chunk, and names that of the first load.
 */
export function messages(folder: string, { first = 'shop', withAdmin = true }: Wanted = {}): Plugin {
  const atOnce = first === 'shop' ? firstLoad : adminFirstLoad
  // In development one server serves both parts: each has its own first load.
  let isBoth = false
  const isWanted = (name: string) =>
    !serverOnly.includes(name) &&
    (isBoth ? name !== 'admin' : !atOnce.includes(name)) &&
    (withAdmin || !name.startsWith('admin'))
  const groups = () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.ar.json'))
    return [
      ...(isBoth ? ['shop', 'admin'] : [first]),
      ...files.map((name) => name.replace('.ar.json', '')).filter(isWanted),
    ]
  }
  const featuresOf = (group: string) => {
    if (isBoth && group === 'admin') return adminFirstLoad
    return group === first ? atOnce : [group]
  }
  const filesOf = (group: string, lang: string) =>
    featuresOf(group).map((feature) => resolve(folder, `${feature}.${lang}.json`))

  return {
    name: 'qatra:messages',
    configResolved({ command }) {
      isBoth = command === 'serve'
    },
    resolveId: (id) => (id === list || wanted.test(id) ? `\0${id}` : undefined),
    buildStart() {
      refuseTwice(folder, (problem) => this.error(problem))
    },
    load(id) {
      if (id === `\0${list}`) {
        const names = groups().flatMap((group) => [`${group}.ar`, `${group}.en`])
        return `export const first = '${first}'; export const groups = {${names.map((name) => `'${name}': () => import('virtual:messages/${name}')`)}}`
      }
      const [, group, lang] = wanted.exec(id.slice(1)) ?? []
      if (!id.startsWith('\0') || !group || !lang) return
      const compiled: Record<string, unknown> = {}
      for (const file of filesOf(group, lang)) {
        this.addWatchFile(file)
        for (const [key, text] of messagesIn(file)) {
          try {
            compiled[key] = compileMessage(text)
          } catch (cause) {
            this.error(`${file}: ${key} is no ICU message: ${String(cause)}`)
          }
        }
      }
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(compiled))})`
    },
  }
}

const messagesIn = (file: string) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)

/** Fails on a key in two files: its text would depend on the load order. */
function refuseTwice(folder: string, refuse: (problem: string) => void) {
  const fileOf = new Map<string, string>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ar.json'))) {
    for (const [key] of messagesIn(resolve(folder, file))) {
      if (fileOf.has(key)) refuse(`${file}: the key ${key} is already in ${fileOf.get(key)}`)
      fileOf.set(key, file)
    }
  }
}
