import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const id = 'virtual:assets'
const resolveId = (source: string) => (source === id ? `\0${id}` : undefined)

/** File lists that the two browser builds write. */
export const manifests = { shop: '.vite/manifest.json', admin: '.vite/manifest.admin.json' }

/** `virtual:assets`: the manifests of the finished browser builds, built into the server's bundle. */
export function assets(clientFolder: string): Plugin {
  return {
    name: 'qatra:assets',
    resolveId,
    load(source) {
      if (source !== `\0${id}`) return
      const textOf = (name: string) => {
        const file = resolve(clientFolder, name)
        if (!existsSync(file)) this.error(`${file} is missing: build the browser bundles before the server's`)
        return readFileSync(file, 'utf8')
      }
      return `export const manifest = ${textOf(manifests.shop)}; export const adminManifest = ${textOf(manifests.admin)}`
    },
  }
}

/** The same in development: Vite serves each source file. */
export function sourceAssets(root: string): Plugin {
  const files = (folder: string) => readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
  return {
    name: 'qatra:source-assets',
    resolveId,
    load(source) {
      if (source !== `\0${id}`) return
      const phones = files('../demo/phones').map((name) => `../demo/phones/${name}`)
      const sources = files('.').filter((name) => name.endsWith('.tsx') && !name.includes('node_modules'))
      const pages = sources.filter((name) => name.endsWith('Page.tsx') || name.includes('/admin/'))
      const fonts = files('app/fonts').map((name) => `app/fonts/${name}`)
      const words = files('../contract/messages').map((name) => `virtual:messages/${name.replace('.json', '')}`)
      const shop = ['ar', 'en'].map((lang) => `virtual:messages/shop.${lang}`)
      const manifest = Object.fromEntries([
        ['app/entry-client.tsx', { file: 'app/entry-client.tsx', css: ['app/styles/app.css'] }],
        ['app/entry-admin.tsx', { file: 'app/entry-admin.tsx', css: ['app/styles/admin.css'] }],
        ...[...pages, ...fonts].map((name) => [name, { file: name }]),
        ...phones.map((name) => [name, { file: `@fs${resolve(root, name)}` }]),
        ...[...words, ...shop].map((name) => [name, { file: `@id/__x00__${name}` }]),
      ])
      return `export const manifest = ${JSON.stringify(manifest)}; export const adminManifest = manifest`
    },
  }
}
