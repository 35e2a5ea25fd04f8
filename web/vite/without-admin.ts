import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** Fails the shop's build if it contains a module of the admin area. */
export function withoutAdmin(): Plugin {
  let root = ''
  return {
    name: 'qatra:without-admin',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_, bundle) {
      const modules = Object.values(bundle)
        .flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
        // Relative paths: the working copy may be in a folder named `admin`.
        .map((id) => relative(root, id))
      const stray = modules.find((id) => /(?:^|\/)admin\/|routes\.admin|entry-admin|messages\/admin/.test(id))
      if (stray) this.error(`The shop would carry a piece of the admin area: ${stray}`)
    },
  }
}
