import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** `virtual:assets`: the manifest of the finished browser build, built into the server's bundle. */
export function assets(clientFolder: string): Plugin {
  const id = 'virtual:assets'
  const file = resolve(clientFolder, '.vite/manifest.json')
  return {
    name: 'qatra:assets',
    resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
    load(asked) {
      if (asked !== `\0${id}`) return
      if (!existsSync(file)) this.error(`${file} is missing: build the browser bundle before the server's`)
      return `export const manifest = ${readFileSync(file, 'utf8')}`
    },
  }
}
