import { fold, withoutArticle } from '@qatra/contract/lib/text'
import { areasOfBlock } from '@qatra/contract/places/block-hundreds'
import { isOneLetterOff } from '@qatra/contract/products/search'

interface Named {
  areaId: string
  name: string
  nameAr: string | null
}

export interface FoundAreas<Area> {
  areas: Area[]
  /** What was typed is a block number, and these are the areas of its hundred. */
  isOfBlock: boolean
  /** False if no name contains what was typed, and these differ from it in one letter. */
  isExact: boolean
}

/** The words of a folded text, each also without its article. */
const wordsOf = (folded: string) => folded.split(' ').map((word) => [word, withoutArticle(word)])

const isNear = (typed: string[], known: string[]) =>
  typed.some((one) => known.some((other) => one === other || isOneLetterOff(one, other)))

/** The areas for a typed name or block number; names that begin with it come first: "Muharraq" before "Diyar Al Muharraq". */
export function searchAreas<Area extends Named>(
  typed: string,
  areas: readonly Area[],
  { lang, nameOf }: { lang: 'ar' | 'en'; nameOf(area: NoInfer<Area>): string },
): FoundAreas<Area> {
  const sought = fold(typed)
  const rank = (area: Area) => (fold(nameOf(area)).startsWith(sought) ? 0 : 1)
  const sorted = (some: Area[]) => some.sort((a, b) => rank(a) - rank(b) || nameOf(a).localeCompare(nameOf(b), lang))

  const ofBlock = areasOfBlock(typed, areas)
  if (ofBlock) return { areas: sorted(ofBlock), isOfBlock: true, isExact: true }
  const named = areas.filter(({ name, nameAr }) => fold(`${name} ${nameAr ?? ''}`).includes(sought))
  if (named.length > 0) return { areas: sorted(named), isOfBlock: false, isExact: true }
  const words = wordsOf(sought)
  const near = areas.filter(({ name, nameAr }) => {
    const known = wordsOf(fold(`${name} ${nameAr ?? ''}`))
    return words.every((word) => known.some((one) => isNear(word, one)))
  })
  return { areas: sorted(near), isOfBlock: false, isExact: false }
}
