import type { DeliverySlot } from '@qatra/contract/calendar/slot'
import type { Input } from '@qatra/contract/endpoint'
import { addFils, formatMoney, fromBhd, toBhd } from '@qatra/contract/lib/money'
import {
  type AdminOrderDetail,
  assignDriver,
  changeOrderStatus,
  changePayment,
  unassignDriver,
} from '@qatra/contract/orders/admin'
import { changePromise } from '@qatra/contract/orders/delivery'
import { editItems } from '@qatra/contract/orders/editing'
import { allowsAction, isStep, successors } from '@qatra/contract/orders/order-status'
import { addOrderNote } from '@qatra/contract/orders/timeline'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type CallError, call } from '../../lib/api-client.ts'
import { isOnline } from '../../lib/connection.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { type EditedOrder, editRefusal } from '../editing/EditItems.tsx'
import { isCashDue } from './next-action.ts'
import { cacheOrder, orderQuery, renewOrder, timelineQuery } from './order-cache.ts'
import { useEventText } from './panel/timeline-text.ts'
import { asCallError, isConflict, isCutOff } from './problems.ts'
import type { RowChanges, UndoQueue } from './use-undo-queue.ts'

type StatusBody = Input<typeof changeOrderStatus>['body']
type Send = (version: number) => Promise<AdminOrderDetail>
type ItemsBody = NonNullable<Input<typeof editItems>['body']>
type TextOf = (error: CallError) => string
type PaymentBody = Input<typeof changePayment>['body']

/**
 * The actions on one order. Each sends the version that was shown; on a conflict the page shows who changed what. The
 * admin's change of status can be undone for a few seconds; the next action on the order sends it first.
 */
export function useOrderActions(id: string, undoQueue: UndoQueue) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const me = useUser()
  const eventText = useEventText()
  const [busy, setBusy] = useState<string | null>(null)
  const isRefused = useRef(false)
  /** The version that an own action made of the one it was sent with. */
  const made = useRef(new Map<number, number>())
  const { report, dismiss } = undoQueue
  // Closing the order dismisses its problem.
  useEffect(() => () => dismiss(id), [dismiss, id])

  async function explain(error: CallError, textOf?: TextOf) {
    if (!isConflict(error)) return textOf ? textOf(error) : refusalText(t, error, 'desk')
    const { timeline } = await renewOrder(queries, id)
    const [last] = timeline
    const isForeign = last && last.by?.id !== me?.id
    return isForeign
      ? t('desk.conflict', { name: last.by?.name ?? t('desk.event.system'), what: eventText(last) })
      : t('desk.conflictPlain')
  }

  /** Sends an action on the shown version, or on the one that own queued actions have made of it. @throws if cut off */
  async function sendQueued(shown: number, send: Send, textOf?: TextOf) {
    dismiss(id)
    let version = shown
    for (let next = made.current.get(version); next !== undefined; next = made.current.get(version)) version = next
    try {
      const order = await send(version)
      if (order.version > version) made.current.set(version, order.version)
      cacheOrder(queries, order)
    } catch (error) {
      if (isCutOff(error)) throw error
      isRefused.current = true
      report({
        id,
        text: await explain(asCallError(error), textOf).catch((failure: unknown) =>
          refusalText(t, asCallError(failure), 'desk'),
        ),
      })
    }
  }

  /** At once; without a connection it waits in the queue. */
  async function perform(version: number, send: Send) {
    try {
      if (isOnline()) return await sendQueued(version, send)
    } catch (error) {
      if (!isCutOff(error)) throw error
    }
    undoQueue.begin({ ids: [id], changes: {}, what: t('desk.waits'), send: () => sendQueued(version, send) })
  }

  /** Waits for the previous action and runs on the updated order; does nothing if the previous action was refused. */
  async function run(name: string, begin: (order: AdminOrderDetail) => Promise<void> | void) {
    if (busy) return
    setBusy(name)
    isRefused.current = false
    try {
      await undoQueue.settle()
      const order = queries.getQueryData(orderQuery(id).queryKey)
      const request = order && !isRefused.current && begin(order)
      if (request) await request
    } finally {
      setBusy(null)
    }
  }

  const params = { id }
  return {
    busy,
    problem: undoQueue.problem?.id === id ? undoQueue.problem.text : null,
    /** Sends a queued action before another change of the order. */
    settle: undoQueue.settle,
    move: (body: StatusBody) =>
      run(`status:${body.status}`, (order) => {
        const send = (version: number, keepalive = false) =>
          call(changeOrderStatus, { params, body: { version, ...body } }, { keepalive })
        // A driver's change reports something that has happened, so it has no undo.
        if (me?.role === 'driver') return perform(order.version, send)
        dismiss(id)
        undoQueue.begin({
          ids: [id],
          changes: changesAfter(order, body),
          what: t(`admin.status.${body.status}`),
          send: ({ isLeaving }) => sendQueued(order.version, (version) => send(version, isLeaving)),
        })
      }),
    assign: (driverId: number | null) =>
      run('driver', ({ version: shown }) =>
        perform(shown, (version) =>
          driverId === null
            ? call(unassignDriver, { params, query: { version: String(version) } })
            : call(assignDriver, { params, body: { driverId, version } }),
        ),
      ),
    reschedule: ({ date }: DeliverySlot, reason: string) =>
      run('promise', ({ version: shown }) =>
        perform(shown, (version) =>
          call(changePromise, { params, body: { date, version, ...(reason ? { reason } : {}) } }),
        ),
      ),
    pay: (body: PaymentBody) =>
      run('payment', ({ version: shown }) =>
        perform(shown, (version) => call(changePayment, { params, body: { version, ...body } })),
      ),
    /** Can be undone like a change of status: no message goes out before. */
    editItems: (body: ItemsBody, edited: EditedOrder) =>
      run('items', (order) => {
        dismiss(id)
        const difference = toBhd(addFils(fromBhd(edited.total), fromBhd(-order.total)))
        undoQueue.begin({
          ids: [id],
          changes: { ...edited, cashDue: toBhd(addFils(fromBhd(order.cashDue), fromBhd(difference))) },
          what: t('desk.edited', { total: formatMoney(fromBhd(edited.total), lang) }),
          send: ({ isLeaving }) =>
            sendQueued(
              order.version,
              (version) => call(editItems, { params, body: { ...body, version } }, { keepalive: isLeaving }),
              (error) => editRefusal(t, error),
            ),
        })
      }),
    async note(text: string): Promise<boolean> {
      setBusy('note')
      dismiss(id)
      try {
        queries.setQueryData(timelineQuery(id).queryKey, await call(addOrderNote, { params, body: { text } }))
        return true
      } catch (error) {
        report({ id, text: refusalText(t, asCallError(error), 'desk') })
        return false
      } finally {
        setBusy(null)
      }
    },
  }
}
export type OrderActions = ReturnType<typeof useOrderActions>

/** Optimistic changes until the server's answer replaces them. */
function changesAfter(order: AdminOrderDetail, { status, cashHeldBy }: StatusBody): RowChanges {
  const isOpen = successors[status].length > 0
  const isCollected = status === 'delivered' && (cashHeldBy === 'driver' || cashHeldBy === 'office')
  return {
    status,
    can: {
      ...order.can,
      changeStatus: successors[status].filter((to) => isStep(order, to)),
      takeBack: false,
      assign: order.can.assign && isOpen,
      reschedule: order.can.reschedule && isOpen,
      address: order.can.address && isOpen,
      items: order.can.items && allowsAction(status, 'staff', 'items'),
    },
    ...(isCollected && isCashDue(order) ? { paymentStatus: 'paid', cashDue: 0 } : {}),
  }
}
