import { fold, withoutArticle } from '@qatra/contract/lib/text'
import type { AnswerKey } from '@qatra/contract/whatsapp/bot'
import type { Catalogue } from '../../catalogue/queries.ts'
import { landmarks } from '../../geocoding/landmarks.ts'
import { areaNames, namesInContext, sharedWords } from './area-names.ts'
import { type ClosedList, closedList } from './fuzzy.ts'
import { plainWords, skeletonOf } from './normalize.ts'

/** A further name by staff. */
export interface Alias {
  text: string
  means: Named
}

/** What `understand` reads of the shop. */
export type Shop = Pick<Catalogue, 'vendors' | 'products' | 'areas' | 'blocks'> & { aliases?: readonly Alias[] }

/** What a name means. Several areas share a word such as `Riffa`. */
export type Named =
  | { type: 'vendor'; id: number }
  | { type: 'product'; id: number }
  | { type: 'area'; ids: readonly number[]; needsContext: boolean }
  | { type: 'landmark'; index: number }
  /** In the format of `sizeKey`. */
  | { type: 'size'; size: string }
  | { type: 'topic'; topic: AnswerKey }

export interface Names {
  /** By folded words without articles, separated by single spaces. */
  byName: ReadonlyMap<string, Named>
  /** By the consonants of all words. */
  bySkeleton: ReadonlyMap<string, Named>
  closed: ClosedList
  mostWords: number
}

interface Cached {
  names: Names
  areas: Shop['areas']
  aliases: Shop['aliases']
}

const cache = new WeakMap<Shop['vendors'], Cached>()

/** Names of one snapshot of the catalogue; built once for it. */
export function namesOf(shop: Shop): Names {
  const { vendors, areas, aliases } = shop
  const known = cache.get(vendors)
  if (known && known.areas === areas && known.aliases === aliases) return known.names
  const names = build(shop)
  cache.set(vendors, { names, areas, aliases })
  return names
}

/** Words without articles: `Al-Dair` and `الدير` are `dair` and `دير`. */
export const bareWords = (text: string): string[] =>
  plainWords(fold(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => !articles.has(word))
    .map(withoutArticle)

export const articles = new Set(['al', 'el', 'il', 'the', 'ال', 'ad', 'as', 'az', 'ar', 'an'])

/** Keys of names by text; names of a new snapshot are mostly those of the last one. */
const keys = new Map<string, string>()
const MOST_KEYS = 10_000

export function keyOf(text: string): string {
  const known = keys.get(text)
  if (known !== undefined) return known
  if (keys.size > MOST_KEYS) keys.clear()
  const words = bareWords(text).join(' ')
  // A single letter names nothing: a brand `AAA` would be found in `a carton`.
  const key = words.length > 1 ? words : ''
  keys.set(text, key)
  return key
}

/** Names that are also read with other vowels and with typing mistakes. */
const isOfOrders = ({ type }: Named) => type !== 'landmark' && type !== 'topic'

/** Codes of areas are free text: `constructor` has no spellings. */
const spellingsOf = (code: string) => (Object.hasOwn(areaNames, code) ? (areaNames[code]?.split(',') ?? []) : [])

/** Brands and products that are switched off are not understood, by no name. */
function isOffered(means: Named, { vendors, products }: Shop): boolean {
  if (means.type === 'vendor') return vendors.get(means.id)?.isActive ?? false
  return means.type !== 'product' || (products.get(means.id)?.isActive ?? false)
}

function build(shop: Shop): Names {
  const all = new Map<string, Named>()
  const put = (text: string, named: Named) => {
    const key = keyOf(text)
    if (key !== '' && !all.has(key)) all.set(key, named)
  }
  for (const vendor of shop.vendors.values()) {
    if (!vendor.isActive) continue
    for (const name of [vendor.name, vendor.nameAr]) if (name) put(name, { type: 'vendor', id: vendor.id })
  }
  const shared = new Map<string, number[]>()
  for (const area of shop.areas.values()) {
    const spellings = [area.name, area.nameAr ?? '', ...spellingsOf(area.areaId)]
    for (const name of spellings) {
      const key = keyOf(name)
      if (key !== '') put(name, { type: 'area', ids: [area.id], needsContext: namesInContext.has(key) })
    }
    for (const word of new Set([area.name, area.nameAr ?? ''].flatMap((name) => keyOf(name).split(' '))))
      if (sharedWords.has(word)) shared.set(word, [...(shared.get(word) ?? []), area.id])
  }
  for (const [word, ids] of shared) put(word, { type: 'area', ids, needsContext: false })
  for (const [index, { name, nameAr }] of landmarks.entries())
    for (const text of [name, nameAr]) put(text, { type: 'landmark', index })
  for (const { text, means } of shop.aliases ?? []) if (isOffered(means, shop)) put(text, means)
  const bySkeleton = new Map<string, Named>()
  for (const [key, named] of all) {
    const skeleton = key.split(' ').map(skeletonOf).join('')
    for (const one of [skeleton, skeleton.replaceAll('3', '')])
      if (one.length >= (named.type === 'vendor' ? 2 : 3) && !bySkeleton.has(one) && isOfOrders(named))
        bySkeleton.set(one, named)
  }
  const single = [...all].filter(([, named]) => isOfOrders(named)).map(([key]) => key)
  return {
    byName: all,
    bySkeleton,
    closed: closedList(single),
    mostWords: Math.max(1, ...[...all.keys()].map((key) => key.split(' ').length)),
  }
}
