import { fold } from '../lib/text.ts'
import { type TypedUnit, unitSpellings } from './unit-words.ts'

const formsOf = (...units: TypedUnit[]) =>
  [unitSpellings('one', units), unitSpellings('many', units), unitSpellings('two', units)].join(' ')

/**
 * Words of the trade by what they mean, as people in Bahrain type them: Arabic, English, and Arabic in Latin letters
 * (Arabizi). Spellings that `fold` joins and the article ال need no entry.
 */
const spellings = {
  water: 'ماء مياه ماي موية مويا موي water waters moya moyah mayya maay maa mai may',
  gallon: formsOf('gallon'),
  carton: `${formsOf('carton', 'case', 'pack')} box boxes`,
  bottle: `${formsOf('bottle')} عبوة عبوات ghrasha`,
  cup: 'كوب أكواب كاس كاسة كاسات كوبات cup cups kob koob kasa kasat',
  exchange: 'استبدال تبديل تعبئة إعادة exchange swap refill refills tabdeel',
  sparkling: 'فوار فوارة غازي غازية صودا sparkling soda fizzy carbonated',
} as const

/** A kind of word; `#carton` in a product's search text says that the product is one. */
export type TradeWord = keyof typeof spellings

const kinds = new Map<string, TradeWord>()
for (const [kind, words] of Object.entries(spellings) as [TradeWord, string][]) // the keys are those of the table
  for (const word of fold(words).split(' ')) kinds.set(word, kind)

/** Folded words with a meaning in the trade. */
export const tradeVocabulary: Iterable<string> = [...kinds.keys()]

/** @param word folded; with or without the Arabic article */
export const tradeWordOf = (word: string): TradeWord | undefined => kinds.get(word) ?? kinds.get(bare(word))

/** A folded word without ال, بال, وال and لل. */
export const bare = (word: string): string => word.replace(/^(?:[بو]?ال|لل)(?=..)/, '')

/** Sizes that are said in words, folded, by a spelling that `volumeOf` reads. At most three words. */
export const spokenSizes: ReadonlyMap<string, string> = new Map([
  ['ربع لتر', '250ml'],
  ['نص لتر', '500ml'],
  ['نصف لتر', '500ml'],
  ['half litre', '500ml'],
  ['half liter', '500ml'],
  ['half a litre', '500ml'],
  ['half a liter', '500ml'],
  ['nos liter', '500ml'],
  ['لتر ونص', '1.5l'],
  ['لتر ونصف', '1.5l'],
  ['لتر و نص', '1.5l'],
  ['liter w nos', '1.5l'],
])
