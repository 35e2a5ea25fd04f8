import { pointInside } from '@qatra/contract/coverage'
import type { Coordinates } from '@qatra/contract/geo'
import { sizeKey } from '@qatra/contract/sizes'
import { fold } from '@qatra/contract/text'
import { areaAt } from '../areas/queries.ts'
import type { CatalogueArea } from '../areas/snapshot.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { placeOf, searchGazetteer } from '../geocoding/gazetteer.ts'
import type { GazetteerPlace } from '../geocoding/places.ts'
import type { CatalogueProduct } from '../products/snapshot.ts'
import type { CatalogueVendor } from '../vendors/snapshot.ts'
import { aroundPlaces, fillers, gallons, packs, pairsOfGallons, wordsIn } from './vocabulary.ts'

const article = /^(?:وال|بال|لل|ال)(?=\p{L}{3})/u
const bare = (word: string) => word.replace(article, '')
const wordsOf = (text: string) => wordsIn(fold(text)).map(bare)
const padded = (words: readonly string[]) => ` ${words.join(' ')} `

const holds = (sentence: readonly string[], name: string | null) => {
  const words = name === null ? [] : wordsOf(name)
  return words.length > 0 && padded(sentence.map(bare)).includes(padded(words))
}

/** The named active vendor; null if none or several are named. */
export function vendorIn(catalogue: Pick<Catalogue, 'vendors'>, words: readonly string[]): CatalogueVendor | null {
  const named = [...catalogue.vendors.values()].filter(
    (vendor) => vendor.isActive && (holds(words, vendor.name) || holds(words, vendor.nameAr)),
  )
  const [only] = named
  return named.length === 1 && only ? only : null
}

/** Words that all products share. */
const generic = new Set(
  'water waters drinking مياه مويه ماء مي ماي mai moya bottle with مع بنكهه عبوه بعبوه'.split(' '),
)

/** Product name without the vendor's name: `القلوية`, `low sodium`, `مياه`. */
export function shortName(name: string, vendorName: string): string {
  const words = name.replace(vendorName, ' ').trim().split(/\s+/)
  const [first = '', ...rest] = words
  return (rest.length > 0 && generic.has(fold(first)) ? rest : words).join(' ') || name
}

const gallonNames = ['gallon', 'غالون']

export const productsOf = (catalogue: Pick<Catalogue, 'products'>, vendorId: number): CatalogueProduct[] =>
  [...catalogue.products.values()].filter((product) => product.vendorId === vendorId && product.isActive)

/** Words that distinguish the product from the vendor's others, in both languages. */
function specialWords(product: CatalogueProduct, vendor: CatalogueVendor | undefined): string[][] {
  const names = new Set([vendor?.name, vendor?.nameAr].flatMap((name) => (name ? wordsOf(name) : [])))
  return [product.name, product.nameAr].flatMap((name) =>
    name ? [wordsOf(name).filter((word) => !names.has(word) && !generic.has(word) && word.length > 1)] : [],
  )
}

/** Best matches among the vendor's products, by distinguishing words and size. Empty if neither was given. */
export function productsIn(
  catalogue: Catalogue,
  vendorId: number,
  { words, size }: { words: readonly string[]; size: string | null },
): CatalogueProduct[] {
  const vendor = catalogue.vendors.get(vendorId)
  const result = new Set(words.map(bare))
  if (words.some((word) => gallons.has(word) || pairsOfGallons.has(word)))
    for (const name of gallonNames) result.add(name)
  const gallon = sizeKey('5 gallon')
  const known = productsOf(catalogue, vendorId)
    .filter((product) => size === null || sizeKey(product.size) === size)
    .map((product) => {
      const namings = specialWords(product, vendor)
      const hits = Math.max(0, ...namings.map((special) => special.filter((word) => result.has(word)).length))
      const extras = Math.min(...namings.map((special) => special.filter((word) => !result.has(word)).length))
      // Gallons are named by size only.
      const isPlain = namings.some((special) => special.length === 0) || (size === gallon && extras === 0)
      return { product, hits, extras, isPlain }
    })
  const most = Math.max(0, ...known.map(({ hits }) => hits))
  if (most === 0 && size === null) return []
  if (most === 0) {
    const plain = known.filter(({ isPlain }) => isPlain)
    return (plain.length > 0 ? plain : known).map(({ product }) => product)
  }
  const best = known.filter(({ hits }) => hits === most)
  const fewest = Math.min(...best.map(({ extras }) => extras))
  return best.filter(({ extras }) => extras === fewest).map(({ product }) => product)
}

/** A place that the customer may mean. */
export interface FoundPlace {
  /** `area:12`, or `at:26.2,50.5` for a block or landmark. */
  id: string
  name: string
  nameAr: string | null
  point: Coordinates
  area: CatalogueArea
}

const MAX_PLACES = 9

/** A point inside the area, for any shape. */
export function pointOf(catalogue: Pick<Catalogue, 'areas'>, area: CatalogueArea): Coordinates {
  return areaAt(catalogue, area.centre)?.id === area.id ? area.centre : pointInside(area.geometry)
}

export const placeOfArea = (catalogue: Pick<Catalogue, 'areas'>, area: CatalogueArea): FoundPlace => ({
  id: `area:${area.id}`,
  name: area.name,
  nameAr: area.nameAr,
  point: pointOf(catalogue, area),
  area,
})

type Ground = Pick<Catalogue, 'areas' | 'blocks'>

/** Areas with this name, else with this prefix, else imported blocks and landmarks; empty if none match. */
export function placesIn(catalogue: Ground, words: readonly string[]): FoundPlace[] {
  const kept = words.filter((word) => !aroundPlaces.has(word) && !fillers.has(word) && !packs.has(word)).map(bare)
  const sought = kept.join(' ')
  if (sought.length < 2) return []
  const areas = [...catalogue.areas.values()].map((area) => ({
    area,
    names: [area.name, area.nameAr].flatMap((name) => (name ? [wordsOf(name).join(' ')] : [])),
  }))
  const exact = areas.filter(({ names }) =>
    names.some((name) => name === sought || withoutAl(name) === withoutAl(sought)),
  )
  if (exact.length > 0) return exact.map(({ area }) => placeOfArea(catalogue, area))
  const near = sought.length < 3 ? [] : areas.filter(({ names }) => names.some((name) => begins(name, sought)))
  if (near.length > 0) return near.slice(0, MAX_PLACES).map(({ area }) => placeOfArea(catalogue, area))
  const found = gazetteerPlaces(catalogue, sought)
  if (found.length > 0) return found
  // In a sentence: the longest area name it contains.
  const held = areas
    .flatMap(({ area, names }) => names.map((name) => ({ area, name })))
    .filter(({ name }) => name.length > 2 && ` ${sought} `.includes(` ${name} `))
    .sort((a, b) => b.name.length - a.name.length)
  const [longest] = held
  return longest ? [placeOfArea(catalogue, longest.area)] : []
}

const withoutAl = (name: string) => name.replace(/^al /, '')
const begins = (name: string, sought: string) =>
  name.startsWith(sought) || withoutAl(name).startsWith(sought) || ` ${name}`.includes(` ${sought}`)

function gazetteerPlaces(ground: Ground, sought: string): FoundPlace[] {
  const number = /^(?:block |مجمع |blok |mojamma |mujamma )?(\d{3,4})$/u.exec(sought)?.[1]
  if (number) return blockPlace(ground, Number(number))
  return searchGazetteer(ground, sought, MAX_PLACES).flatMap((place) => foundPlace(ground, place))
}

/** The imported block with this number; empty if there is none. */
export function blockPlace(ground: Ground, number: number): FoundPlace[] {
  const block = ground.blocks.get(number)
  return block ? foundPlace(ground, placeOf(ground, block)) : []
}

function foundPlace(ground: Ground, { name, nameAr, lat, lng }: GazetteerPlace): FoundPlace[] {
  const area = areaAt(ground, { lat, lng })
  return area ? [{ id: `at:${lat},${lng}`, name, nameAr, point: { lat, lng }, area }] : []
}
