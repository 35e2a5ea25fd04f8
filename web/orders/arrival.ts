import { addDays, bahrainDate, formatDay } from '@qatra/contract/calendar'
import type { Order } from '@qatra/contract/orders'
import { useLanguage } from '../app/i18n.tsx'
import { serverNow } from '../lib/server-clock.ts'

/** When an open order arrives, as a sentence: today, tomorrow, the day, or that it is late. */
export function useArrivalText() {
  const { t, lang } = useLanguage()
  return ({ promisedDate }: Pick<Order, 'promisedDate'>) => {
    const today = bahrainDate(new Date(serverNow()))
    const day = formatDay(promisedDate, lang, 'long')
    if (promisedDate < today) return t('open.late', { day })
    if (promisedDate === today) return t('open.today')
    return promisedDate === addDays(today, 1) ? t('open.tomorrow', { day }) : t('order.arrives', { day })
  }
}
