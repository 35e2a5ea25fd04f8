import type { AdminOrder } from '@qatra/contract/orders-admin'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { beforeSignOut, onPersonChanged } from '../../app/session.ts'
import { dismissToast, toast } from '../../ui/Toast.tsx'
import { type Problem, sayProblem } from './problems.ts'
import { createUndoQueue, UNDO_MS } from './undo-queue.ts'

/** Optimistic changes shown until the server answers. */
export type RowChanges = Partial<Pick<AdminOrder, 'status' | 'driver' | 'assignedDriverId' | 'paymentStatus' | 'can'>>

interface QueuedAction {
  ids: readonly string[]
  changes: RowChanges
  /** The new status or driver, as text. */
  what: string
  send(about: { isLeaving: boolean }): Promise<void>
}

const leaving = { isLeaving: true }

/**
 * Queue of acts that can be undone, on the selected orders and on the open one. An act is shown at once and sent after
 * the undo window, one after the other; an undone act is never sent, so no message goes out.
 */
export function useUndoQueue() {
  const t = useT()
  const [held, setHeld] = useState<readonly QueuedAction[]>([])
  const [problem, setProblem] = useState<Problem | null>(null)
  const isLeft = useRef(false)
  const [hold] = useState(() =>
    createUndoQueue<QueuedAction>({
      send: (act, about) => act.send(about),
      wait: (callback, ms) => {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
      onChange: setHeld,
    }),
  )

  useEffect(() => {
    isLeft.current = false
    const leave = () => void hold.flush(leaving)
    const hide = () => document.visibilityState === 'hidden' && leave()
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    const stopSettling = beforeSignOut(() => hold.flush())
    const stopPerson = onPersonChanged(() => hold.forget())
    return () => {
      isLeft.current = true
      stopSettling()
      stopPerson()
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [hold])

  function begin(act: QueuedAction) {
    hold.add(act)
    const undo = () => {
      toast({ title: t(hold.undo(act) ? 'desk.bulk.undone' : 'desk.bulk.undoneLate') })
    }
    toast({
      title: t('desk.bulk.moved', { count: act.ids.length, what: act.what }),
      duration: UNDO_MS - 200,
      action: { label: t('desk.bulk.undo'), onAct: undo },
    })
  }

  const changesById = useMemo(() => new Map(held.flatMap(({ ids, changes }) => ids.map((id) => [id, changes]))), [held])
  return {
    problem,
    begin,
    /** Shows a problem on this page, or in a toast if the page was left. */
    report(next: Problem) {
      if (isLeft.current) toast({ title: sayProblem(next, t), tone: 'error', duration: 8_000 })
      else setProblem(next)
    },
    /** Removes the problem of this order (null: of several orders). */
    dismiss: useCallback((id: string | null) => setProblem((before) => (before?.id === id ? null : before)), []),
    /** The rows with the optimistic changes of held acts. */
    shown: <Row extends AdminOrder>(rows: readonly Row[]): readonly Row[] =>
      changesById.size === 0 ? rows : rows.map((row) => ({ ...row, ...changesById.get(row.id) })),
    /** Sends the waiting act at once, before the next act or before an order is opened. */
    settle() {
      if (held.length > 0) dismissToast()
      return hold.flush()
    },
  }
}
export type UndoQueue = ReturnType<typeof useUndoQueue>
