import type { Lang } from '@qatra/contract/lib/lang'

/** The page that is served for all pages of the shop without a network. */
export const OFFLINE_PAGE = '/offline'

/** Message of a page: the files that it has loaded, and its language. */
export interface KeepOffline {
  files: readonly string[]
  lang: Lang
}
/** Message of a page: the waiting version takes over. */
export const SKIP_WAITING = 'skip-waiting'

const pages =
  /^\/(?:$|(?:products|orders|checkout)(?:\/|$)|(?:profile|login|invitations|about|faqs|privacy|terms|offline)$)/

/** Pages that the worker answers offline: never the admin area, sign-in links, the simulator or files. */
export const isShopPage = (path: string) => pages.test(path)

/** Public pictures, named by the hash of their content. */
export const isPicture = (path: string) => /^\/media\/[\da-f]{64}$/.test(path)
