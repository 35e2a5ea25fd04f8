import type { OrderStatus } from '@qatra/contract/order-status'
import type { CashHolder } from '@qatra/contract/delivery'
import type { Driver } from '@qatra/contract/drivers'
import { changeManyOrders, type OfficeOrder } from '@qatra/contract/orders-office'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../app/call.ts'
import { useT } from '../../app/i18n.tsx'
import { beforeSignOut, onPersonChanged } from '../../app/session.ts'
import { dismissToast, toast } from '../../ui/Toast.tsx'
import { createHold, UNDO_MS } from './held-act.ts'
import { renewDesk } from './order-cache.ts'
import { asCallError, problemOf } from './problems.ts'

export interface Refused {
  id: string
  code: string
}

interface Wish {
  ids: readonly string[]
  body: { status: OrderStatus; notes?: string; cashHeldBy?: CashHolder } | { driverId: number | null }
  /** What the rows show meanwhile. */
  look: Partial<Pick<OfficeOrder, 'status' | 'driver' | 'assignedDriverId'>>
}

interface Plan extends Pick<Wish, 'body' | 'look'> {
  can(row: OfficeOrder): boolean
  /** Why the others stay. */
  code: string
  /** What they become, in words. */
  what: string
}

/** A row that shows the status already, sent or held, is not moved there again. */
export const mayMove = ({ status, can }: OfficeOrder, to: OrderStatus) => status !== to && can.changeStatus.includes(to)

const leaving = { isLeaving: true }

/** Acts on several orders at once. They are shown at once and sent a few seconds later, so that undoing them tells nobody anything. */
export function useBulk() {
  const t = useT()
  const queries = useQueryClient()
  const [held, setHeld] = useState<readonly Wish[]>([])
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [problem, setProblem] = useState<string | null>(null)

  const send = useCallback(
    async ({ ids, body }: Wish, { isLeaving }: { isLeaving: boolean }) => {
      try {
        const { results } = await call(changeManyOrders, { body: { ids: [...ids], ...body } }, { keepalive: isLeaving })
        const late = results.flatMap(({ id, code }) => (code === null ? [] : [{ id, code }]))
        setRefused((before) => [...before.filter(({ id }) => !ids.includes(id)), ...late])
      } catch (error) {
        setProblem(problemOf(asCallError(error), t))
      }
      await renewDesk(queries)
    },
    [queries, t],
  )
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  }, [send])
  const [hold] = useState(() =>
    createHold<Wish>({
      send: (wish, about) => latest.current(wish, about),
      wait: (callback, ms) => {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
      onChange: setHeld,
    }),
  )

  useEffect(() => {
    const leave = () => void hold.flush(leaving)
    const hide = () => document.visibilityState === 'hidden' && leave()
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    const stopSettling = beforeSignOut(() => hold.flush())
    const stopPerson = onPersonChanged(() => hold.forget())
    return () => {
      stopSettling()
      stopPerson()
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [hold])

  /** What the list shows to be impossible is named at once, the rest is held. */
  function begin(rows: readonly OfficeOrder[], { can, code, what, ...rest }: Plan) {
    const wish: Wish = { ...rest, ids: rows.filter(can).map(({ id }) => id) }
    const ids = new Set(wish.ids)
    setProblem(null)
    setRefused(rows.flatMap((row) => (can(row) ? [] : [{ id: row.id, code }])))
    if (ids.size === 0) return
    hold.add(wish)
    const undo = () => {
      if (!hold.undo(wish)) {
        toast({ title: t('desk.bulk.undoneLate') })
        return
      }
      toast({ title: t('desk.bulk.undone') })
    }
    toast({
      title: t('desk.bulk.moved', { count: ids.size, what }),
      duration: UNDO_MS - 200,
      action: { label: t('desk.bulk.undo'), onAct: undo },
    })
  }

  const looks = useMemo(() => new Map(held.flatMap(({ ids, look }) => ids.map((id) => [id, look]))), [held])
  return {
    problem,
    refused,
    /** The rows as they will be. */
    shown: (rows: readonly OfficeOrder[]): readonly OfficeOrder[] =>
      looks.size === 0 ? rows : rows.map((row) => ({ ...row, ...looks.get(row.id) })),
    /** Sends what could still be taken back, before anybody looks closer. */
    settle() {
      if (held.length > 0) dismissToast()
      return hold.flush()
    },
    move: (rows: readonly OfficeOrder[], status: OrderStatus, more: { notes?: string; cashHeldBy?: CashHolder } = {}) =>
      begin(
        rows.filter((row) => row.status !== status),
        {
          can: (row) => mayMove(row, status),
          code: 'ILLEGAL_TRANSITION',
          what: t(`office.status.${status}`),
          body: { status, ...more },
          look: { status },
        },
      ),
    assign: (rows: readonly OfficeOrder[], driver: Driver | null) =>
      begin(rows, {
        can: ({ can }) => can.assign,
        code: 'ORDER_CLOSED',
        what: driver ? (driver.name ?? driver.phone) : t('desk.filter.noDriver'),
        body: { driverId: driver?.id ?? null },
        look: { driver, assignedDriverId: driver?.id ?? null },
      }),
    dismiss() {
      setRefused([])
      setProblem(null)
    },
  }
}
export type Bulk = ReturnType<typeof useBulk>
