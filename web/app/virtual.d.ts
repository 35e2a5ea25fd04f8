declare module 'virtual:messages/shop.ar' {
  /** Compiled ICU tokens by key. */
  export const messages: import('@lingui/core').Messages
}
declare module 'virtual:messages/shop.en' {
  export const messages: import('@lingui/core').Messages
}
declare module 'virtual:assets' {
  interface Chunk {
    file: string
    css?: string[]
    imports?: string[]
    dynamicImports?: string[]
  }
  export const manifest: Record<string, Chunk | undefined>
}
