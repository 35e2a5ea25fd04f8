import { type DeliverySlot, promiseFields, slotWords } from '@qatra/contract/calendar/slot'
import type { Driver } from '@qatra/contract/drivers'
import { type AdminOrder, changeManyOrders } from '@qatra/contract/orders/admin'
import type { CashHolder } from '@qatra/contract/orders/cash'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { renewDesk } from '../order-cache.ts'
import { asCallError, isCutOff } from '../problems.ts'
import type { RowChanges, UndoQueue } from '../use-undo-queue.ts'

export interface Refused {
  id: string
  code: string
}

interface Plan {
  body:
    | { status: OrderStatus; notes?: string; cashHeldBy?: CashHolder }
    | { driverId: number | null; status?: OrderStatus }
    | { promisedDate: string; notes?: string }
  changes: RowChanges
  can(row: AdminOrder): boolean
  /** Why the other orders are unchanged. */
  code: string
  /** The new status, driver or day, as text. */
  what: string
}

/** False if the row already shows the status, sent or queued. */
export const mayMove = ({ status, can }: AdminOrder, to: OrderStatus) => status !== to && can.changeStatus.includes(to)

/** Actions on several orders, each queued during the undo window. */
export function useBulk(undoQueue: UndoQueue) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const [refused, setRefused] = useState<readonly Refused[]>([])

  /** All calls begin at once and outlive the page: those that waited for an answer would be lost when it is left. */
  async function send(plans: readonly { ids: readonly string[]; body: Plan['body'] }[]) {
    try {
      await Promise.all(plans.map(sendOne))
    } finally {
      await renewDesk(queries)
    }
  }

  async function sendOne({ ids, body }: { ids: readonly string[]; body: Plan['body'] }) {
    try {
      const { results } = await call(changeManyOrders, { body: { ids: [...ids], ...body } }, { keepalive: true })
      const late = results.flatMap(({ id, code }) => (code === null ? [] : [{ id, code }]))
      setRefused((before) => [...before.filter(({ id }) => !ids.includes(id)), ...late])
    } catch (error) {
      if (isCutOff(error)) throw error
      undoQueue.report({ id: null, text: refusalText(t, asCallError(error), 'desk') })
    }
  }

  /** Orders whose row already shows that the move is impossible are reported at once. */
  function begin(rows: readonly AdminOrder[], { can, code, body, ...rest }: Plan) {
    const ids = rows.filter(can).map(({ id }) => id)
    undoQueue.dismiss(null)
    setRefused(rows.flatMap((row) => (can(row) ? [] : [{ id: row.id, code }])))
    if (ids.length === 0) return
    undoQueue.begin({ ...rest, ids, send: () => send([{ ids, body }]) })
  }

  /** One act with one undo; each driver's orders are a call of their own. */
  function assignEach(byDriver: ReadonlyMap<Driver, readonly AdminOrder[]>) {
    undoQueue.dismiss(null)
    setRefused([])
    const given = [...byDriver].map(([driver, rows]) => ({ driver, ids: rows.map(({ id }) => id) }))
    undoQueue.begin({
      ids: given.flatMap(({ ids }) => ids),
      changes: new Map(
        given.flatMap(({ driver, ids }) => ids.map((id) => [id, { driver, assignedDriverId: driver.id }] as const)),
      ),
      what: t('desk.areas.what', { count: given.length }),
      send: () => send(given.map(({ driver, ids }) => ({ ids, body: { driverId: driver.id } }))),
    })
  }

  return {
    refused,
    move: (rows: readonly AdminOrder[], status: OrderStatus, more: { notes?: string; cashHeldBy?: CashHolder } = {}) =>
      begin(
        rows.filter((row) => row.status !== status),
        {
          can: (row) => mayMove(row, status),
          code: 'ILLEGAL_TRANSITION',
          what: t(`admin.status.${status}`),
          body: { status, ...more },
          changes: { status },
        },
      ),
    /** Orders that cannot be shipped are reported if the delivery starts with the assignment. */
    assign(rows: readonly AdminOrder[], driver: Driver | null, isStarting: boolean) {
      const name = driver ? (driver.name ?? driver.phone) : t('desk.filter.noDriver')
      const status = isStarting ? ({ status: 'shipped' } as const) : {}
      begin(rows, {
        can: (row) => row.can.assign && (!isStarting || mayMove(row, 'shipped')),
        code: isStarting ? 'ILLEGAL_TRANSITION' : 'ORDER_CLOSED',
        what: isStarting ? t('desk.bulk.started', { name, status: t('admin.status.shipped') }) : name,
        body: { driverId: driver?.id ?? null, ...status },
        changes: { driver, assignedDriverId: driver?.id ?? null, ...status },
      })
    },
    reschedule: (rows: readonly AdminOrder[], slot: DeliverySlot, notes: string) =>
      begin(rows, {
        can: ({ can }) => can.reschedule,
        code: 'ORDER_CLOSED',
        what: slotWords(slot, lang, 'long'),
        body: { ...promiseFields(slot), ...(notes ? { notes } : {}) },
        changes: promiseFields(slot),
      }),
    assignEach,
    dismiss: () => setRefused([]),
  }
}
export type Bulk = ReturnType<typeof useBulk>
