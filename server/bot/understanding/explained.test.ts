import { expect, it } from 'vitest'
import { knownOf, shop } from '../../test/fixtures/bot-corpus.ts'
import { understand } from './understand.ts'

const idle = { group: '', expect: '', state: 'idle', cart: '', asked: '', last: '' } as const

it.each([
  // Reported, supposed, of another person, in jest.
  ['suppose i take 7 cartons hayrat 500', '', false],
  ['زوجي قال وقفوا العروض وانا ما ابي', '', false],
  ['i received 3 cartons hayrat 500 but i paid 4', '', false],
  ['my wife wants 3 cartons hayrat 500', '', true],
  ['wagfo el 3oroth', '', true],
  // A word that no list explains, beside something that is taken away.
  ['make it 6 blorps', '4 hayrat/500', false],
  ['add 6, we have a long weekend', '4 hayrat/500', false],
  ['too many, make it 2', '4 hayrat/500', true],
  // A deed of its own that the reading leaves out.
  ['امسح كل شي وحط كرتون واحد من ال500', '4 hayrat/500', false],
  ['only 500 one i need, small one cancel it', '4 hayrat/500', false],
  // A correction with a deed of its own, and one that says a number.
  ['remove the 500\nno wait not the 500 the 330', '4 hayrat/500;2 hayrat/330', false],
  ['make it 6\nsorry 5', '4 hayrat/500', true],
  // Two deeds of one line.
  ['add one then remove two', '4 hayrat/500', false],
] as const)('a deed is explained if every word of the message is accounted for: %s', (text, cart, isExplained) => {
  expect(understand(text, shop, knownOf({ ...idle, text, cart }))).toMatchObject({ isExplained })
})

it.each([
  ['5alha ethna3ash', 12],
  ['خلها ثنعشر', 12],
  ['khaliha khams6a3ash', 15],
  ['5alha 3eshreen', 20],
  ['make it twentyfive', 25],
  ['5alha 5amsa w thalatheen', 35],
  ['خلها اربعة وتسعين', 94],
] as const)('a number word sets the quantity in three scripts: %s', (text, quantity) => {
  const known = knownOf({ ...idle, text, state: 'cart', cart: '4 hayrat/500' })
  expect(understand(text, shop, known).slots.items).toMatchObject([{ change: 'set', quantity }])
})
