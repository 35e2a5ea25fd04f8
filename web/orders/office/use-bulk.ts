import type { OrderStatus } from '@qatra/contract/order-status'
import { changeManyOrders, type Driver, type OfficeOrder } from '@qatra/contract/orders-office'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../app/call.ts'
import { useT } from '../../app/i18n.tsx'
import { toast } from '../../ui/Toast.tsx'
import { renewDesk } from './order-cache.ts'
import { asCallError, problemOf } from './problems.ts'

export interface Refused {
  id: string
  code: string
}

const UNDO_MS = 10_000

/** Acts on several orders at once; who drove before is remembered, so that a wrong choice is taken back in one press. */
export function useBulk(unselect: (ids: readonly string[]) => void) {
  const t = useT()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [problem, setProblem] = useState<string | null>(null)

  async function run(
    rows: readonly OfficeOrder[],
    wish: { status?: OrderStatus; driverId?: number | null; notes?: string },
  ) {
    const ids = rows.map(({ id }) => id)
    if (busy || ids.length === 0) return null
    setBusy(true)
    setProblem(null)
    setRefused([])
    try {
      const { results, changed } = await call(changeManyOrders, { body: { ids, ...wish } })
      setRefused(results.flatMap(({ id, code }) => (code === null ? [] : [{ id, code }])))
      return changed
    } catch (error) {
      setProblem(problemOf(asCallError(error), t))
      return null
    } finally {
      setBusy(false)
      await renewDesk(queries)
    }
  }

  async function move(rows: readonly OfficeOrder[], status: OrderStatus, notes?: string) {
    const changed = await run(rows, { status, ...(notes ? { notes } : {}) })
    if (changed === null) return
    unselect(rows.map(({ id }) => id))
    toast({ title: t('desk.bulk.moved', { count: changed, what: t(`office.status.${status}`) }) })
  }

  async function assign(rows: readonly OfficeOrder[], driver: Driver | null) {
    const before = new Map<number | null, OfficeOrder[]>()
    for (const row of rows) before.set(row.assignedDriverId, [...(before.get(row.assignedDriverId) ?? []), row])
    const changed = await run(rows, { driverId: driver?.id ?? null })
    if (changed === null) return
    unselect(rows.map(({ id }) => id))
    const what = driver ? (driver.name ?? driver.phone) : t('desk.filter.noDriver')
    const undo = async () => {
      for (const [driverId, group] of before) await run(group, { driverId })
      toast({ title: t('desk.bulk.undone') })
    }
    toast({
      title: t('desk.bulk.moved', { count: changed, what }),
      duration: UNDO_MS,
      action: { label: t('desk.bulk.undo'), onAct: () => void undo() },
    })
  }

  const dismiss = () => {
    setRefused([])
    setProblem(null)
  }
  return { busy, problem, refused, move, assign, dismiss }
}
export type Bulk = ReturnType<typeof useBulk>
