declare module 'virtual:message-groups' {
  type Group = { messages: import('@lingui/core').Messages }
  /** The group of the first load. */
  export const first: 'shop' | 'admin'
  /** Compiled ICU tokens by key, in a chunk for each group and language: `shop.ar`. */
  export const groups: Record<string, (() => Promise<Group>) | undefined>
}
declare module 'virtual:assets' {
  interface Chunk {
    file: string
    css?: string[]
    imports?: string[]
    dynamicImports?: string[]
  }
  export const manifest: Record<string, Chunk | undefined>
  /** The admin area's, built apart from the shop. */
  export const adminManifest: Record<string, Chunk | undefined>
}
