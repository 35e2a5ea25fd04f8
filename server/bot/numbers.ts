import { fold } from '@qatra/contract/lib/text'

/** A word of a message; `number` if it is one, in words or digits. */
export interface Token {
  text: string
  number: number | null
}

/** Number words: English, Arabic with dialects, and Arabic in Latin letters. */
const spoken: Readonly<Record<number, string>> = {
  1: 'one ek isa isang uno واحد واحده وحده wahed wa7ed wahda wa7da',
  2: 'two dalawa dalawang dos couple pair both اثنين ثنين اثنان اثنا اثني اثنتا اثنتي اثنتين ثنتين اتنين تنتين زوج جوز ithnain ithnein thnain thnein etnen itnen thintain thentain thinten thnten zoj joz',
  3: 'three teen tatlo tatlong tres ثلاث ثلاثه تلات تلاته thalath thalatha thlath thlatha tlata talat',
  4: 'four chaar char apat اربع اربعه arba arbaa arba3 arba3a arb3a',
  5: 'five paanch panch lima limang خمس خمسه khams khamsa 5ams 5amsa',
  6: 'six chhe cheh anim ست سته sitt sitta sette',
  7: 'seven saat pito pitong سبع سبعه saba sab3 sab3a saba3 saba3a',
  8: 'eight aath walo walong ثمان ثمانيه ثماني تمانيه تمان thaman thamania thamanya thmanya tmanya',
  9: 'nine siyam تسع تسعه tisa tis3 tis3a tes3a',
  10: 'ten das sampu sampung عشر عشره ashra ashara 3ashr 3ashra 3ashara',
  11: 'eleven احدعشر حداعش حدعش ايدعش احدعش hdash 7da3ash 7da3sh',
  24: 'درزنين دزينتين',
  12: 'twelve dozen درزن دزينه دسته درزينه اثنعشر اثناعشر ثنعش اثنعش اطنعش اتناعش darzan derzen thna3ash thna3sh',
  13: 'thirteen ثلاثطعش ثلطعش تلاتاشر ثلثطعش thlatta3ash ثلاثتعش ثلثتعش ثلتعش ثلاثطعشر',
  14: 'fourteen اربعطعش اربعتاشر arba3ta3ash اربعتعش اربعتعشر اربعطعشر',
  15: 'fifteen خمسطعش خمستاشر khamsta3ash 5amsta3ash خمستعش خمستعشر خمسطعشر',
  16: 'sixteen ستطعش ستاشر sitta3ash ستعش ستتعش ستعشر ستطعشر',
  17: 'seventeen سبعطعش سبعتاشر sab3ata3ash سبعتعش سبعتعشر سبعطعشر',
  18: 'eighteen ثمنطعش ثمانطعش تمنتاشر thmanta3ash ثمنتعش ثمانتعش ثمنتعشر ثمانطعشر',
  19: 'nineteen تسعطعش تسعتاشر tis3ata3ash تسعتعش تسعتعشر تسعطعشر',
  20: 'twenty bees dalawampu dalawampung عشرين عشرون ishreen 3ishreen 3eshrin 3ishrin',
  30: 'thirty ثلاثين ثلاثون تلاتين thalatheen',
  40: 'forty fourty اربعين اربعون arbaeen arb3een arba3een',
  50: 'fifty خمسين خمسون khamseen 5amseen',
  60: 'sixty ستين ستون sitteen',
  70: 'seventy سبعين سبعون sab3een',
  80: 'eighty ثمانين ثمانون تمانين thmaneen',
  90: 'ninety تسعين تسعون tis3een',
  100: 'hundred مئه ميه مائه miya meya',
  200: 'ميتين مئتين مئتان مائتين miteen',
  300: 'ثلاثميه ثلاثمئه ثلاثمائه ثلثميه تلتميه',
  400: 'اربعميه اربعمئه اربعمائه',
  500: 'خمسميه خمسمئه خمسمائه khamsmiya 5amsmiya',
  600: 'ستميه ستمئه ستمائه sittmiya',
  700: 'سبعميه سبعمئه سبعمائه',
  800: 'ثمانميه ثمانمئه ثمانمائه ثمنميه',
  900: 'تسعميه تسعمئه تسعمائه',
}

const values: ReadonlyMap<string, number> = new Map(
  Object.entries(spoken).flatMap(([value, words]) => words.split(' ').map((word) => [fold(word), Number(value)])),
)

const halves = new Set(['half', 'نص', 'نصف', 'nos', 'nus'])
const joiners = new Set(['and', 'و', 'w'])
const digits = /^\d+(?:[.,٫]\d+)?$/

/** The number of one word: `2`, `1,5`, `two`; null for `كرتون`. A leading و is a conjunction, not part of the word. */
function numberOf(word: string): number | null {
  if (digits.test(word)) return word.length > 9 ? null : Number(word.replace(/[,٫]/, '.'))
  return values.get(word) ?? null
}

/** Numbers only before `عشر`: «أحد» alone is somebody, or Sunday. */
const beforeTen = new Map(['احد', 'احدى'].map((word) => [fold(word), 1]))
const isTen = (word: string | undefined) => word !== undefined && values.get(word) === 10 && !digits.test(word)

const joined = (word: string) => (word.startsWith('و') && word.length > 2 ? word.slice(1) : null)

/** Folded words, with a number phrase as one token: `خمسة وعشرين` 25, `two hundred` 200, `half a dozen` 6. */
export function tokensOf(words: readonly string[]): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < words.length; ) {
    const word = words[i] ?? ''
    const dozen = halves.has(word) ? dozenAfter(words, i + 1) : null
    if (dozen !== null) {
      tokens.push({ text: words.slice(i, dozen).join(' '), number: 6 })
      i = dozen
      continue
    }
    const first = numberOf(word) ?? (isTen(words[i + 1]) ? (beforeTen.get(word) ?? null) : null)
    if (first === null || digits.test(word)) {
      const next = first === null ? null : scaleAfter(words, i + 1, first)
      tokens.push(next ? { text: words.slice(i, i + 2).join(' '), number: next } : { text: word, number: first })
      i += next ? 2 : 1
      continue
    }
    const { number, end } = composed(words, i, first)
    tokens.push({ text: words.slice(i, end).join(' '), number })
    i = end
  }
  return tokens
}

function dozenAfter(words: readonly string[], at: number): number | null {
  const next = words[at] === 'a' || words[at] === 'ال' ? at + 1 : at
  return numberOf(words[next] ?? '') === 12 && !digits.test(words[next] ?? '') ? next + 1 : null
}

const isDozen = (word: string) =>
  !digits.test(word) && numberOf(word) === 12 && !/^(?:twelve|اثن|ثن|اطن|اتن|thna)/.test(word)

/** `2 dozen` */
const scaleAfter = (words: readonly string[], at: number, count: number): number | null =>
  isDozen(words[at] ?? '') && Number.isInteger(count) ? count * 12 : null

/** Consecutive number words: a larger one multiplies, a smaller joined one adds. */
function composed(words: readonly string[], start: number, first: number): { number: number; end: number } {
  let number = first
  let end = start + 1
  for (;;) {
    const skips = joiners.has(words[end] ?? '') ? 1 : 0
    const word = words[end + skips] ?? ''
    if (digits.test(word)) break
    const rest = joined(word)
    const plain = values.get(word)
    const next = plain ?? (rest === null ? undefined : values.get(rest))
    if (next === undefined) break
    const isJoined = skips === 1 || plain === undefined
    // `two-two cartons each`
    if (!isJoined && next === number && word === words[start] && end === start + 1) number = next
    // `one dozen`
    else if (!isJoined && number === 1 && isDozen(word)) number = next
    else if (!isJoined && number >= 2 && number <= 9 && (next === 100 || next === 12)) number *= next
    // `three thirty`: 330.
    else if (!isJoined && number >= 2 && number <= 9 && end === start + 1 && next === 30 && /^[a-z]/.test(word))
      number = number * 100 + next
    else if (canAdd(number, next, isJoined) && (isJoined || number < 100 || /^[a-z]/.test(word))) number += next
    else break
    end += skips + 1
  }
  return { number, end }
}

/** `twenty five`, `خمسة وعشرين`, `two hundred and ten`, `عشرة` after a unit (`ثلاثة عشر`). */
function canAdd(number: number, next: number, isJoined: boolean): boolean {
  if (number >= 100) return next < 100
  if (number >= 20) return next < 10
  if (!isJoined) return number < 10 && next === 10
  return number < 10 && next >= 20 && next < 100
}
