import { type Coordinates, distanceInMetres } from '@qatra/contract/geo'
import { type Lang, nameIn } from '@qatra/contract/lang'
import { fold } from '@qatra/contract/text'
import { areaAt } from '../areas/queries.ts'
import type { CatalogueArea } from '../areas/snapshot.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { type GazetteerPlace, gazetteer } from './places.ts'

interface Known {
  place: GazetteerPlace
  /** Names in both languages, with and without the article, as folded words separated by single spaces. */
  names: readonly string[]
}

/**
 * Folds the text, removes apostrophes and turns other marks into spaces: `A'ali` is `aali`, `Al-Areen` is `al areen`.
 */
const plain = (text: string) =>
  fold(text)
    .replace(/['’‘ʼ`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const withoutArticle = (words: string) => words.replace(/(^| )(?:al |ال(?=\p{L}{2}))/gu, '$1')

const known: readonly Known[] = gazetteer.map((place) => {
  const names = [plain(place.name), plain(place.nameAr)]
  return { place, names: [...new Set([...names, ...names.map(withoutArticle)])] }
})

/** Shorter texts match too many places. */
const FEWEST_CHARACTERS = 3
const kinds = { area: 0, landmark: 1, block: 2 } as const

/** Names that start with the text first, then names with a word that does, then names that contain it. */
export function searchGazetteer(text: string, limit: number): GazetteerPlace[] {
  const sought = plain(text)
  if (sought.length < FEWEST_CHARACTERS) return []
  const found = ranked(sought)
  // The country's name is part of few names, so it is ignored if nothing matches with it.
  const rest = sought.replace(/(?:^| )(?:bahrain|البحرين)(?= |$)/g, '').trim()
  const places = found.length > 0 || rest === sought || rest.length < FEWEST_CHARACTERS ? found : ranked(rest)
  return places.slice(0, limit)
}

function ranked(sought: string): GazetteerPlace[] {
  const words = sought.split(' ')
  return known
    .map(({ place, names }) => ({ place, rank: Math.min(...names.map((name) => rankOf(name, sought, words))) }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((a, b) => a.rank - b.rank || kinds[a.place.kind] - kinds[b.place.kind])
    .map(({ place }) => place)
}

const NOT_FOUND = 7

function rankOf(name: string, sought: string, words: readonly string[]): number {
  if (name === sought) return 0
  if (name.startsWith(`${sought} `)) return 1
  if (name.startsWith(sought)) return 2
  if (` ${name} `.includes(` ${sought} `)) return 3
  if (` ${name}`.includes(` ${sought}`)) return 4
  if (name.includes(sought)) return 5
  return words.every((word) => ` ${name}`.includes(` ${word}`)) ? 6 : NOT_FOUND
}

interface Block {
  number: string
  at: Coordinates
}
const blocksByArea = new WeakMap<ReadonlyMap<number, CatalogueArea>, ReadonlyMap<number, readonly Block[]>>()

function blocksOf(catalogue: Pick<Catalogue, 'areas'>, area: CatalogueArea): readonly Block[] {
  const made = blocksByArea.get(catalogue.areas)
  if (made) return made.get(area.id) ?? []
  const groups = new Map<number, Block[]>()
  for (const { kind, name, lat, lng } of gazetteer) {
    const within = kind === 'block' ? areaAt(catalogue, { lat, lng }) : null
    const number = /\d+/.exec(name)?.[0]
    if (!within || !number) continue
    groups.set(within.id, [...(groups.get(within.id) ?? []), { number, at: { lat, lng } }])
  }
  blocksByArea.set(catalogue.areas, groups)
  return groups.get(area.id) ?? []
}

/** The area of a point and its nearest block; null outside of all areas. */
export function nearestTo(catalogue: Pick<Catalogue, 'areas'>, point: Coordinates, lang: Lang) {
  const area = areaAt(catalogue, point)
  if (!area) return null
  const [nearest] = blocksOf(catalogue, area)
    .map((block) => ({ ...block, metres: distanceInMetres(point, block.at) }))
    .sort((a, b) => a.metres - b.metres)
  return { area: nameIn(lang, area), block: nearest?.number ?? null }
}
