import type { Input } from '@qatra/contract/endpoint'
import {
  assignDriver,
  changeOrderStatus,
  changePayment,
  noteOrder,
  type OfficeOrderDetail,
  unassignDriver,
} from '@qatra/contract/orders-office'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CallError, call } from '../../app/call.ts'
import { useT } from '../../app/i18n.tsx'
import { useUser } from '../../app/session.ts'
import { keepOrder, renewOrder, timelineQuery } from './order-cache.ts'
import { asCallError, isConflict, problemOf } from './problems.ts'
import { useEventText } from './timeline-text.ts'

type Order = Pick<OfficeOrderDetail, 'id' | 'version'>
type StatusBody = Input<typeof changeOrderStatus>['body']
type PaymentBody = Input<typeof changePayment>['body']

/** The acts on one order: each says which version was seen, and whoever comes second is shown what changed meanwhile. */
export function useOrderActs(order: Order) {
  const t = useT()
  const queries = useQueryClient()
  const me = useUser()?.id
  const eventText = useEventText()
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function explain(error: CallError) {
    if (!isConflict(error)) return problemOf(error, t)
    const { timeline } = await renewOrder(queries, order.id)
    const [last] = timeline
    const isForeign = last && last.by?.id !== me
    return isForeign
      ? t('desk.conflict', { name: last.by?.name ?? t('desk.event.system'), what: eventText(last) })
      : t('desk.conflictPlain')
  }

  /** True where it worked. */
  async function act(name: string, send: () => Promise<OfficeOrderDetail>): Promise<boolean> {
    if (busy) return false
    setBusy(name)
    setProblem(null)
    try {
      keepOrder(queries, await send())
      return true
    } catch (error) {
      setProblem(await explain(asCallError(error)).catch((again: unknown) => problemOf(asCallError(again), t)))
      return false
    } finally {
      setBusy(null)
    }
  }

  const { id, version } = order
  const params = { id }
  return {
    busy,
    problem,
    clear: () => setProblem(null),
    move: (body: StatusBody) =>
      act(`status:${body.status}`, () => call(changeOrderStatus, { params, body: { version, ...body } })),
    assign: (driverId: number | null) =>
      act('driver', () =>
        driverId === null
          ? call(unassignDriver, { params, query: { version: String(version) } })
          : call(assignDriver, { params, body: { driverId, version } }),
      ),
    pay: (body: PaymentBody) => act('payment', () => call(changePayment, { params, body: { version, ...body } })),
    async note(text: string): Promise<boolean> {
      setBusy('note')
      setProblem(null)
      try {
        queries.setQueryData(timelineQuery(id).queryKey, await call(noteOrder, { params, body: { text } }))
        return true
      } catch (error) {
        setProblem(problemOf(asCallError(error), t))
        return false
      } finally {
        setBusy(null)
      }
    },
  }
}
export type OrderActs = ReturnType<typeof useOrderActs>
