import { westernDigits } from '../lib/digits.ts'

/**
 * The hundreds with which the block numbers of an area begin, by the codes of the shipped areas. Source: the public list
 * "Bahrain address hierarchy: Governorate, Place, Block" (gist.github.com/mks-d/cc56e10060e6d4d50f24035402924738,
 * 7 May 2024). The land survey publishes no list. Areas whose place is not in it are absent: their blocks are not checked.
 */
const areasByHundred: readonly (readonly [hundred: number, codes: string])[] = [
  [1, 'hidd'],
  [2, 'muharraq busaiteen dair samaheej galali arad amwaj'],
  [
    3,
    `manama diplomatic-area ras-rumman hoora gudaibiya naim salmaniya segaya adliya juffair mina-salman mahooz
     um-al-hassam zinj bilad-al-qadeem burhama nabih-saleh sehla`,
  ],
  [
    4,
    `seef sanabis daih jidhafs tashan karbabad jeblat-hebshi sehla qala hillat-abdul-saleh abu-saiba shakhoora karrana
     bu-quwah`,
  ],
  [5, 'jannusan barbar diraz bani-jamra markh maqabah saar budaiya qurayya janabiya salman-city'],
  [6, 'sanad nuwaidrat eker maameer sitra'],
  [7, 'tubli salmabad jid-ali jurdab sanad zayed-town aali buri'],
  [8, 'isa-town'],
  [9, 'bu-kowara east-riffa west-riffa hajiyat awali askar jaw al-dur rumaitha durrat-al-bahrain'],
  [
    10,
    `jasra hamala damistan karzakan malkiya shahrakan dar-kulaib zallaq bilaj-al-jazayer umm-an-nasan
     hamad-town`,
  ],
  [12, 'hamad-town'],
]

/** 4 for Seef (4xx), 10 and 12 for Hamad Town; empty if none are known. */
export const hundredsOf = (areaCode: string): readonly number[] =>
  areasByHundred.flatMap(([hundred, codes]) => (codes.split(/\s+/).includes(areaCode) ? [hundred] : []))

/** A block number as typed, in any digits, also after the word block; null if it is not one. */
export function blockNumberIn(typed: string): number | null {
  const digits = westernDigits(typed)
    .trim()
    .replace(/^(?:(?:ال)?مجمع|block|blk)(?: no)?[\s.:]*/iu, '')
  return /^[1-9]\d{2,3}$/.test(digits) ? Number(digits) : null
}

/** The areas whose blocks begin with the hundred of a typed number; null if it is no block number. */
export function areasOfBlock<Area extends { areaId: string }>(typed: string, areas: readonly Area[]): Area[] | null {
  const block = blockNumberIn(typed)
  if (block === null) return null
  const hundred = Math.floor(block / 100)
  return areas.filter(({ areaId }) => hundredsOf(areaId).includes(hundred))
}

/**
 * What speaks against a typed block: the imported block of the pin is another one, or the area's blocks begin with other
 * hundreds. Null if nothing does. A doubt is shown to the customer; the block is stored as typed.
 */
export function blockDoubt(
  typed: string,
  { areaCode, pinBlock }: { areaCode: string | null; pinBlock: number | null },
): { pinBlock: number } | { hundreds: readonly number[] } | null {
  const block = blockNumberIn(typed)
  if (block === null) return null
  if (pinBlock !== null) return pinBlock === block ? null : { pinBlock }
  const hundreds = areaCode === null ? [] : hundredsOf(areaCode)
  return hundreds.length === 0 || hundreds.includes(Math.floor(block / 100)) ? null : { hundreds }
}
