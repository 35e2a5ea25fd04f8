import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pure modules whose operators are exchanged, under contract/, each with its test beside it. */
const modules = [
  'lib/money',
  'links/redirect',
  'orders/order-status',
  'orders/order-id',
  'admin',
  'lib/phone',
  'lib/csv',
]
const faults = [
  [' < ', ' <= '],
  [' <= ', ' < '],
  [' > ', ' >= '],
  [' >= ', ' > '],
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' ?? ', ' && '],
  [' + ', ' - '],
  [' - ', ' + '],
  [' * ', ' / '],
  [' % ', ' * '],
  [': true', ': false'],
  ['return true', 'return false'],
  ['return false', 'return true'],
  ['(!', '('],
  [' !is', ' is'],
  ['.some(', '.every('],
  ['.every(', '.some('],
  ['.includes(', '.startsWith('],
  ['Math.max(', 'Math.min('],
  ['Math.min(', 'Math.max('],
  ['Math.floor(', 'Math.ceil('],
  ['Math.round(', 'Math.floor('],
  [', 0)', ', 1)'],
]

/** All positions of possible faults, except in comments, imports and types. */
function placesIn(text) {
  const places = []
  let at = 0
  let isComment = false
  for (const line of text.split('\n')) {
    if (line.includes('/**')) isComment = true
    const isCode = !isComment && !/^\s*(?:\/\/|import |export type |type |interface |\*)/.test(line)
    const end = line.indexOf(' // ') < 0 ? line.length : line.indexOf(' // ')
    for (const [find, replace] of isCode ? faults : [])
      for (let found = line.indexOf(find); found >= 0 && found < end; found = line.indexOf(find, found + 1))
        places.push({ at: at + found, find, replace, line: line.trim() })
    if (line.includes('*/')) isComment = false
    at += line.length + 1
  }
  return places
}

/** At most `count` of them, evenly distributed. */
const evenly = (list, count) =>
  list.length <= count ? list : Array.from({ length: count }, (_, n) => list[Math.floor((n * list.length) / count)])

/** `most` exchanged operators of each module, as mutants with the position of their text. */
export const operatorMutants = (root, most) =>
  modules.flatMap((module) => {
    const file = `contract/${module}.ts`
    return evenly(placesIn(readFileSync(join(root, file), 'utf8')), most).map(({ line, ...place }) => ({
      subject: 'operators',
      name: `«${place.find}» becomes «${place.replace}» in ${line}`,
      file,
      ...place,
      tests: [`contract/${module}.test.ts`],
    }))
  })
