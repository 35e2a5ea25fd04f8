import { type DeliverySlot, daysUntil } from '@qatra/contract/calendar/slot'
import type { AreaSummary } from '@qatra/contract/places/areas'
import { useNameIn } from '../app/names.ts'
import { useDayWords } from '../delivery/day-words.ts'
import { useToday } from '../delivery/use-today.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { raisesToasts } from '../ui/raise-toasts.ts'
import type { PlaceError } from './use-place-order.ts'

interface PlaceBarProps {
  /** BHD */
  total: number
  /** Day and place of the delivery, which the button repeats. */
  slot: DeliverySlot | null
  area: AreaSummary | null
  isPlacing: boolean
  /** Why the button is disabled; null if it is not. */
  reason: string | null
  error: PlaceError | null
}

/** The button that places the order: fixed on a phone, below the summary on a wide screen. */
export function PlaceBar({ total, slot, area, isPlacing, reason, error }: PlaceBarProps) {
  const { t } = useLanguage()
  const dayWords = useDayWords()
  const nameIn = useNameIn()
  const today = useToday()
  const isThisWeek = slot !== null && daysUntil(slot, today) < 7
  const day = slot && dayWords(slot, isThisWeek ? 'weekday' : 'long')
  return (
    <div
      ref={raisesToasts}
      className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-page px-4 pt-3 pb-[max(16px,env(safe-area-inset-bottom))] lg:static lg:mx-0 lg:border-0 lg:px-0"
    >
      <div role="alert" className={error ? 'mb-2.5 flex gap-2 rounded-m bg-clay-soft px-3 py-2' : 'hidden'}>
        {error && <WarningIcon size={20} aria-hidden="true" className="mt-0.75 text-clay" />}
        {error && (
          <div className="min-w-0 text-label">
            <p className="font-strong">{error.title}</p>
            <p className="text-ink-2">{error.text}</p>
          </div>
        )}
      </div>
      <p aria-hidden={reason ? true : undefined} className="mb-2.5 text-center text-label text-ink-3">
        {reason ?? t('checkout.terms')}
      </p>
      <Button type="submit" tone="aqua" size="big" busy={isPlacing} reason={reason} reasonShown className="px-3.5">
        <span className="flex w-full flex-wrap items-center justify-between gap-x-2">
          <span className="dots min-w-0 grow basis-40 text-start">
            <span>{isPlacing ? t('checkout.placing') : error ? t('checkout.placeAgain') : t('checkout.place')}</span>
            {day && area && !isPlacing && <span>{t('checkout.placeTo', { day, area: nameIn(area) })}</span>}
          </span>
          <Money bhd={total} className="flex-none" />
        </span>
      </Button>
    </div>
  )
}
