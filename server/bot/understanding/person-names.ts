import { fold } from '@qatra/contract/lib/text'
import type { Evidence } from './evidence.ts'
import { is, type Tag } from './tags.ts'
import { commonWords, fillerWords, lexemesByPhrase } from './vocabulary.ts'

const MOST_WORDS = 5
/** Names that are also words of orders, of everyday or without meaning. */
const namesAndWords = new Set(
  (
    'بن بنت ابو بو ام ال علي نور سعيد كريم جميل جمال عزيز صالح امل هدي سلام شوق حبيب عبد الله العلي خميس جمعه رمضان شعبان رجب عيد فرج مبارك ربيع زيد مي باسم شكري قمر فجر وعد ' +
    'al el bin bint abu um umm ali noor nour hope joy may mai grace zaid zayd rose mark bill will king guy art sunny angel dawn star'
  ).split(' '),
)

/** Letters alone, as a name has them. */
export const isLetters = (text: string): boolean => /^[\p{L}\p{M}'’ʼ.\- ]+$/u.test(text.trim().replace(/\s+/g, ' '))

const isWordsOfName = (text: string) => isLetters(text) && text.trim().split(/\s+/).length <= MOST_WORDS

const isKnownWord = ({ type, text }: Tag) =>
  (type === 'filler' ? fillerWords.has(text) : type !== 'lexeme' || !/^\S+$/.test(text) || lexemesByPhrase.has(text)) ||
  commonWords.has(text)

/** Words that can only be part of a name here; a word that is known without its first letter alone is one: `كمال`. */
const isOfName = (tag: Tag): boolean => {
  if (namesAndWords.has(tag.text)) return true
  if (tag.type === 'word') return !commonWords.has(tag.text) && !fillerWords.has(tag.text)
  return tag.type === 'vendor' || (tag.type === 'area' && tag.needsContext) || !isKnownWord(tag)
}

const asking = ['why', 'who', 'what', 'when', 'where', 'how', 'howMuch', 'howMany', 'whether', 'have'] as const
const leading =
  /^(?:(?:under(?: the name(?: of)?)?|حط|حطي|حطوا|حطوه|الاسم|naam|likho|naam likho|mera naam|ektib|iktib|اكتب|اكتبي|اكتبوا|اكتبه|سجل|سجلوا|write|put|ok|okay|yes|no|sorry|عفوا|اسف|آسف|its|it is|it's|this is|i am|i'm|im|for|اوكي|نعم|اي|لا|هذا|انا|أنا|معك|معاك|وياك|ana|ma3ak)[\s,،.:]+)+/iu
const trailing =
  /[\s,،]{1,3}(?:please|pls|plz|po|w ?bs|w ?bas|bas|وبس|بس|only|thanks|thank you|شكرا|شكرًا|لو سمحت|من فضلك|مشكور|habibi)[.!]{0,3}$/iu

const correction =
  /^(?:(?:اكتبه|اكتبيه|اكتبوه|سجله|write|put|no|la|sorry|actually|i mean|لا|قصدي|اقصد|عفوا)[\s,،]{1,9}|\*)([^\n]+)$/iu

/** The last word counts: `Ali` and then `no, Hasan`. */
function lastOf(text: string): string {
  const lines = text.trim()
  const last = lines.slice(lines.lastIndexOf('\n') + 1).trim()
  return last.length === lines.length ? text : (correction.exec(last)?.[1] ?? text)
}

const trimmed = (text: string) =>
  lastOf(text)
    .trim()
    .replace(leading, '')
    .replace(trailing, '')
    .replace(/^[:،,.\s]{1,5}|[.،,!\s]{1,5}$/gu, '')
    .replace(/\s+/g, ' ')

/** `اسمي علي`, or the answer to the question for the name, which owns the text. */
export function findPersonName(text: string, e: Evidence): string | null {
  const said = saidName(text, e) ?? introducedName(text, e)
  if (said !== null || e.state !== 'name') return said
  // `stop asking lol its Khalid`; laughter alone is no name.
  const isInJest = e.any('laugh')
  const name = trimmed(isInJest ? (saidLast.exec(text)?.[1] ?? '') : text)
  const [first] = e.tags
  if (name === '' || !isWordsOfName(name) || e.tags.some(({ type }) => type === 'question')) return null
  if (first && is(first, ...asking) && !namesAndWords.has(first.text)) return null
  const own = e.tags.filter(isOfName)
  const others = e.tags.filter((tag) => !isOfName(tag) && tag.type !== 'separator' && !fillerWords.has(tag.text)).length
  // `زيد كرتون` has no word that is a name alone.
  // `Grace Waters`
  if (own.length > 0 && /^(?:\p{Lu}[\p{Ll}'’]+ ?){2,4}$/u.test(name)) return name
  const isCommand = others > 0 && own.every(({ text: word }) => namesAndWords.has(word))
  return own.length > 0 && own.length >= others && !isCommand ? name : null
}

const saidLast = /\s(?:its|it's|it is|im|i'm|i am|this is|انا|ana|هذا)\s{1,3}(\p{L}[^\n]{1,60})$/iu
const introduction =
  /^(?:.{0,20}\s)?(?:my name is|my name'?s|name is|name|this is|اسمي|الاسم|الإسم|ismi|esmi)\s{0,3}[:：-]?\s{0,3}(\p{L}.{1,60})$/iu
const correctedTo =
  /^(?:(?:حطوه|حطيه|حطه|سجله|سجليه|سجلوه|اكتبه|اكتبيه|اكتبوه|خلوه|put it|write it|make it)\s{1,3}(?:باسم|بإسم|under|in the name of)(?:\s{1,3}(?:زوجي|زوجتي|ريلي|اخوي|اختي|ولدي|بنتي|ابوي|امي|my (?:wife|husband|son|brother|father|mother)))?|اكتبيه|اكتبه|اكتبوه|اكتبها|خله|خليه|خلوه|سجله|سجلوه|صححه|صححوه|سويه|write|put|make it|change it to|change to|should be|its|it's|it is)\s{1,3}(\p{L}.{1,60})$/iu

/** In a part of a longer message: `Name: Rajesh Kumar`, `Hi, this is Priya.`, `the name is wrong, write Sara`. */
function introducedName(text: string, e: Evidence): string | null {
  if (e.isQuestion) return null
  const parts = text.split(/[\n.,،;!]+/).map((part) => part.trim())
  const isOfName = e.any('nameWord') || /باسم|بإسم|\b(?:under|name)\b/iu.test(text)
  for (const part of parts) {
    const name = trimmed(
      introduction.exec(part)?.[1]?.replace(/\s(?:not|mo|mu|مو|مب|مش)\s[\s\S]*$/iu, '') ??
        (isOfName ? (correctedTo.exec(part)?.[1] ?? '') : ''),
    )
    const words = fold(name).split(' ')
    const isName = words.every(
      (word) =>
        namesAndWords.has(word) || !(commonWords.has(word) || fillerWords.has(word) || lexemesByPhrase.has(word)),
    )
    if (name.length > 2 && isWordsOfName(name) && isName && words.length < MOST_WORDS) return name
  }
  return null
}

/** After `my name is`. `باسم علي` is a whole name, `باسم خالد الدوسري` says whose. */
function saidName(text: string, e: Evidence): string | null {
  const at = e.tags.findIndex((tag) => is(tag, 'nameWord'))
  if (at < 0 || e.isQuestion) return null
  const after = e.tags.slice(at + 1).filter(({ type }) => type !== 'separator')
  const words = text.trim().split(/\s+/).slice(-after.length)
  const isName =
    after.length > 0 &&
    after.length < MOST_WORDS &&
    after.every((tag) => isOfName(tag) && (tag.type !== 'lexeme' || namesAndWords.has(tag.text)))
  if (!isName) return null
  if (e.state === 'name' && at === 0 && fold(text).startsWith('باسم') && after.length === 1) return trimmed(text)
  return trimmed(words.join(' '))
}
