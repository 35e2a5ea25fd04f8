import { formatDay } from '@qatra/contract/calendar/calendar'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { CopyButton } from '../../ui/admin/CopyButton.tsx'
import { Money, OrderId } from '../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import type { Placed } from './use-sale.ts'

/** Shows the order number and starts the next order. */
export function PlacedPart({ order, onNext }: { order: Placed; onNext(): void }) {
  const { t, lang } = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('button')?.focus()
  }, [])
  return (
    <section className="appear mx-auto grid max-w-120 justify-items-center gap-4 px-4 py-12 text-center" role="status">
      <span className="grid size-14 place-items-center rounded-full bg-aqua-soft text-aqua-ink">
        <CheckIcon size={28} aria-hidden="true" />
      </span>
      <h2 className="text-title">{t('sale.done')}</h2>
      <p className="text-body text-ink-2">
        <bdi>{order.customerName}</bdi> · {t('sale.arrives', { day: formatDay(order.promisedDate, lang, 'long') })}
      </p>
      <p className="flex items-center gap-2 text-heading">
        <span className="sr-only">{t('sale.orderId')}</span>
        <OrderId id={order.id} />
        <CopyButton text={order.id} label={t('sale.orderId')} />
      </p>
      <Money bhd={order.total} className="text-display text-gulf" />
      <div ref={box} className="mt-2 flex flex-wrap justify-center gap-3">
        <Button tone="aqua" onClick={onNext}>
          {t('sale.next')}
        </Button>
        <Link to="/admin/sales/$id" params={{ id: order.id }} className={buttonClass('outline')}>
          {t('sale.open')}
        </Link>
      </div>
    </section>
  )
}
