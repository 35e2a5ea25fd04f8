import { type Lang, langs, nameIn } from '@qatra/contract/lib/lang'
import { fold, withoutArticle } from '@qatra/contract/lib/text'
import { areaAt } from '../areas/queries.ts'
import type { CatalogueBlock } from '../blocks/snapshot.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { translatorFor } from '../lib/translate.ts'
import { type GazetteerPlace, gazetteer } from './places.ts'

type AreasAndBlocks = Pick<Catalogue, 'areas' | 'blocks'>

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

const withoutArticles = (words: string) =>
  words
    .split(' ')
    .filter((word) => word !== 'al')
    .map(withoutArticle)
    .join(' ')

const knownAs = (place: GazetteerPlace, ...more: string[]): Known => {
  const names = [place.name, place.nameAr, ...more].map(plain)
  return { place, names: [...new Set([...names, ...names.map(withoutArticles)])] }
}

const builtIn: readonly Known[] = gazetteer.map((place) => knownAs(place))

/** Built once per set of blocks. */
const imported = new WeakMap<ReadonlyMap<number, CatalogueBlock>, readonly Known[]>()

function blocksOf(ground: AreasAndBlocks): readonly Known[] {
  const made =
    imported.get(ground.blocks) ??
    [...ground.blocks.values()].map((block) =>
      knownAs(placeOf(ground, block), String(block.number), ...langs.map((lang) => numberName(lang, block))),
    )
  imported.set(ground.blocks, made)
  return made
}

/** `Seef, Block 428`; only the number for a block outside of all areas. */
export function placeOf(ground: AreasAndBlocks, { number, areaId, centre }: CatalogueBlock): GazetteerPlace {
  const area = (areaId === null ? null : ground.areas.get(areaId)) ?? areaAt(ground, centre)
  const nameOf = (lang: Lang) =>
    area
      ? translatorFor(lang)('places.block', { area: nameIn(lang, area), block: String(number) })
      : numberName(lang, { number })
  return { name: nameOf('en'), nameAr: nameOf('ar'), ...centre, kind: 'block', block: number }
}

const numberName = (lang: Lang, { number }: Pick<CatalogueBlock, 'number'>) =>
  translatorFor(lang)('places.blockAlone', { block: String(number) })

/** Shorter texts match too many places. */
const FEWEST_CHARACTERS = 3
const kinds = { area: 0, landmark: 1, block: 2 } as const

/** Names that start with the text first, then names with a word that does, then names that contain it. */
export function searchGazetteer(ground: AreasAndBlocks, text: string, limit: number): GazetteerPlace[] {
  const sought = plain(text)
  if (sought.length < FEWEST_CHARACTERS) return []
  // Without a number in the text, an area's blocks would displace all other places.
  const known = /\d/.test(sought) ? [...builtIn, ...blocksOf(ground)] : builtIn
  const found = ranked(known, sought)
  // The country's name is part of few names, so it is ignored if nothing matches with it.
  const rest = sought.replace(/(?:^| )(?:bahrain|البحرين)(?= |$)/g, '').trim()
  const places = found.length > 0 || rest === sought || rest.length < FEWEST_CHARACTERS ? found : ranked(known, rest)
  return places.slice(0, limit)
}

function ranked(known: readonly Known[], sought: string): GazetteerPlace[] {
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
