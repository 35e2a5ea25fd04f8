import type { Lang } from '@qatra/contract/lib/lang'
import { fold } from '@qatra/contract/lib/text'

/** The language that a text is written in. */
export interface Writing {
  /** `arabizi`: Arabic in Latin letters. Null if ambiguous. */
  script: 'ar' | 'en' | 'arabizi' | null
  /** Two or more words indicate the language. */
  isClear: boolean
  /** Only Latin letters, and more than neutral words. */
  isLatin: boolean
  /** Mostly letters of another script: Devanagari, Bengali, Malayalam, Cyrillic. */
  isForeign: boolean
}

const setOf = (list: string) => new Set(list.split(' '))

/** Words that distinguish Arabizi from English. */
const arabizi = setOf(
  'abi abgha abghi abghy baghait areed nabi mai moya moyah maay mayya salam slm salaam hala marhaba mar7aba shlonak shlonik shlonkom wain wen ween talab talabi talabati 6alabi karton kartoon kartonain karateen na3am naam aiwa aywa eiwa iwa tamam zain zein mashi yalla shukran shokran mashkoor teslam khalas 5alas la2 mafi mako ba3ad sheel ana inta enta shno shnu cham kam bkam bcham alhin al7een bukra bacher atlob a6lob jeeb jeebo habibi 7abibi inshallah wallah galoon galoonat mowathaf irja3 erja3 nafs ahlan sabah masa bedoon akeed inzain mabi bjam bkm se3r si3r el elkarton tawseel kansel krateen nus nos jibli nebi mita akkid',
)
/** Words of French, Spanish, Portuguese, Italian, German, Turkish and Malay that are no words of ours. */
const foreign = setOf(
  'bonjour bonsoir salut merci voudrais veux voulez jaimerais vous nous est une des les avec pour plait sil combien livraison livrer livrez commander commande deau leau bouteille bouteilles acheter avez besoin cest quel quelle prix coute hola quiero quisiera necesito gracias favor cuanto cuesta cuestan agua botella botellas cajas caja tiene tienen entrega entregan usted buenos buenas dias tardes donde ola quero preciso obrigado obrigada garrafa garrafas caixas entregar ciao vorrei voglio grazie acqua quanto costa buongiorno bottiglie consegna avete ich mochte hatte gern guten morgen tag wasser bitte danke bestellen wieviel viel kostet haben sie lieferung liefern flaschen kisten und wie merhaba istiyorum lutfen tesekkur tesekkurler kac nasil siparis teslimat fiyat sise koli saya mau pesan minta terima kasih berapa harga botol tolong bisa kirim',
)
/** Used in every language. */
const neutral = setOf('ok okay k menu stop start hi hello x')
const english = setOf(
  'i the a an want need water please order my is are you have can could would like to and cart cartons carton bottles bottle where when what how hello hi hey good morning evening thanks thank yes no not deliver delivery address change cancel repeat again more show help speak english two three four five six seven eight nine ten dozen gallon gallons checkout brands language person agent live house road block building flat',
)
const MAX_LENGTH = 600

export function writingOf(text: string): Writing {
  const folded = fold(text.slice(0, MAX_LENGTH)).replace(/['’‘ʼ`]|\bnos(?=\.? \d)/g, '')
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? []
  const arabicLetters = folded.match(/\p{Script=Arabic}/gu)?.length ?? 0
  const latinLetters = folded.match(/\p{Script=Latin}/gu)?.length ?? 0
  const isLatin = arabicLetters === 0 && words.some((word) => /^\p{Script=Latin}{2}/u.test(word) && !neutral.has(word))
  const otherLetters = (folded.match(/\p{L}/gu)?.length ?? 0) - arabicLetters - latinLetters
  const isForeign = otherLetters > arabicLetters + latinLetters
  if (arabicLetters > 0 && arabicLetters >= latinLetters) return { script: 'ar', isClear: true, isLatin, isForeign }
  const ofArabizi = words.filter(
    (word) =>
      !/^\d+(?:st|nd|rd|th)$/.test(word) &&
      (arabizi.has(word) || /^\p{L}+[235679]\p{L}*$|^[2379]\p{L}{2,}$/u.test(word)),
  )
  const ofForeign = words.filter((word) => foreign.has(word)).length
  const ofEnglish = words.filter((word) => english.has(word) && !arabizi.has(word))
  // One such word may be the name of a shop.
  if (ofForeign > ofEnglish.length + ofArabizi.length && (ofForeign > 1 || words.length < 3))
    return { script: null, isClear: false, isLatin, isForeign: true }
  if (ofArabizi.length > 0 && ofArabizi.length >= ofEnglish.length)
    return { script: 'arabizi', isClear: true, isLatin, isForeign }
  return { script: ofEnglish.length > 0 ? 'en' : null, isClear: ofEnglish.length > 1, isLatin, isForeign }
}

/** Language of the reply. A single Latin word does not change an Arabic conversation. */
export function languageOf({ script, isClear, isLatin }: Writing, before: Lang, isFresh: boolean): Lang {
  if (script === 'ar' || script === 'arabizi') return 'ar'
  if (script === 'en' && (isFresh || isClear)) return 'en'
  return script === null && isFresh && isLatin ? 'en' : before
}
