import { useEffect, useRef } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { raiseToasts } from '../ui/Toast.tsx'
import type { PlaceError } from './use-place-order.ts'

interface PlaceBarProps {
  /** BHD */
  total: number
  isPlacing: boolean
  /** Why the button is disabled; null if it is not. */
  reason: string | null
  error: PlaceError | null
}

/** The button that places the order: fixed on a phone, below the summary on a wide screen. */
export function PlaceBar({ total, isPlacing, reason, error }: PlaceBarProps) {
  const t = useT()
  const bar = useToastsAbove()
  return (
    <div
      ref={bar}
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
      <Button type="submit" tone="aqua" size="big" busy={isPlacing} reason={reason} reasonShown className="px-5">
        <span className="flex w-full items-center justify-between gap-3">
          <span>{isPlacing ? t('checkout.placing') : error ? t('checkout.placeAgain') : t('checkout.place')}</span>
          <Money bhd={total} />
        </span>
      </Button>
    </div>
  )
}

/** Moves toasts above the bar while it covers the end of the page. */
function useToastsAbove() {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = bar.current
    if (!element || getComputedStyle(element).position !== 'sticky') return
    const watch = new ResizeObserver(() => raiseToasts(`${element.offsetHeight}px`))
    watch.observe(element)
    return () => {
      watch.disconnect()
      raiseToasts('0px')
    }
  }, [])
  return bar
}
