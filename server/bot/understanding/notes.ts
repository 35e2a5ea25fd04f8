import type { AddressParts } from '@qatra/contract/users/auth'
import type { IntentName } from '../intent-table.ts'
import { isOfDoor } from './conditions.ts'
import type { Evidence } from './evidence.ts'

/** What is read of a note for the driver, and the command that it may be instead. */
interface NoteReading {
  intent: IntentName
  alternative: IntentName | null
}

/** Answers to the question for a note, and ways out of it. */
const plain: ReadonlySet<IntentName> = new Set(['skip', 'no', 'thanks', 'menu', 'back'] as const)
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
export function noteReading(found: readonly IntentName[], e: Evidence): NoteReading {
  const isAsked = e.state === 'notes'
  const [intent = 'notes'] = found
  const isShort = e.tags.length <= LONGEST_COMMAND || e.isQuestion
  if (isAsked && (plain.has(intent) || (views.has(intent) && e.unknown === 0 && isShort && !isOfDoor(e))))
    return { intent, alternative: null }
  return { intent: 'notes', alternative: commands.has(intent) && !isNoteOnly(intent, e) ? intent : null }
}

/** `لا توصلون قبل العصر` and `خلوا كرتون عند الباب` can only be notes. */
const isNoteOnly = (intent: IntentName, e: Evidence) =>
  isOfDoor(e) || ((intent === 'refuse' || intent === 'reschedule') && e.tags.some(({ type }) => type === 'time'))

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

/** A note for the driver that was not asked for: `ملاحظة: الغاء الجرس`, `tell the driver "no bell"`. */
export function noteIn(text: string): string | null {
  // A text that is quoted as a whole repeats an example of the bot; a single word is a name.
  const quote = /\p{L}/u.test(text.replace(quoted, '')) ? quoted.exec(text)?.[1] : undefined
  const note =
    ofDriver.exec(text)?.[1] ??
    text
      .split(/[,،.\n]+\s*(?:and |و)?/u)
      .slice(1)
      .map((part) => ofDriver.exec(part)?.[1])
      .find((found) => found !== undefined)
  return (quote?.trim().includes(' ') ? quote : note)?.trim() ?? null
}
