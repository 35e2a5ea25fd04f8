import { getCart } from '@qatra/contract/cart/cart'
import type { Page } from '@qatra/contract/lib/page'
import { getOrder, listMyOrders, type Order } from '@qatra/contract/orders/orders'
import { getDeliveryArea, listAreas } from '@qatra/contract/places/areas'
import { getProduct, listProducts } from '@qatra/contract/products/products'
import { getSite } from '@qatra/contract/settings/site'
import { getMe, type User } from '@qatra/contract/users/auth'
import { listVendors } from '@qatra/contract/vendors/vendors'
import type { QueryClient } from '@tanstack/react-query'
import { type ReadKey, read } from '../../lib/api-client.ts'
import { currentUser } from '../../lib/current-user.ts'
import { dropCache, localStore } from '../../lib/site-data.ts'
import { receiptCacheName, savedPersonalKey } from '../session/personal-storage.ts'
import { SAVED_MAX_AGE_MS } from './limits.ts'

/** Answers that the shop's pages show without a network. Writes, sign-in and the admin area have none here. */
const publicPaths: readonly string[] = [listVendors, listProducts, getProduct, listAreas, getSite].map(
  ({ path }) => path,
)
const personalPaths: readonly string[] = [getMe, getCart, getDeliveryArea, listMyOrders, getOrder].map(
  ({ path }) => path,
)
const savedCatalogueKey = 'offline.catalogue'
/** The newest answers; older ones make room. */
const MAX_ENTRIES = 60

interface Entry {
  key: ReadKey
  data: unknown
  at: number
}
interface Saved {
  /** Entry script of the build that wrote it: another version may expect other data. */
  build: string
  at: number
  entries: readonly Entry[]
}

/** The entry script's address has a hash of everything that it loads. */
const buildId = () => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''

const idOf = ({ key }: Entry) => JSON.stringify(key)

/** The key, if it is one of `read`; the list of older orders has another form. */
function readKeyOf([path, input]: readonly unknown[], paths: readonly string[]): ReadKey | null {
  const isRead = typeof path === 'string' && paths.includes(path) && typeof input === 'object' && input !== null
  return isRead ? [path, input] : null
}

function loadedOf(queries: QueryClient, paths: readonly string[]): Entry[] {
  return queries
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.status === 'success' })
    .flatMap(({ queryKey, state: { data, dataUpdatedAt } }) => {
      const key = readKeyOf(queryKey, paths)
      return key ? [{ key, data, at: dataUpdatedAt }] : []
    })
}

function readSaved(key: string, now: number): readonly Entry[] {
  const saved = localStore.readJson(key) as Saved | null // written by `write` alone
  if (!saved) return []
  if (saved.build === buildId() && Math.abs(now - saved.at) < SAVED_MAX_AGE_MS) return saved.entries
  localStore.removeItem(key)
  return []
}

function write(key: string, entries: readonly Entry[], now: number) {
  localStore.setItem(key, JSON.stringify({ build: buildId(), at: now, entries } satisfies Saved))
}

/** Whose data may be saved: a visitor's cart, and a customer's orders. Staff and impersonators leave nothing behind. */
function mayBeSaved(queries: QueryClient): boolean {
  const user = queries.getQueryData(currentUser().queryKey)
  return !user || (user.role === 'customer' && user.impersonatedBy === null)
}

/** Saves what the page has loaded, with what earlier pages have saved. */
export function save(queries: QueryClient, now = Date.now()) {
  const merge = (key: string, loaded: readonly Entry[]) => {
    const ids = new Set(loaded.map(idOf))
    const older = readSaved(key, now).filter((entry) => !ids.has(idOf(entry)))
    write(key, [...loaded, ...older].sort((a, b) => b.at - a.at).slice(0, MAX_ENTRIES), now)
  }
  if (!mayBeSaved(queries) || isOfAnother(queries, now)) {
    localStore.removeItem(savedPersonalKey)
    void dropCache(receiptCacheName)
  }
  if (!mayBeSaved(queries)) return
  // Staff see products that are not published yet.
  merge(savedCatalogueKey, loadedOf(queries, publicPaths))
  merge(savedPersonalKey, loadedOf(queries, personalPaths))
}

/** The saved user, null for a visitor; undefined if nobody was saved. */
function userIn(entries: readonly Entry[]): User | null | undefined {
  const saved = entries.find(({ key: [path] }) => path === getMe.path)
  return saved?.data as User | null | undefined // the answer of `getMe`
}

function isOfAnother(queries: QueryClient, now: number): boolean {
  const saved = userIn(readSaved(savedPersonalKey, now))
  return saved !== undefined && saved?.id !== queries.getQueryData(currentUser().queryKey)?.id
}

/** Fills the cache with what was saved; returns when, or null if there is nothing. */
export function restore(queries: QueryClient, now = Date.now()): number | null {
  const entries = [savedCatalogueKey, savedPersonalKey].flatMap((key) => readSaved(key, now))
  // Fresh, so that no page tries to renew it at once.
  for (const { key, data } of entries) queries.setQueryData(key, data, { updatedAt: now })
  for (const order of ordersIn(entries)) {
    const { queryKey } = read(getOrder, { params: { id: order.id } })
    if (queries.getQueryData(queryKey) === undefined) queries.setQueryData(queryKey, order, { updatedAt: now })
  }
  // The cached page says that nobody is signed in; without saved data that is unknown.
  if (userIn(entries) === undefined) queries.removeQueries({ queryKey: currentUser().queryKey })
  return entries.length > 0 ? Math.max(...entries.map(({ at }) => at)) : null
}

/** The lists have whole orders. */
const ordersIn = (entries: readonly Entry[]): Order[] =>
  entries
    .filter(({ key: [path] }) => path === listMyOrders.path)
    .flatMap(({ data }) => (data as Page<Order>).items ?? [])
