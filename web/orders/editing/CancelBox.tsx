import { formatTime } from '@qatra/contract/calendar/calendar'
import { isolated } from '@qatra/contract/lib/text'
import { cancelOrder, type Order } from '@qatra/contract/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { call } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { serverNow } from '../../lib/server-clock.ts'
import { useAction } from '../../lib/use-action.ts'
import { classes } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { orderQuery } from '../api.ts'
import { invalidateOrders } from '../invalidate-orders.ts'
import { vendorOf } from '../OrderCard.tsx'

/** Milliseconds left by the server's clock, updated every second; null on the server, which renders whole minutes by its clock. */
function useTimeLeft(until: string): number | null {
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const end = new Date(until).getTime()
    const tick = () => setLeft(Math.max(0, end - serverNow()))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [until])
  return left
}

const clock = (ms: number) => {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Cancelling with its question. */
function useCancel(order: Order) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const left = useTimeLeft(order.cancellableUntil)
  const [isAsked, setAsked] = useState(false)
  const { busy, problem, run } = useAction(({ code }) => {
    if (code !== 'CANCELLATION_CLOSED') return t('order.cancelFailed')
    void queries.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })
    return t('order.cancelClosed', { vendor: nameIn(vendorOf(order)) })
  })
  const cancel = () =>
    run(async () => {
      const cancelled = await call(cancelOrder, { params: { id: order.id }, body: {} })
      queries.setQueryData(orderQuery(order.id).queryKey, cancelled)
      toast({ title: t('order.cancelDone') })
      void invalidateOrders(queries)
    }).finally(() => setAsked(false))
  const rest = (
    <>
      <p role="alert" className={problem ? 'mt-2 text-label text-clay' : 'hidden'}>
        {problem}
      </p>
      <Dialog
        open={isAsked}
        title={t('order.cancelTitle')}
        safe={{ label: t('order.cancelKeep'), onChoose: () => setAsked(false) }}
        action={{ label: t('order.cancelDo'), tone: 'danger', busy, onChoose: () => void cancel() }}
      >
        {t('order.cancelText')}
      </Dialog>
    </>
  )
  return { left, isOver: !order.can.cancel || left === 0, ask: () => setAsked(true), rest }
}

/** Cancelling as a link, with what remains of the hour for it. The server's clock decides. */
export function CancelBox({ order, className }: { order: Order; className: string }) {
  const t = useT()
  const { left, isOver, ask, rest } = useCancel(order)
  if (isOver) return null
  return (
    <section className={classes('no-print', className)}>
      <div className="-my-2 flex flex-wrap items-center justify-between gap-x-4">
        <button type="button" onClick={ask} className="min-h-tap font-strong text-clay hover:underline">
          {t('order.cancel')}
        </button>
        <p role="timer" aria-live="off" className="text-label text-ink-3">
          {t('order.cancelLeft', { time: isolated(left === null ? '–:––' : clock(left)) })}
        </p>
      </div>
      {rest}
    </section>
  )
}

/** The same as one line with the end of the hour. */
export function CancelLine({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const { isOver, ask, rest } = useCancel(order)
  if (isOver) return null
  return (
    <div className="no-print mt-3 text-center text-label text-ink-3">
      {t('order.changedMind')}{' '}
      <button type="button" onClick={ask} className="min-h-tap px-1 font-strong text-clay hover:underline">
        {t('order.cancelDo')}
      </button>{' '}
      <bdi>{t('order.cancelUntil', { time: formatTime(new Date(order.cancellableUntil), lang) })}</bdi>
      {rest}
    </div>
  )
}
