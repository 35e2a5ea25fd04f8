import { fold } from '@qatra/contract/lib/text'
import { stopWords } from '@qatra/contract/whatsapp/templates/template-rules'

const setOf = (words: readonly string[]) => new Set(words.map(fold))

const stops = setOf(stopWords)
/** `اشتراك` and `subscribe` only end an opt-out: from other customers they ask about regular deliveries. */
const starts = setOf([
  'start',
  'unstop',
  'subscribe',
  'resume offers',
  'start offers',
  'اشتراك',
  'استئناف',
  'استئناف العروض',
  'تفعيل العروض',
  'تفعيل الرسائل',
])

/**
 * Whether a message consists only of an opt-out or opt-in. Words within a sentence are left to staff or the bot: "do
 * not stop" is no opt-out.
 */
export function optWordIn(text: string): 'stop' | 'start' | null {
  if (text.length > 60) return null
  const word = fold(text)
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (stops.has(word)) return 'stop'
  return starts.has(word) ? 'start' : null
}
