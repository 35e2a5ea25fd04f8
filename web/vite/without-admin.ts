import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** A customer never downloads the admin area: the shop's build fails where anything of it got in. */
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
        // The working copy itself may be in a folder of that name.
        .map((id) => relative(root, id))
      const stray = modules.find((id) => /(?:^|\/)admin\/|routes\.admin|entry-admin|messages\/admin/.test(id))
      if (stray) this.error(`The shop would carry a piece of the admin area: ${stray}`)
    },
  }
}
