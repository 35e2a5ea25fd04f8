import { formatDay } from '@qatra/contract/calendar/calendar'
import { useEffect, useRef } from 'react'
import { useLanguage } from '../lib/language/i18n.tsx'
import type { usePlaceOrder } from './use-place-order.ts'

interface Seen {
  vendorId: number | null
  /** The day in the form; null for the first open one. */
  wanted: string | null
  order: Pick<ReturnType<typeof usePlaceOrder>, 'isPlacing' | 'fail'>
}

/** Says that the delivery day has changed by itself, because a cut-off or midnight has passed. */
export function useDayNotice(chosen: string | undefined, { vendorId, wanted, order }: Seen) {
  const { t, lang } = useLanguage()
  const seen = useRef({ chosen, vendorId, wanted })
  useEffect(() => {
    const before = seen.current
    seen.current = { chosen, vendorId, wanted }
    const isOwnChoice = wanted !== before.wanted || vendorId !== before.vendorId
    // The refusal of an order says it itself.
    if (isOwnChoice || order.isPlacing || !chosen || !before.chosen || chosen === before.chosen) return
    order.fail(t('checkout.error.day'), t('checkout.error.dayNow', { day: formatDay(chosen, lang, 'long') }))
  })
}
