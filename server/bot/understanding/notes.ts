import { fold } from '@qatra/contract/lib/text'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { State } from '../dialogue/memory.ts'
import type { IntentName } from '../intent-table.ts'
import type { AddressSlot } from './address.ts'
import { isOfDoor } from './conditions.ts'
import type { Evidence } from './evidence.ts'
import { is, type Tag } from './tags.ts'

/** What is read of a note for the driver, and the command that it may be instead. */
interface NoteReading {
  intent: IntentName
  alternative: IntentName | null
}

/** Answers to the question for a note, and ways out of it. */
const plain: ReadonlySet<IntentName> = new Set(['skip', 'no', 'yes', 'thanks', 'menu', 'back', 'checkout'] as const)
/** Views and questions; they change nothing. */
const views: ReadonlySet<IntentName> = new Set([
  'track',
  'cart',
  'price',
  'shop',
  'language',
  'help',
  'greeting',
  'edit',
  'changePlace',
  'brands',
  'person',
] as const)
/** Commands whose words also occur in notes: `زيد كرتون`, `الغاء الجرس`. */
const commands: ReadonlySet<IntentName> = new Set([
  'change',
  'order',
  'clear',
  'undo',
  'again',
  'cancelOrder',
  'refuse',
  'reschedule',
  'optOut',
  'trouble',
] as const)

const LONGEST_COMMAND = 3

/** Reads a note for the driver, asked for or not. One that may be a command is asked about, never carried out. */
export function noteReading(found: readonly IntentName[], e: Evidence, address: AddressSlot | null): NoteReading {
  const isAsked = e.state === 'notes'
  const [intent = 'notes'] = found
  // What was asked before the note, said again or corrected.
  if (isAsked && address?.isAlone && (Object.keys(address.parts).length > 0 || address.fix))
    return { intent: 'address', alternative: null }
  if (isAsked && e.hasArea && e.tags.every(isOfPlace)) return { intent: 'place', alternative: null }
  const isShort = e.tags.length <= LONGEST_COMMAND || e.isQuestion
  if (isAsked && (plain.has(intent) || (views.has(intent) && e.unknown === 0 && isShort && !isOfDoor(e))))
    return { intent, alternative: null }
  return { intent: 'notes', alternative: commands.has(intent) && !isNoteOnly(intent, e) ? intent : null }
}

/** `لا توصلون قبل العصر` and `خلوا كرتون عند الباب` can only be notes. */
const isNoteOnly = (intent: IntentName, e: Evidence) =>
  isOfDoor(e) || ((intent === 'refuse' || intent === 'reschedule') && e.tags.some(({ type }) => type === 'time'))

const isOfPlace = (tag: Tag) =>
  ['filler', 'separator', 'area', 'landmark'].includes(tag.type) ||
  is(tag, 'no', 'correction', 'mistakeOfMine', 'wrong', 'placeWord', 'fromPlace', 'deliver', 'change')

/** Two of these lead a driver to the door; a flat alone does not. */
export const isFindable = ({ block, road, building }: AddressParts): boolean =>
  [block, road, building].filter((part) => part !== undefined).length > 1

/** Words of these also occur in addresses: `behind the complaints office`. */
const inAddresses: ReadonlySet<IntentName> = new Set([
  'trouble',
  'person',
  'callMe',
  'cancelOrder',
  'clear',
  'optOut',
] as const)

/** Reads the answer to the question for an address: one that leads to a door may have any words beside it. */
export function addressReading(found: readonly IntentName[], parts: AddressParts | undefined): NoteReading | null {
  const [intent] = found
  if (intent === undefined || !inAddresses.has(intent) || !parts || !isFindable(parts)) return null
  return { intent: 'address', alternative: intent }
}

const ofDriver =
  /^[^\p{L}]*(?:(?:ملاحظ\p{L}*|notes?|instructions?)(?:\s+(?:حق |for |to )?(?:the )?(?:لل?|ال)?(?:سائق|سايق|سواق|مندوب|driver))?\s*[:：،-]|(?:قول\p{L}*|خبر\p{L}*|بلغ\p{L}*|tell|ask)\s+(?:the )?(?:لل?|ال|حق ال)?(?:سائق|سايق|سواق|مندوب|driver))\s*(?:to |ان |انه )?(.{2,})$/isu
const quoted = /["“”«»]([^"“”«»]{2,})["“”«»]/u

const contacts =
  '(?:call|ring|phone|whatsapp|text|message|msg|contact|كلم|اتصل|تصل|دق|رن|راسل|خبر|طق|kal+[ie]?m|et[9s][ie]?l|it[9s][ie]?l|dig|dg|tawag|tumawag)'
const arrivals =
  '(?:arriv|come|coming|reach|get here|here|near|outside|arrival|وصل|وصول|جيت|تجون|تيون|ييت|قرب|برع|برا|wa?[s9]a?l|we[s9]l|tew?[s9]al|t[jy]oo?n|j[ei]ya?t|dating)'
const times =
  '(?:when|once|if|before|after|on|upon|as soon as|اذا|لما|لين|يوم|وقت|عند|قبل|بعد|اول ما|من|etha|itha|lam+a|ga?bi?l|3nd|yoom|pag)'
/** `call my wife when you arrive`, `إذا وصلتوا كلموا زوجتي`, `دقوا الجرس`, `5aloh 3nd el bab`: for the driver. */
const delivering: readonly RegExp[] = [
  new RegExp(
    `(?:^|[ ,])(?:و|w|please |pls )?(?:ا|لا |no |dont )?${contacts}[^?؟]{0,40}[ ,]${times} [^?؟]{0,20}${arrivals}`,
  ),
  new RegExp(`(?:^|[ ,])${times} [^?؟]{0,20}${arrivals}[^?؟]{0,30}[ ,](?:ا)?${contacts}`),
  /(?:^|[ ,])(?:ا|لا ت?|dont |do not |not |la t?)?(?:ring|knock|press|دق|رن|طق|اضغط|d[ie]?g+|rin)(?:و|وا|ون|i|o|oo?n)? [^?؟]{0,12}(?:bell|door|gate|جرس|باب|jaras|bab)/,
  /(?:^|[ ,])(?:leave|put|drop|place|keep|give|hand|خل|حط|ا?ترك|عط|سلم|نزل|5a?l|kha?l|[h7]a?[6t]|3a?[6t]|36)[^ ]{0,5} [^?؟]{0,25}(?:door|gate|guard|security|reception|watchman|neighbo|garage|maid|باب|حارس|ناطور|مدخل|كراج|حوش|جيران|جار|استقبال|شغاله|[ l]bab|7aris|natoor|jeeran|jiran)/,
]

/** States of an order in which an instruction for the driver is none of the answer. */
const beside: ReadonlySet<State> = new Set(['cart', 'address', 'name', 'confirm'] as const)
/** States in which a quoted text or `note: …` is a note for the driver, not part of an answer. */
const noting: ReadonlySet<State> = new Set([
  ...(['idle', 'vendor', 'product', 'quantity', 'item', 'cart', 'confirm'] as const),
])

/** A note for the driver that was not asked for: `ملاحظة: الغاء الجرس`, `tell the driver "no bell"`, `call on arrival`. */
export function noteIn(text: string, e: Evidence): string | null {
  if (noting.has(e.state)) {
    // A text that is quoted as a whole repeats an example of the bot; a single word is a name.
    const quote = /\p{L}/u.test(text.replace(quoted, '')) ? quoted.exec(text)?.[1] : undefined
    const parts = text.split(/[,،.\n]+\s*(?:and |و)?/u).slice(1)
    const note =
      ofDriver.exec(text)?.[1] ?? parts.map((part) => ofDriver.exec(part)?.[1]).find((found) => found !== undefined)
    const said = quote?.trim().includes(' ') ? quote : note
    if (said !== undefined) return said.trim()
  }
  const isBeside =
    beside.has(e.state) && e.hasCart && !e.requests.length && !e.tags.some(({ type }) => type === 'address')
  const folded = fold(text)
  if (!isBeside || !delivering.some((pattern) => pattern.test(folded))) return null
  return withoutName(text).replace(announced, '').trim()
}

const named =
  /^(?:my name is|my name's|name is|this is|اسمي|الاسم|ismi|esmi)\s[^,،.\n]{2,60}[,،.\n]\s{0,3}(?:and |و)?/iu
const withoutName = (text: string) => text.trim().replace(named, '')
/** `yes but put note`: what a note is announced by. */
const announced =
  /^(?:(?:yes|ok(?:ay)?|sure|fine|اي|نعم|تمام|اوكي|زين|ee|na3am|tamam|zain|but|and|بس|لكن|و|bas|lakin|please|pls|plz|لو سمحت)[\s,،.]{1,3}){0,4}(?:(?:put|add|write|leave|حط\p{L}{0,2}|اكتب\p{L}{0,2}|ضيف\p{L}{0,2}|7o6|7e6|ekteb|ikteb)\s(?:(?:a|the|in|for|في|fi)\s)?(?:driver\s)?(?:notes?|ملاحظ\p{L}{1,3}|m[ou]la7a(?:th?|dh|z|6)a)(?:\s?[:：-]|\s(?:that|to|ان|انه|enna|inna))?\s)?/iu
