import { type IntentName, intentsOfCost } from '../intent-table.ts'
import { type Alias, bareWords, keyOf, type Names, namesOf, type Shop } from './names.ts'
import { tokenize } from './normalize.ts'
import { type Tag, tagsOf } from './tags.ts'
import { understand } from './understand.ts'
import { lexemesByPhrase } from './vocabulary.ts'

/** What a name can be said in. */
const ofDetails: ReadonlySet<IntentName> = new Set(['order', 'address', 'place', 'name', 'notes', 'number'] as const)
/** Commands that a further name would hide. */
const commands: ReadonlySet<IntentName> = new Set([
  ...intentsOfCost('step', 'time', 'deed').filter((intent) => !ofDetails.has(intent)),
  ...(['track', 'cart', 'edit', 'brands', 'language', 'help', 'menu', 'thanks', 'greeting'] as const),
])
const idle = { state: 'idle', vendorId: null, productId: null, cart: [], lastOrder: [] } as const

/** Why a text cannot become a further name: it means something else already, or it cannot be found in a message. */
export type AliasProblem = 'taken' | 'command' | 'unreadable'

export function aliasProblem({ text, means }: Alias, shop: Shop): AliasProblem | null {
  const key = keyOf(text)
  const names = namesOf(shop)
  const tags = readWith(text, names)
  const isKnown = (tag: Tag) => tag.type !== 'word' && tag.guess === null
  if (names.byName.has(key) || isNameOfProduct(key, means, shop)) return 'taken'
  const isRead = tags.every(isKnown)
  if (isRead && commands.has(understand(text, shop, idle).intent)) return 'command'
  if (isRead && (tags.length < 2 || tags.every(({ type }) => type === 'filler'))) return 'taken'
  // A name of its own; the index of the snapshot stays as it is.
  const [found, ...more] = readWith(text, {
    ...names,
    byName: new Map(names.byName).set(key, means),
    mostWords: LONGEST,
  })
  return found && more.length === 0 && found.type === means.type && isKnown(found) ? null : 'unreadable'
}

const LONGEST = 10

function readWith(text: string, names: Names): Tag[] {
  const isKnown = (word: string) => lexemesByPhrase.has(word) || names.byName.has(bareWords(word).join(' '))
  return tagsOf(tokenize(text, isKnown), names)
}

/** Names of products are read by brand and size; as a further name one can mean that product alone. */
const isNameOfProduct = (key: string, means: Alias['means'], { products }: Shop) =>
  [...products.values()].some(
    ({ id, name, nameAr }) =>
      [name, nameAr ?? ''].some((one) => keyOf(one) === key) && !(means.type === 'product' && means.id === id),
  )
