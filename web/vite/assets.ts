import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const id = 'virtual:assets'
const resolveId = (asked: string) => (asked === id ? `\0${id}` : undefined)

/** `virtual:assets`: the manifest of the finished browser build, built into the server's bundle. */
export function assets(clientFolder: string): Plugin {
  const file = resolve(clientFolder, '.vite/manifest.json')
  return {
    name: 'qatra:assets',
    resolveId,
    load(asked) {
      if (asked !== `\0${id}`) return
      if (!existsSync(file)) this.error(`${file} is missing: build the browser bundle before the server's`)
      return `export const manifest = ${readFileSync(file, 'utf8')}`
    },
  }
}

/** The same while developing: every file is itself, served by Vite. */
export function sourceAssets(root: string): Plugin {
  const files = (folder: string) => readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
  return {
    name: 'qatra:source-assets',
    resolveId,
    load(asked) {
      if (asked !== `\0${id}`) return
      const pages = files('.').filter((name) => name.endsWith('Page.tsx') && !name.includes('node_modules'))
      const fonts = files('app/fonts').map((name) => `app/fonts/${name}`)
      const words = files('../contract/messages').map((name) => `virtual:messages/${name.replace('.json', '')}`)
      const shop = ['ar', 'en'].map((lang) => `virtual:messages/shop.${lang}`)
      const manifest = Object.fromEntries([
        ['app/entry-client.tsx', { file: 'app/entry-client.tsx', css: ['app/styles/app.css'] }],
        ...[...pages, ...fonts].map((name) => [name, { file: name }]),
        ...[...words, ...shop].map((name) => [name, { file: `@id/__x00__${name}` }]),
      ])
      return `export const manifest = ${JSON.stringify(manifest)}`
    },
  }
}
