import { type DeliverySlot, daysUntil, slotWords } from '@qatra/contract/calendar/slot'
import { useLanguage } from '../lib/language/i18n.tsx'
import { useToday } from './use-today.ts'

/** The day of a delivery in a sentence, as on all pages: today and tomorrow are said before the weekday. */
export function useDayWords() {
  const { t, lang } = useLanguage()
  const today = useToday()
  return (slot: DeliverySlot, style: 'long' | 'weekday' = 'long') => {
    const day = slotWords(slot, lang, style)
    const days = daysUntil(slot, today)
    return days === 0 || days === 1 ? t(days === 0 ? 'cart.day.today' : 'cart.day.tomorrow', { day }) : day
  }
}
