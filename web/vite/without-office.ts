import type { Plugin } from 'vite'

/** A customer never downloads the office: the shop's build fails where anything of it got in. */
export function withoutOffice(): Plugin {
  return {
    name: 'qatra:without-office',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
      const stray = modules.find((id) => /\/office\/|routes\.office|entry-office|messages\/office/.test(id))
      if (stray) this.error(`The shop would carry a piece of the office: ${stray}`)
    },
  }
}
